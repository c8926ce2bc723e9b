// SPDX-License-Identifier: MIT

#include "CTestSupport.h"

#include <CCorinth.h>
#include <stdlib.h>

static size_t allocations_left;

static void *allocate_or_fail(size_t alignment, size_t size) {
  if (allocations_left == 0) return NULL;
  allocations_left--;
  void *memory = NULL;
  return posix_memalign(&memory, alignment, size) == 0 ? memory : NULL;
}

void corinth_test_memory_fail_after(size_t allocations) {
  allocations_left = allocations;
  corinth_memory_set_allocator(allocate_or_fail);
}
