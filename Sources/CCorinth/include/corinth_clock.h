// SPDX-License-Identifier: MIT
//
// The clocks of the system. Included by CCorinth.h only, in its place.

#pragma once

// MARK: - Time

// Nanoseconds of the clock that does not stand still while the machine sleeps. Any thread.
uint64_t corinth_time_read(void);

// A reading of the clocks that the kernel sets at every tick, in nanoseconds.
typedef struct {
  int64_t monotonic; // stands still while the machine sleeps
  int64_t wall;      // does not, but may be set
} corinth_coarse_time;

// Reads the monotonic clock first. False on a system without coarse clocks. Any thread.
bool corinth_coarse_time_read(corinth_coarse_time *time);
