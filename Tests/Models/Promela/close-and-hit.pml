// SPDX-License-Identifier: MIT
//
// Resolves that take an instance out of a cell, while two closers seal the cell and let go of what it holds: the instance,
// and the registration that owns it, which the closers follow too.
//
//   enter, leave       corinth_section_begin and corinth_section_leave (corinth_section.h)
//   know, admit        corinth_cells_know (corinth_cells.h), corinth_cells_admit (cells.c), before a lone closing
//   Reader             contentOfCell (InstanceKeeper.swift), instance(of:leaving:) (CellContent.swift)
//   walk               forEachOwnedCell and sealCells (InstanceKeeper.swift)
//   take_out, look     corinth_cells_empty and has_other_users (cells.c)
//   retire             corinth_retire_node (reclamation.c): once the sections that are open now are over (sections.pml)
//
// Properties
//  1. An object that a thread follows or retains has a reference: it is not released while a reader may retain it.
//  2. The cell's references to the instance and to the registration are given up exactly once.
//
// Memory model: locked operations are one step that all threads see at once. That holds for compare-and-exchange, and for the
// exchanges of the closer (on x86 full barriers; elsewhere a fence follows them). The beginning and the end of a section are
// plain stores: they stay in a buffer of one entry, for any time. So nobody can tell whether another thread is inside of one:
// LOOK_AT_SECTIONS.
// Loads take place in the order of the program. So they do on x86. On aarch64, the acquire in corinth_cells_know keeps the load
// of the word that follows from taking place before: KNOW_AFTER_LOAD.
//
// Not modeled: the epoch, which is taken to keep what is retired until the sections are over that were open then; nested
// sections; more than one cell; constructions in it (cell.pml, claim-and-end.pml); a thread's record that another thread
// gets, which is a user then.
//
// Mutations: RELEASE_WITHOUT_LOOK LOOK_BEFORE_EXCHANGE ADMIT_AFTER_LOAD KNOW_AFTER_LOAD LOOK_AT_SECTIONS
// Mutations: FORGET_USER EMPTY_BY_STORE WALK_OUTSIDE_OF_SECTION

#include "words.h"

#define READERS 2
#define CLOSERS 2
#define THREADS (READERS + CLOSERS)

#define EMPTY 0
#define BUILT 1
#define SEALED_BUILT 2
#define SEALED 3
#define OWNED 1
#define CLOSED 2

byte word = BUILT;
byte owner = OWNED;

// The thread that has made the scope, and whether there are further users.
byte first_user;
bool is_shared;

// Whether a thread is inside of a section, as other threads see it, and the store that they do not see yet.
bool is_inside[THREADS];
#define NOTHING 2
byte buffered[THREADS];

// What the cell holds, and how often it has given that up.
#define INSTANCE 0
#define REGISTRATION 1
byte references[2] = 1;
byte given_up[2];

// Objects that are retired, and the sections that were open then.
bool is_retired[2];
byte sections[2];
byte open_sections;

inline follow(an_object) { assert(references[an_object] > 0) }

inline drain(thread) {
  d_step {
    if
    :: buffered[thread] != NOTHING -> is_inside[thread] = buffered[thread]; buffered[thread] = NOTHING
    :: else
    fi
  }
}

// MARK: - Sections and users

inline enter() {
  d_step {
    drain(me);
    buffered[me] = true;
    open_sections = open_sections | (1 << me)
  }
}

inline leave() {
  d_step {
    drain(me);
    buffered[me] = false;
    open_sections = open_sections & ~(1 << me);
    sections[INSTANCE] = sections[INSTANCE] & ~(1 << me);
    sections[REGISTRATION] = sections[REGISTRATION] & ~(1 << me)
  }
}

inline know() { is_known = first_user == me || is_shared }

inline admit() {
  know();
  if
  :: !is_known ->
#ifdef FORGET_USER
    skip
#else
    atomic { drain(me); is_shared = true }
#endif
  :: else
  fi
}

// MARK: - Readers

