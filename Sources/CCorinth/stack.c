// SPDX-License-Identifier: MIT

// pthread_getattr_np
#define _GNU_SOURCE

#include "corinth_internal.h"

// The reserve is for the stack used beyond the last check: the work of the entered factory, up to
// 64 levels of unchecked transients, an error and its handling by factories. 256 KiB suffice for
// all of these in a debug build. A small stack must be of use as well: of 512 KiB, 64 are kept.
enum : size_t { STACK_RESERVE_FRACTION = 8, STACK_RESERVE_MAX = 256 * 1024 };

static bool read_stack(uintptr_t *low, size_t *size) {
#if defined(__APPLE__)
  pthread_t self = pthread_self();
  *size = pthread_get_stacksize_np(self);
  // stackaddr is the address of the stack's other end.
  *low = (uintptr_t)pthread_get_stackaddr_np(self) - *size;
  return true;
#elif defined(__linux__)
  pthread_attr_t attributes;
  if (pthread_getattr_np(pthread_self(), &attributes) != 0) return false;
  void *address = NULL;
  bool is_known = pthread_attr_getstack(&attributes, &address, size) == 0;
  pthread_attr_destroy(&attributes);
  *low = (uintptr_t)address;
  return is_known;
#else
  (void)low;
  (void)size;
  return false;
#endif
}

void corinth_stack_forget(corinth_thread *thread) {
  thread->stack_low = 0;
  // Every address is within this distance of 0: the first check measures.
  thread->stack_reserve = UINTPTR_MAX;
}

void corinth_stack_measure(corinth_thread *thread) {
  uintptr_t low = 0;
  size_t size = 0;
  if (!read_stack(&low, &size)) {
    // Unknown: no distance is below 0, so the stack never counts as low.
    thread->stack_reserve = 0;
    return;
  }
  size_t reserve = size / STACK_RESERVE_FRACTION;
  thread->stack_low = low;
  thread->stack_reserve = reserve < STACK_RESERVE_MAX ? reserve : STACK_RESERVE_MAX;
}
