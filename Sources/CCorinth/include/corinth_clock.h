// SPDX-License-Identifier: MIT
//
// The clocks of the system. Included by CCorinth.h only, in its place.

#pragma once

// MARK: - Time

// A reading of the clocks that the kernel sets at each of its ticks, in nanoseconds.
typedef struct {
  int64_t monotonic; // stands still while the machine sleeps
  int64_t wall;      // does not, but may be set
} corinth_coarse_time;

// The clocks are read in this order. False where there are none. Any thread.
bool corinth_coarse_time_read(corinth_coarse_time *time);
