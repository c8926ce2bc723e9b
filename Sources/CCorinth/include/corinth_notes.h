// SPDX-License-Identifier: MIT
//
// Notes of what constructions resolve. Included by CCorinth.h only, in its place.
//
// A thread has one stack of notes: nested constructions note above each other. The list of a
// construction is made when the construction ends, of the right size, and not at all without notes.

#pragma once

// The notes of one ended construction. Constant, but for the owners.
typedef struct corinth_notes {
  uint32_t owners;      // accessed atomically
  uint32_t count;
  uintptr_t entries[];  // slots, each at least once, with flags; or CORINTH_NOTE_UNKNOWN
} corinth_notes;

enum : uintptr_t {
  CORINTH_NOTE_LATER = 1,    // a flag: the slot's instance is resolved later, or never
  CORINTH_NOTE_UNKNOWN = 2,  // an entry: something was resolved that is not followed
};

// Makes room for another note of the calling thread.
void corinth_notes_make_room(corinth_thread *thread);

// Takes the notes of the innermost construction of the calling thread off the stack, for one owner.
corinth_notes *corinth_notes_take(corinth_thread *thread);

// Adds a second owner, which shares the result. The caller is the only owner; NULL is no notes.
__attribute__((returns_nonnull)) corinth_notes *corinth_notes_share(corinth_notes *notes);

// Any owner, once. The last one frees the notes.
void corinth_notes_release(corinth_notes *notes);

static inline bool corinth_notes_are_shared(const corinth_notes *notes) {
  // Pairs with the release: nothing more is resolved by an owner that is gone.
  return __atomic_load_n(&notes->owners, __ATOMIC_ACQUIRE) > 1;
}

static inline uintptr_t corinth_notes_entry(const corinth_notes *notes, uint32_t index) {
  return notes->entries[index];
}

// Has the calling thread note all resolves for a construction in a registry until the matching end.
// Returns what it noted for.
static inline corinth_noting corinth_noting_begin(
    corinth_thread *thread, const corinth_registry *registry) {
  corinth_noting outer = thread->noting;
  thread->noting = (corinth_noting){registry, thread->note_count};
  corinth_thread_resolving = NULL;
  return outer;
}

// Has the calling thread note for the construction around again, or nothing.
static inline void corinth_noting_restore(corinth_thread *thread, corinth_noting outer) {
  thread->noting = outer;
  corinth_thread_resolving = outer.registry != NULL ? NULL : corinth_thread_attached;
}

// Ends the notes of a construction. NULL if the construction has resolved nothing.
static inline corinth_notes *corinth_noting_end(corinth_thread *thread, corinth_noting outer) {
  bool is_empty = CORINTH_LIKELY(thread->note_count == thread->noting.begin);
  corinth_notes *notes = is_empty ? NULL : corinth_notes_take(thread);
  corinth_noting_restore(thread, outer);
  return notes;
}

// Has the calling thread note nothing until the matching corinth_noting_restore.
static inline corinth_noting corinth_noting_pause(corinth_thread *thread) {
  corinth_noting outer = thread->noting;
  corinth_noting_restore(thread, (corinth_noting){NULL, thread->note_count});
  return outer;
}

// Whether the thread notes what a construction resolves.
static inline bool corinth_thread_is_noting(const corinth_thread *thread) {
  return thread->noting.registry != NULL;
}

// Notes an entry, if the calling thread notes.
static inline void corinth_note(corinth_thread *thread, uintptr_t entry) {
  if (!corinth_thread_is_noting(thread)) return;
  if (!CORINTH_LIKELY(thread->note_count < thread->note_capacity)) corinth_notes_make_room(thread);
  thread->notes[thread->note_count++] = entry;
}

// Notes the slot of a resolve in a registry. Other registries than the construction's are not
// followed.
static inline void corinth_note_slot(
    corinth_thread *thread, const corinth_registry *registry, const corinth_slot *slot,
    uintptr_t flag) {
  bool is_own = CORINTH_LIKELY(registry == thread->noting.registry);
  corinth_note(thread, is_own ? (uintptr_t)slot | flag : CORINTH_NOTE_UNKNOWN);
}
