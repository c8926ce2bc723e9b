// SPDX-License-Identifier: MIT
//
// The cell of a request scope: resolves that build in it, find what it holds, or wait for what is being built there.
//
// Each thread runs two resolves of one scoped instance. A resolve that needs a box puts one in the place of an instance
// without a box. Factories succeed, fail, or ask for the instance that they are building.
//
//   resolve            resolveInScope (SlowResolution.swift), claimCell (RegistrationRecord+CallSites.swift)
//   end_quickly        build and publish, in a cell (RegistrationRecord+Builder.swift)
//   take_ordinary_steps  findOrClaim and claim (RegistrationRecord+Construction.swift), wait (WaitForGraph.swift)
//   join               join (AtomicPlace.swift)
//   put_box            load (CellContent.swift)
//   end_in_place       conclude (RegistrationRecord+Builder.swift), exchange (AtomicPlace.swift), end (WaitForGraph.swift)
//
// Properties
//  1. One factory at a time runs for the instance, and none after one that has succeeded.
//  2. All boxes that resolves get are one, and an instance that a resolve has got stays.
//  3. A construction is used again by its thread only when no joiner looks at it, and a joiner finds it begun.
//  4. An instance within a thread's reach has a reference.
//  5. No resolve waits for ever: all threads end, which the search for invalid end states checks.
//
// Memory model: the word and the flags of waits are sequentially consistent here. In the code the word is; all other variables
// are touched by the owner of a construction, or with the mutex held, which `end` takes.
//
// Not modeled: more than one cell, cycles of more than one construction, early references (`isLinked`), fork, the end of
// the scope (claim-and-end.pml), and how what a cell holds is let go (close-and-hit.pml).
//
// Mutations: CLAIM_BY_STORE LOOK_BEFORE_MARK END_BY_STORE WAKE_NOBODY REUSE_ALWAYS
// Mutations: BOX_BY_STORE BOX_WITHOUT_REFERENCE

#include "words.h"

#define THREADS 3
#define RESOLVES 2
#define FAILURES 1

// The word. Constructions are numbers: each thread keeps one.
#define EMPTY 0
#define BUILT 1           // with a box
#define BUILT_DIRECT 2    // the instance itself
#define BUILDING(c) (8 + (c))
#define CONTENDED(c) (16 + (c))
#define IS_BUILDING(w) ((w) >= 8)
#define IS_CONTENDED(w) ((w) >= 16)
#define CONSTRUCTION(w) ((w) & 7)
#define KEPT(thread) (thread)

byte cell = EMPTY;
byte box;                       // the box that the cell holds; 0 for none
byte boxes;                     // how many have been made
byte references;                // to the instance: of the cell, and of boxes
bool waits_mutex;

bool begun[THREADS];        // a construction is in use

#define ASLEEP 1
#define RETRY 2
#define SERVED 3
byte waiting_for[THREADS];      // with the mutex held
byte outcome[THREADS];

// What the properties are about.
bool is_joined[THREADS];    // a joiner looks at the construction
byte running;                   // factories
byte successes;
byte failures;
byte given_box;                 // the box that a resolve has got

inline give() { assert(successes == 1 && references > 0) }

inline give_box(a_box) {
  assert(successes == 1 && (a_box) != 0 && (given_box == 0 || given_box == (a_box)));
  given_box = (a_box)
}

// MARK: - Waiting

// With the mutex held. `is_done` says whether there is a construction, whose owner will find the mark.
inline join() {
  do
  :: word = cell;
    if
    :: !IS_BUILDING(word) -> is_done = false; break
    :: IS_CONTENDED(word) -> is_joined[CONSTRUCTION(word)] = true; is_done = true; break
    :: else ->
#ifdef LOOK_BEFORE_MARK
      is_joined[CONSTRUCTION(word)] = true;
      assert(begun[CONSTRUCTION(word)]);
      compare_exchange(cell, word, CONTENDED(CONSTRUCTION(word)), is_done);
      if :: is_done -> break :: else -> is_joined[CONSTRUCTION(word)] = false fi
#else
      // The ghost variable changes with the word.
      atomic {
        compare_exchange(cell, word, CONTENDED(CONSTRUCTION(word)), is_done);
        if :: is_done -> is_joined[CONSTRUCTION(word)] = true :: else fi
      }
      if :: is_done -> break :: else fi
#endif
    fi
  od
}

inline wake(a_construction, a_result) {
  lock(waits_mutex);
  other = 0;
  do
  :: other < THREADS ->
    if
    :: outcome[other] == ASLEEP && waiting_for[other] == (a_construction) -> outcome[other] = (a_result)
    :: else
    fi;
    other++
  :: else -> break
  od;
  unlock(waits_mutex)
}

// MARK: - Building

