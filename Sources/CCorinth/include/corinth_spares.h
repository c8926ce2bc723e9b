// SPDX-License-Identifier: MIT
//
// Thread-local free lists of objects for reuse. Included by CCorinth.h only, in its place.

#pragma once

// Whether threads keep spares. ThreadSanitizer does not see that the end of other references
// precedes the preparation of an object for the next use.
static inline bool corinth_thread_keeps_spares(void) {
#ifdef CORINTH_TSAN
  return false;
#else
  return true;
#endif
}

// Keeps an object, with a reference, in the free list of the calling thread (of the record
// `thread`), for reuse. False if the list is full. The list is released when the thread exits.
static inline bool corinth_thread_keep_spare(
    corinth_thread *thread, corinth_spare_kind kind, void *object) {
  uint32_t *count = &thread->spare_counts[kind];
  if (*count == sizeof thread->spares[kind] / sizeof thread->spares[kind][0]) return false;
  thread->spares[kind][(*count)++] = object;
  return true;
}

// Takes a spare object with its reference out of the free list; NULL if the list is empty.
static inline void *corinth_thread_take_spare(corinth_thread *thread, corinth_spare_kind kind) {
  uint32_t *count = &thread->spare_counts[kind];
  return *count == 0 ? NULL : thread->spares[kind][--*count];
}
