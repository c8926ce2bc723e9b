// SPDX-License-Identifier: MIT
//
// Notes of the slots that the construction of a singleton resolves from, for disposers that run side by side.
//
// A section that begins slowly notes its slot (epoch.c). So all resolves of the thread are seen, by a resolver or a captured
// container, hits too; and threads that note nothing have no instruction for it.

#include "corinth_internal.h"

#include <stdlib.h>
#include <string.h>

enum : uint32_t {
  FIRST_CAPACITY = 8,
  // A larger table is not kept for the next notes, nor are more than these.
  KEPT_CAPACITY = 64,
  SPARES = 16,
};

static uintptr_t *entries_make(uint32_t capacity) {
  size_t size = capacity * sizeof(uintptr_t);
  uintptr_t *entries = corinth_allocate(_Alignof(uintptr_t), size, "what a construction resolves");
  memset(entries, 0, size);
  return entries;
}

static void notes_clear(corinth_notes *notes) {
  if (notes->count == 0) return;
  notes->count = 0;
  if (notes->capacity <= KEPT_CAPACITY) {
    memset(notes->entries, 0, notes->capacity * sizeof(uintptr_t));
    return;
  }
  free(notes->entries);
  notes->entries = NULL;
  notes->capacity = 0;
}

void corinth_notes_push(corinth_thread *thread, const corinth_registry *registry) {
  corinth_notes *notes = thread->spare_notes;
  if (notes != NULL) {
    thread->spare_notes = notes->outer;
    notes_clear(notes);
  } else {
    notes = corinth_allocate(_Alignof(corinth_notes), sizeof *notes, "what a construction resolves");
    memset(notes, 0, sizeof *notes);
  }
  notes->outer = thread->notes;
  notes->registry = registry;
  notes->is_unknown = false;
  thread->notes = notes;
}

static void notes_free(corinth_notes *notes) {
  free(notes->entries);
  free(notes);
}

// The ended notes are the first spare ones, which the caller reads.
const corinth_notes *corinth_notes_pop(corinth_thread *thread) {
  corinth_notes *ended = thread->notes;
  thread->notes = ended->outer;
  ended->outer = thread->spare_notes;
  thread->spare_notes = ended;
  corinth_notes *last = ended;
  for (uint32_t i = 1; last != NULL && i < SPARES; i++) last = last->outer;
  if (last != NULL && last->outer != NULL) {
    notes_free(last->outer);
    last->outer = NULL;
  }
  return ended;
}

// Whether the entry is new.
static bool entries_add(uintptr_t *entries, uint32_t capacity, uintptr_t entry) {
  uint64_t hash = (uint64_t)entry * 0x9E3779B97F4A7C15;
  uint32_t place = (uint32_t)(hash >> 32) & (capacity - 1);
  while (entries[place] != 0) {
    if (entries[place] == entry) return false;
    place = (place + 1) & (capacity - 1);
  }
  entries[place] = entry;
  return true;
}

static void notes_grow(corinth_notes *notes) {
  uint32_t capacity = notes->capacity == 0 ? FIRST_CAPACITY : notes->capacity * 2;
  uintptr_t *entries = entries_make(capacity);
  for (uint32_t i = 0; i < notes->capacity; i++) {
    if (notes->entries[i] != 0) entries_add(entries, capacity, notes->entries[i]);
  }
  free(notes->entries);
  notes->entries = entries;
  notes->capacity = capacity;
}

void corinth_note(
    corinth_notes *notes, const corinth_registry *registry, const corinth_slot *slot,
    uintptr_t flag) {
  if (registry != notes->registry) {
    notes->is_unknown = true;
    return;
  }
  if (notes->is_unknown) return;
  if (notes->count >= notes->capacity / 2) notes_grow(notes);
  if (entries_add(notes->entries, notes->capacity, (uintptr_t)slot | flag)) notes->count += 1;
}