inline run_factory() {
  assert(running == 0 && successes == 0);
  running++;
  if
  :: may_ask ->
    // The factory asks for what it builds: the resolve finds its own construction under way, and fails. The factory goes on
    // all the same, or does not.
    may_ask = false;
    lock(waits_mutex);
    join();
    assert(is_done && CONSTRUCTION(word) == KEPT(me));
    is_joined[KEPT(me)] = false;
    unlock(waits_mutex)
  :: true
  fi;
  if
  :: atomic { true -> successes++; references++; is_built = true }
  :: atomic { failures < FAILURES -> failures++; is_built = false }
  fi;
  running--
}

inline reuse() {
  assert(begun[KEPT(me)] && !is_joined[KEPT(me)]);
  begun[KEPT(me)] = false
}

// The end of a construction that owns its place.
inline end_in_place() {
  if
  :: is_built -> atomic { boxes++; box = boxes }
  :: else
  fi;
  atomic { exchange(cell, (is_built -> BUILT : EMPTY), word) };
  assert(IS_BUILDING(word) && CONSTRUCTION(word) == KEPT(me));
  if :: is_built -> give_box(box) :: else fi;
#ifndef REUSE_ALWAYS
  if
  :: IS_CONTENDED(word) ->
#ifndef WAKE_NOBODY
    wake(KEPT(me), (is_built -> SERVED : RETRY))
#else
    lock(waits_mutex);
    unlock(waits_mutex)
#endif
  :: else
  fi;
#endif
  reuse()
}

inline end_quickly() {
#ifdef END_BY_STORE
  cell = (is_built -> BUILT_DIRECT : EMPTY);
  is_done = true;
#else
  compare_exchange(cell, BUILDING(KEPT(me)), (is_built -> BUILT_DIRECT : EMPTY), is_done);
#endif
  if
  :: is_done ->
    if :: is_built -> give() :: else fi;
    reuse()
  :: else -> end_in_place()
  fi
}

// MARK: - Resolves

inline claim() {
  assert(!begun[KEPT(me)]);
  begun[KEPT(me)] = true;
#ifdef CLAIM_BY_STORE
  cell = BUILDING(KEPT(me));
  is_done = true;
#else
  compare_exchange(cell, EMPTY, BUILDING(KEPT(me)), is_done);
#endif
  // Nobody has seen it.
  if :: is_done :: else -> begun[KEPT(me)] = false fi
}

inline put_box() {
#ifdef BOX_WITHOUT_REFERENCE
  made = boxes + 1;
  boxes++;
#else
  atomic { boxes++; made = boxes; references++ };
#endif
#ifdef BOX_BY_STORE
  cell = BUILT;
  box = made;
  is_done = true;
#else
  atomic {
    compare_exchange(cell, BUILT_DIRECT, BUILT, is_done);
    if :: is_done -> box = made :: else fi
  }
#endif
  // The cell's reference, or that of the box.
  references--;
  if :: is_done -> give_box(made) :: else fi
}

inline take_ordinary_steps() {
  do
  :: word = cell;
    if
    :: word == BUILT -> give_box(box); break
    :: word == BUILT_DIRECT ->
      put_box();
      if :: is_done -> break :: else fi
    :: IS_BUILDING(word) ->
      lock(waits_mutex);
      join();
      if
      :: is_done ->
        assert(begun[CONSTRUCTION(word)]);
        waiting_for[me] = CONSTRUCTION(word);
        outcome[me] = ASLEEP;
        is_joined[CONSTRUCTION(word)] = false;
        unlock(waits_mutex);
        outcome[me] != ASLEEP;
        if
        :: outcome[me] == SERVED -> outcome[me] = 0; give_box(box); break
        :: else -> outcome[me] = 0
        fi
      :: else -> unlock(waits_mutex)
      fi
    :: word == EMPTY ->
      claim();
      if
      :: is_done ->
        run_factory();
        end_in_place();
        break
      :: else
      fi
    fi
  od
}

inline resolve() {
  is_done = false;
  if
  :: needs_box
  :: else ->
    word = cell;
    if
    :: word == BUILT || word == BUILT_DIRECT -> give(); is_done = true
    :: word == EMPTY ->
      claim();
      if
      :: is_done ->
        run_factory();
        end_quickly();
        is_done = true
      :: else
      fi
    :: else
    fi
  fi;
  if
  :: is_done
  :: else -> take_ordinary_steps()
  fi
}

proctype Thread(byte me; bool needs_box; bool may_ask) {
  byte word, other, made, resolves;
  bool is_done, is_built;
  do
  :: resolves < RESOLVES ->
    resolve();
    atomic { resolves++; word = 0; other = 0; made = 0; is_done = false; is_built = false }
  :: else -> break
  od
}

init {
  atomic {
    run Thread(0, false, true);
    run Thread(1, false, false);
    run Thread(2, true, false)
  }
  (_nr_pr == 1);
  // An instance that has been built is found by all later resolves.
  assert(successes == 0 || cell == BUILT || cell == BUILT_DIRECT)
}
