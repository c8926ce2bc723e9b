// SPDX-License-Identifier: MIT
//
// A barrier for all threads of the process at once, by membarrier(2): a running thread passes a
// full barrier during the call, a suspended thread has passed a barrier when suspended. On a kernel
// without membarrier(2), every light barrier is a fence of its own.

#include "corinth_internal.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>
#if defined(__linux__)
#include <linux/membarrier.h>
#include <sys/syscall.h>
#include <unistd.h>
#endif

bool corinth_barrier_is_asymmetric;

#if defined(__linux__)
static bool membarrier(int command) { return syscall(SYS_membarrier, command, 0, 0) == 0; }

// The child of a fork may have to register again.
static bool all_threads_passed_a_barrier(void) {
  return membarrier(MEMBARRIER_CMD_PRIVATE_EXPEDITED)
      || (membarrier(MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED)
          && membarrier(MEMBARRIER_CMD_PRIVATE_EXPEDITED));
}
#else
static bool all_threads_passed_a_barrier(void) { return false; }
#endif

static bool (*pass)(void) = all_threads_passed_a_barrier;

void corinth_barrier_set_pass(bool (*replacement)(void)) {
  pass = replacement != NULL ? replacement : all_threads_passed_a_barrier;
}

static void initialize(void) {
  const char *value = getenv("CORINTH_MEMBARRIER");
  // A fenced section checks which image a registry belongs to: image.c.
  bool is_enabled = (value == NULL || strcmp(value, "off") != 0) && corinth_image_number == 0;
  corinth_barrier_is_asymmetric = is_enabled && all_threads_passed_a_barrier();
}

void corinth_barrier_initialize(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, initialize);
}

// Runs when the program is loaded and has one thread: beside further threads the registration waits
// for all processors. Runs after the constructor that numbers the image.
__attribute__((constructor)) static void register_early(void) { corinth_barrier_initialize(); }

bool corinth_barrier_for_all(void) {
  __atomic_thread_fence(__ATOMIC_SEQ_CST);
  return !corinth_barrier_is_asymmetric || pass();
}

void corinth_barrier_heavy(void) {
  if (corinth_barrier_for_all()) return;
  // The kernel has promised membarrier(2) and refuses now: a filter of system calls was installed
  // meanwhile. A processor keeps a store to itself for much less than a microsecond.
  struct timespec left = {.tv_nsec = 10 * 1000 * 1000};
  while (nanosleep(&left, &left) != 0) {}
}
