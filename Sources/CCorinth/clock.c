// SPDX-License-Identifier: MIT

#include "corinth_internal.h"

#include <time.h>

#if defined(__linux__)

static int64_t read_clock(clockid_t clock) {
  struct timespec time;
  clock_gettime(clock, &time);
  return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

bool corinth_coarse_time_read(corinth_coarse_time *time) {
  time->monotonic = read_clock(CLOCK_MONOTONIC_COARSE);
  time->wall = read_clock(CLOCK_REALTIME_COARSE);
  return true;
}

#else

bool corinth_coarse_time_read(corinth_coarse_time *time) {
  *time = (corinth_coarse_time){0};
  return false;
}

#endif
