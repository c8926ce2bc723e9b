// SPDX-License-Identifier: MIT
//
// Notes of the slots that the construction of a singleton resolves from, for disposers that run
// side by side. A section of a resolve that begins slowly notes its slot (epoch.c).

#include "corinth_internal.h"

#include <stdlib.h>
#include <string.h>

enum : uint32_t { FIRST_CAPACITY = 64 };

static const char *const purpose = "what a construction resolves";

static int compare(const void *first, const void *second) {
  uintptr_t a = *(const uintptr_t *)first, b = *(const uintptr_t *)second;
  return (a > b) - (a < b);
}

// Drops duplicates of the innermost construction, whose factory may resolve in a loop.
static void drop_duplicates(corinth_thread *thread) {
  uintptr_t *notes = thread->notes + thread->noting.begin;
  uint32_t count = thread->note_count - thread->noting.begin, kept = 0;
  qsort(notes, count, sizeof *notes, compare);
  for (uint32_t i = 0; i < count; i++) {
    if (kept == 0 || notes[kept - 1] != notes[i]) notes[kept++] = notes[i];
  }
  thread->note_count = thread->noting.begin + kept;
}

void corinth_notes_make_room(corinth_thread *thread) {
  uint32_t capacity = FIRST_CAPACITY;
  if (thread->notes != NULL) {
    drop_duplicates(thread);
    // Half of the room, or else the next call would come too soon.
    if (thread->note_count <= thread->note_capacity / 2) return;
    capacity = thread->note_capacity * 2;
  }
  uintptr_t *notes = corinth_allocate(_Alignof(uintptr_t), capacity * sizeof *notes, purpose);
  if (thread->notes != NULL) memcpy(notes, thread->notes, thread->note_count * sizeof *notes);
  free(thread->notes);
  thread->notes = notes;
  thread->note_capacity = capacity;
}

static corinth_notes *notes_make(const uintptr_t *entries, uint32_t count, uint32_t owners) {
  size_t size = sizeof(corinth_notes) + count * sizeof(uintptr_t);
  corinth_notes *notes = corinth_allocate(_Alignof(corinth_notes), size, purpose);
  notes->owners = owners;
  notes->count = count;
  for (uint32_t i = 0; i < count; i++) notes->entries[i] = entries[i];
  return notes;
}

corinth_notes *corinth_notes_take(corinth_thread *thread) {
  uint32_t begin = thread->noting.begin;
  corinth_notes *notes = notes_make(thread->notes + begin, thread->note_count - begin, 1);
  thread->note_count = begin;
  return notes;
}

corinth_notes *corinth_notes_share(corinth_notes *notes) {
  if (notes == NULL) return notes_make(NULL, 0, 2);
  __atomic_store_n(&notes->owners, 2, __ATOMIC_RELAXED);
  return notes;
}

void corinth_notes_release(corinth_notes *notes) {
  // The release pairs with corinth_notes_are_shared: an only owner sees that all others are gone.
  bool is_last = !corinth_notes_are_shared(notes)
      || __atomic_fetch_sub(&notes->owners, 1, __ATOMIC_ACQ_REL) == 1;
  if (is_last) free(notes);
}
