// SPDX-License-Identifier: MIT
// Includes the two headers of Concurrency Kit that the target CCorinth uses: `ck_epoch` and
// `ck_ht`. The target contains no code of its own.

#pragma once

#if defined(__has_include)
#if !__has_include(<ck_epoch.h>)
#error "Corinth needs Concurrency Kit 0.7: apt-get install libck-dev, or brew install concurrencykit pkgconf"
#endif
#endif

#include <ck_epoch.h>
#include <ck_ht.h>
