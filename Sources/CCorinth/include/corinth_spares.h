// SPDX-License-Identifier: MIT
//
// Objects that threads keep to use them again. Included by CCorinth.h only, in its place.

#pragma once

// Whether threads keep any. ThreadSanitizer does not see that the end of other references comes before what prepares an
// object for its next use.
static inline bool corinth_thread_keeps_spares(void) {
#ifdef CORINTH_TSAN
  return false;
#else
  return true;
#endif
}

// Keeps an object for the calling thread, whose record this is, to use it again; it takes over a reference. False if the
// thread has enough of them. Released when the thread exits.
static inline bool corinth_thread_keep_spare(
    corinth_thread *thread, corinth_spare_kind kind, void *object) {
  uint32_t *count = &thread->spare_counts[kind];
  if (*count == sizeof thread->spares[kind] / sizeof thread->spares[kind][0]) return false;
  thread->spares[kind][(*count)++] = object;
  return true;
}

// One of these, with its reference; NULL if there is none.
static inline void *corinth_thread_take_spare(corinth_thread *thread, corinth_spare_kind kind) {
  uint32_t *count = &thread->spare_counts[kind];
  return *count == 0 ? NULL : thread->spares[kind][--*count];
}
