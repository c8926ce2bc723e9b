// SPDX-License-Identifier: MIT

#include "corinth_internal.h"

uint64_t corinth_time_read(void) {
#if defined(__linux__)
  return corinth_nanoseconds(CLOCK_BOOTTIME);
#else
  return corinth_nanoseconds(CLOCK_MONOTONIC);
#endif
}

bool corinth_coarse_time_read(corinth_coarse_time *time) {
#if defined(__linux__)
  time->monotonic = (int64_t)corinth_nanoseconds(CLOCK_MONOTONIC_COARSE);
  time->wall = (int64_t)corinth_nanoseconds(CLOCK_REALTIME_COARSE);
  return true;
#else
  *time = (corinth_coarse_time){0};
  return false;
#endif
}
