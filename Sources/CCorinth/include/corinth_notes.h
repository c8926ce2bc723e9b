// SPDX-License-Identifier: MIT
//
// The notes of constructions: the slots that each resolves from. Included by CCorinth.h only, in its place.

#pragma once

// The notes of one construction, inside of those of others on the thread. Only its own thread calls the functions.
typedef struct corinth_notes {
  struct corinth_notes *outer;        // those around it, or the next spare one
  const corinth_registry *registry;   // that of the container whose resolver the factory has
  uintptr_t *entries;                 // an open hash table: a slot, with CORINTH_NOTE_LATER; or 0
  uint32_t capacity;                  // a power of 2, or 0
  uint32_t count;
  bool is_unknown;                    // it may depend on anything
} corinth_notes;

// A bit of an entry: what the slot serves is resolved later, or never.
enum : uintptr_t { CORINTH_NOTE_LATER = 1 };

// Has the calling thread note each slot that it resolves from, each once, until the matching end.
void corinth_notes_begin(const corinth_registry *registry);

// Ends the innermost notes of the calling thread. Valid until the thread begins others.
const corinth_notes *corinth_notes_end(void);

// Has the calling thread note nothing until the matching resumption. Returns what that takes.
corinth_notes *corinth_notes_pause(void);
void corinth_notes_resume(corinth_notes *paused);

// The innermost notes of the calling thread; NULL for none.
corinth_notes *corinth_notes_current(void);

// Notes a slot that a resolve in a registry is served from. Another registry than that of the notes serves what is not
// followed: all is unknown then.
void corinth_note(
    corinth_notes *notes, const corinth_registry *registry, const corinth_slot *slot, uintptr_t flag);
