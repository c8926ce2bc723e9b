// SPDX-License-Identifier: MIT

#include "corinth_internal.h"

#include <stdio.h>
#include <stdlib.h>

static void *allocate_with_malloc(size_t alignment, size_t size) {
  if (alignment <= _Alignof(max_align_t)) return malloc(size);
  void *memory = NULL;
  return posix_memalign(&memory, alignment, size) == 0 ? memory : NULL;
}

static void *(*allocator)(size_t alignment, size_t size) = allocate_with_malloc;

void corinth_memory_set_allocator(void *(*allocate)(size_t alignment, size_t size)) {
  allocator = allocate != NULL ? allocate : allocate_with_malloc;
}

void corinth_standard_error_write(const char *line) { fprintf(stderr, "corinth: %s\n", line); }

const char *corinth_environment_value(const char *name) { return getenv(name); }

_Noreturn void corinth_trap(const char *message) {
  corinth_standard_error_write(message);
  abort();
}

void *corinth_allocate(size_t alignment, size_t size, const char *what) {
  void *memory = allocator(alignment, size);
  if (memory == NULL) {
    char message[128];
    snprintf(message, sizeof message, "out of memory: no %zu bytes for %s", size, what);
    corinth_trap(message);
  }
  return memory;
}

// The forking thread holds all mutexes and unlocks all in both processes: both counts are right.
static _Thread_local unsigned int locks_held;

unsigned int corinth_locks_held(void) { return locks_held; }

void corinth_mutex_lock(pthread_mutex_t *mutex) {
  if (pthread_mutex_lock(mutex) != 0) corinth_trap("a mutex could not be locked");
  locks_held += 1;
}

void corinth_mutex_unlock(pthread_mutex_t *mutex) {
  locks_held -= 1;
  if (pthread_mutex_unlock(mutex) != 0) corinth_trap("a mutex could not be unlocked");
}