proctype Reader(byte me; byte resolves) {
  byte found;
  bool is_known;
  do
  :: resolves > 0 ->
    enter();
#ifdef ADMIT_AFTER_LOAD
    found = word;
    admit();
#else
#ifdef KNOW_AFTER_LOAD
    found = word;
    know();
    if
    :: is_known
    :: else -> admit(); found = word
    fi;
#else
    admit();
    found = word;
#endif
#endif
    if
    :: found == BUILT ->
      atomic { follow(INSTANCE); references[INSTANCE]++ };
      leave();
      references[INSTANCE]--
    :: else -> leave()
    fi;
    d_step { resolves--; found = 0; is_known = false }
  :: else -> break
  od
}

// MARK: - Closers

inline walk() {
#ifndef WALK_OUTSIDE_OF_SECTION
  enter();
  admit();
#endif
  if
  :: owner == OWNED ->
    // The closer asks the registration for its disposers.
    follow(REGISTRATION);
    do
    :: word == BUILT -> compare_exchange(word, BUILT, SEALED_BUILT, is_done); if :: is_done -> break :: else fi
    :: word != BUILT -> break
    od;
    follow(REGISTRATION)
  :: owner != OWNED
  fi;
  leave()
}

inline look() {
#ifdef LOOK_AT_SECTIONS
  // Of all threads but this one.
  is_watched = false;
  found = 0;
  do
  :: found < THREADS && !is_watched ->
    if :: found != me && is_inside[found] -> is_watched = true :: else fi;
    found++
  :: else -> break
  od
#else
  is_watched = is_shared || first_user != me
#endif
}

inline give_up(an_object) {
  atomic {
    given_up[an_object]++;
    assert(given_up[an_object] == 1);
    if
    :: is_watched ->
      sections[an_object] = open_sections;
      is_retired[an_object] = true
    :: else -> references[an_object]--
    fi
  }
}

inline take_out() {
  if
  :: owner == OWNED ->
#ifdef LOOK_BEFORE_EXCHANGE
    look();
#endif
#ifdef EMPTY_BY_STORE
    former = word;
    word = SEALED;
#else
    d_step { drain(me); exchange(word, SEALED, former) };
#endif
    d_step { drain(me); former_owner = owner; owner = CLOSED };
#ifndef LOOK_BEFORE_EXCHANGE
#ifdef RELEASE_WITHOUT_LOOK
    is_watched = false;
#else
    look();
#endif
#endif
    if :: former == BUILT || former == SEALED_BUILT -> give_up(INSTANCE) :: else fi;
    if :: former_owner == OWNED -> give_up(REGISTRATION) :: else fi
  :: owner != OWNED
  fi
}

proctype Closer(byte me) {
  byte found, former, former_owner;
  bool is_known, is_watched, is_done;
  walk();
  d_step { is_known = false; is_done = false };
  take_out()
}

// MARK: - The machine

active proctype Buffers() {
  byte i;
end:
  do
  :: atomic { buffered[0] != NOTHING -> drain(0) }
  :: atomic { buffered[1] != NOTHING -> drain(1) }
  :: atomic { buffered[2] != NOTHING -> drain(2) }
  :: atomic { buffered[3] != NOTHING -> drain(3) }
  od
}

active proctype Epoch() {
end:
  do
  :: atomic { is_retired[INSTANCE] && sections[INSTANCE] == 0 -> is_retired[INSTANCE] = false; references[INSTANCE]-- }
  :: atomic {
      is_retired[REGISTRATION] && sections[REGISTRATION] == 0 -> is_retired[REGISTRATION] = false; references[REGISTRATION]--
    }
  od
}

init {
  byte i;
  atomic {
    // A reader or a closer.
    if :: first_user = 0 :: first_user = READERS fi;
    i = 0;
    do
    :: i < THREADS ->
      buffered[i] = NOTHING;
      if :: i < READERS -> run Reader(i, 2 - i) :: else -> run Closer(i) fi;
      i++
    :: else -> break
    od
  }
  (_nr_pr == 3 && !is_retired[INSTANCE] && !is_retired[REGISTRATION]);
  assert(given_up[INSTANCE] == 1 && given_up[REGISTRATION] == 1);
  assert(references[INSTANCE] == 0 && references[REGISTRATION] == 0)
}
