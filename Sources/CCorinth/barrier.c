// SPDX-License-Identifier: MIT
//
// A barrier for all threads of the process at once, by membarrier(2): each thread that runs passes a full barrier
// during the call, each other one has passed one when it was suspended. Where the kernel has none, each light barrier
// is a fence of its own.

#include "corinth_internal.h"

#include <time.h>
#if defined(__linux__)
#include <linux/membarrier.h>
#include <sys/syscall.h>
#include <unistd.h>
#endif

bool corinth_barrier_is_asymmetric;

#if defined(__linux__)
static long membarrier(int command) { return syscall(SYS_membarrier, command, 0, 0); }

void corinth_barrier_initialize(void) {
  const long needed =
      MEMBARRIER_CMD_PRIVATE_EXPEDITED | MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED;
  long commands = membarrier(MEMBARRIER_CMD_QUERY);
  corinth_barrier_is_asymmetric = commands > 0 && (commands & needed) == needed;
}

// The command is registered here and not at the start: few processes ever need it, and the registration waits
// for all processors.
static bool all_threads_passed_a_barrier(void) {
  if (membarrier(MEMBARRIER_CMD_PRIVATE_EXPEDITED) == 0) return true;
  return membarrier(MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED) == 0
      && membarrier(MEMBARRIER_CMD_PRIVATE_EXPEDITED) == 0;
}
#else
void corinth_barrier_initialize(void) {}

static bool all_threads_passed_a_barrier(void) { return false; }
#endif

void corinth_barrier_heavy(void) {
  __atomic_thread_fence(__ATOMIC_SEQ_CST);
  if (!corinth_barrier_is_asymmetric || all_threads_passed_a_barrier()) return;
  // The kernel has promised it and refuses now: a filter of system calls has been installed meanwhile. A processor
  // keeps a store to itself for much less than a microsecond.
  const struct timespec pause = {.tv_nsec = 10 * 1000 * 1000};
  nanosleep(&pause, NULL);
}
