// SPDX-License-Identifier: MIT
// The parts of Concurrency Kit that Corinth is built on. No logic lives here.

#pragma once

#include <ck_epoch.h>
#include <ck_ht.h>
