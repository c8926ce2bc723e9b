// SPDX-License-Identifier: MIT
//
// Questions to the system. None of the answers is kept: the child of a fork may ask while nothing may be initialised.

#if defined(__linux__)
#define _GNU_SOURCE
#include <sched.h>
#include <sys/syscall.h>
#endif

#include "corinth_internal.h"

#include <unistd.h>

size_t corinth_processor_count(void) {
#if defined(__linux__)
  cpu_set_t usable;
  if (sched_getaffinity(0, sizeof usable, &usable) == 0) return (size_t)CPU_COUNT(&usable);
#endif
  long online = sysconf(_SC_NPROCESSORS_ONLN);
  return online > 0 ? (size_t)online : 1;
}

bool corinth_is_main_thread(void) {
#if defined(__linux__)
  return syscall(SYS_gettid) == getpid();
#else
  return pthread_main_np() != 0;
#endif
}
