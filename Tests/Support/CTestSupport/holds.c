// SPDX-License-Identifier: MIT

#include "CCorinth.h"
#include "CTestSupport.h"

void corinth_test_stop_within_end(const void *counter) {
  __atomic_store_n(&corinth_thread_current()->letting_go, counter, __ATOMIC_RELAXED);
}
