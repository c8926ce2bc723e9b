// SPDX-License-Identifier: MIT

// pthread_getattr_np
#define _GNU_SOURCE

#include "corinth_internal.h"

// The reserve is for the stack that a resolve takes beyond the last check: the work of the factory that is entered, up to 64 levels of
// transients that are not checked, an error and what factories do with it. 256 KiB have room for all of that in a
// debug build. A small stack must be of use for something else too: of 512 KiB, 64 are kept.
enum : size_t { STACK_RESERVE_FRACTION = 8, STACK_RESERVE_MAX = 256 * 1024 };

static bool read_stack(uintptr_t *low, size_t *size) {
#if defined(__APPLE__)
  pthread_t self = pthread_self();
  *size = pthread_get_stacksize_np(self);
  // The address is that of the stack's other end.
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
  // Each address is within this of 0: the first check measures.
  thread->stack_reserve = UINTPTR_MAX;
}

void corinth_stack_measure(corinth_thread *thread) {
  uintptr_t low = 0;
  size_t size = 0;
  if (!read_stack(&low, &size)) {
    // Unknown: no address is within 0 of another.
    thread->stack_reserve = 0;
    return;
  }
  size_t reserve = size / STACK_RESERVE_FRACTION;
  thread->stack_low = low;
  thread->stack_reserve = reserve < STACK_RESERVE_MAX ? reserve : STACK_RESERVE_MAX;
}
