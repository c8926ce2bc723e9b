// SPDX-License-Identifier: MIT

#include "CTestSupport.h"

#include <CCorinth.h>
#include <stdlib.h>

#if defined(__GLIBC__)
#include <malloc.h>
#include <stdio.h>
#include <string.h>
#elif defined(__APPLE__)
#include <malloc/malloc.h>
#endif

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

#if defined(__GLIBC__)
// The number in `text` after the last `name`, within the attribute `size`.
static size_t last_size(const char *text, const char *name) {
  const char *last = NULL;
  for (const char *each = text; (each = strstr(each, name)) != NULL; each += strlen(name)) last = each;
  const char *size = last == NULL ? NULL : strstr(last, "size=\"");
  return size == NULL ? 0 : strtoull(size + strlen("size=\""), NULL, 10);
}

// mallinfo2 knows the first arena only. The sums of all arenas come last.
size_t corinth_test_memory_in_use(void) {
  char *text = NULL;
  size_t length = 0;
  FILE *stream = open_memstream(&text, &length);
  if (stream == NULL) return 0;
  bool is_known = malloc_info(0, stream) == 0;
  if (fclose(stream) != 0 || !is_known) return 0;
  size_t in_use = last_size(text, "<system type=\"current\"") + last_size(text, "<total type=\"mmap\"")
      - last_size(text, "<total type=\"fast\"") - last_size(text, "<total type=\"rest\"");
  free(text);
  return in_use;
}
#elif defined(__APPLE__)
size_t corinth_test_memory_in_use(void) {
  malloc_statistics_t statistics;
  malloc_zone_statistics(NULL, &statistics);
  return statistics.size_in_use;
}
#else
size_t corinth_test_memory_in_use(void) { return 0; }
#endif
