// SPDX-License-Identifier: MIT
// Includes the headers of Concurrency Kit for the target CCorinth: epochs and the hash table. No
// code lives here.

#pragma once

#if defined(__has_include)
#if !__has_include(<ck_epoch.h>)
#error "Corinth needs Concurrency Kit 0.7: apt-get install libck-dev, or brew install concurrencykit pkgconf"
#endif
#endif

#include <ck_epoch.h>
#include <ck_ht.h>
