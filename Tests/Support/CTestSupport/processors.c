// SPDX-License-Identifier: MIT

// sched_getaffinity
#define _GNU_SOURCE

#include "CTestSupport.h"

#include <unistd.h>

#if defined(__linux__)
#include <sched.h>
#endif

unsigned int corinth_test_processor_count(void) {
  long online = sysconf(_SC_NPROCESSORS_ONLN);
  unsigned int count = online > 0 ? (unsigned int)online : 1;
#if defined(__linux__)
  cpu_set_t set;
  // Fails with more processors than the set has room for.
  if (sched_getaffinity(0, sizeof set, &set) == 0) {
    unsigned int usable = (unsigned int)CPU_COUNT(&set);
    if (usable > 0 && usable < count) count = usable;
  }
#endif
  return count;
}
