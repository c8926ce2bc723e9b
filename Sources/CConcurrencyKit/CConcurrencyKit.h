// SPDX-License-Identifier: MIT
// The parts of Concurrency Kit that Corinth is built on. No logic lives here.

#pragma once

#if defined(__has_include)
#if !__has_include(<ck_epoch.h>)
#error "Corinth needs Concurrency Kit 0.7: apt-get install libck-dev, or brew install concurrencykit pkgconf"
#endif
#endif

#include <ck_epoch.h>
#include <ck_ht.h>
