// SPDX-License-Identifier: MIT
//
// The cell of a request scope: resolves that build in it, find what it holds, or hand it over to the store and go on there.
//
// Each thread runs two resolves of one scoped instance. A resolve that needs a box hands an instance without one over.
// Factories succeed, fail, or ask for the instance that they are building.
//
//   resolve            resolveInScope (SlowResolution.swift), boxInCell and claimCell (RegistrationRecord+Cells.swift)
//   build_in_cell      build, giveBack, completeOrdinary and ordinary (RegistrationRecord+Cells.swift);
//                      begin, end and publish (Construction.swift)
//   hand_over          state(of:insteadOf:) (InstanceKeeper.swift)
//   join               join (InstanceKeeper.swift), takeOver (Construction.swift)
//   hand               hand(over:to:) (InstanceKeeper.swift)
//   resolve_in_store   findOrClaim and claim (RegistrationRecord+Construction.swift), wait and end (WaitForGraph.swift),
//                      build and conclude (Construction+Ending.swift), InstanceState.swift; firstInstance
//                      (ContainerCore+FirstInstance.swift) does the same
//
// Properties
//  1. One factory at a time runs for the instance, and none after one that has succeeded.
//  2. All boxes that resolves get are one, and an instance that a resolve has got stays.
//  3. A construction is used again by its thread, in the cell or in the state, only when no joiner looks at it, and a joiner
//     finds it begun.
//  4. A construction that ends as an ordinary one owns the state; one that takes it over finds it empty.
//  5. No resolve waits for ever: all threads end, which the search for invalid end states checks.
//
// Memory model: words of cells, states and the flags of waits are sequentially consistent here. In the code the first two
// are, but for the marking of a state as contended, which is acquire and release, under the mutex; all other variables are
// touched by the owner of a construction, or with the mutex held, which `ordinary` and `end` take.
//
// Not modeled: more than one cell, cycles of more than one construction, early references (`isLinked`), fork, the end of
// the scope (claim-and-end.pml), and how what a cell holds is let go (close-and-hit.pml).
//
// Mutations: CLAIM_BY_STORE LOOK_BEFORE_MARK END_WITHOUT_WAITING HANDED_OVER_BEFORE_CLAIM HANDED_OVER_BEFORE_STORED
// Mutations: WAKE_NOBODY REUSE_ALWAYS FOLLOW_BEFORE_MARK

#include "words.h"

#define THREADS 3
#define RESOLVES 2
#define FAILURES 1

// The word of the cell, and of the state in the store. Constructions are numbers: each thread keeps one, for both.
#define EMPTY 0
#define BUILT 1           // with a box
#define BUILT_DIRECT 2    // the instance itself; not of a state
#define HANDED_OVER 3     // not of a state
#define BUILDING(c) (8 + (c))
#define CONTENDED(c) (16 + (c))
#define IS_BUILDING(w) ((w) >= 8)
#define IS_CONTENDED(w) ((w) >= 16)
#define IS_BUILT(w) ((w) == BUILT || (w) == BUILT_DIRECT)
#define CONSTRUCTION(w) ((w) & 7)
#define KEPT(thread) (thread)

byte cell = EMPTY;
byte state = EMPTY;
byte box;                       // the box that the cell or the state holds; 0 for none
byte boxes;                     // how many have been made
bool waits_mutex;

bool begun[THREADS];        // a construction is in use
bool owns_state[THREADS];   // its property `state`

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

inline give() { assert(successes == 1) }

inline give_box(a_box) {
  assert(successes == 1 && (a_box) != 0 && (given_box == 0 || given_box == (a_box)));
  given_box = (a_box)
}

// MARK: - Taking over

inline join() {
  lock(waits_mutex);
  word = cell;
  if
  :: IS_BUILDING(word) ->
    assert(!IS_CONTENDED(word));
    other = CONSTRUCTION(word);
#ifdef LOOK_BEFORE_MARK
    is_joined[other] = true;
    assert(begun[other]);
    is_done = state == EMPTY;
    compare_exchange(cell, word, CONTENDED(other), is_done);
#else
    // The ghost variable changes with the word.
    atomic {
      compare_exchange(cell, word, CONTENDED(other), is_done);
      if :: is_done -> is_joined[other] = true :: else fi
    }
#endif
    if
    :: is_done ->
#ifdef HANDED_OVER_BEFORE_CLAIM
      cell = HANDED_OVER;
#endif
      assert(begun[other]);
      // takeOver
      compare_exchange(state, EMPTY, BUILDING(other), is_done);
      assert(is_done);
      owns_state[other] = true;
      is_joined[other] = false;
#ifndef HANDED_OVER_BEFORE_CLAIM
      compare_exchange(cell, CONTENDED(other), HANDED_OVER, is_done);
      assert(is_done)
#endif
    :: else -> is_joined[other] = false
    fi
  :: else
  fi;
  unlock(waits_mutex)
}

inline hand() {
  word = cell;
  if
  :: IS_BUILT(word) ->
#ifdef HANDED_OVER_BEFORE_STORED
    compare_exchange(cell, word, HANDED_OVER, is_done);
#endif
    if
    :: word == BUILT -> made = box
    :: else -> atomic { boxes++; made = boxes }
    fi;
    atomic {
      compare_exchange(state, EMPTY, BUILT, is_done);
      if :: is_done -> box = made :: else fi
    }
#ifndef HANDED_OVER_BEFORE_STORED
    compare_exchange(cell, word, HANDED_OVER, is_done)
#endif
  :: else
  fi
}

inline hand_over() {
  do
  :: word = cell;
    if
    :: word == HANDED_OVER -> break
    :: IS_BUILDING(word) -> join()
    :: word == EMPTY -> compare_exchange(cell, EMPTY, HANDED_OVER, is_done)
    :: IS_BUILT(word) -> hand()
    fi
  od
}

// MARK: - The store

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

// What an ordinary construction ends with: the state, and then those who wait.
inline end_in_state(construction, at_end, result) {
  assert(owns_state[construction]);
  owns_state[construction] = false;
  exchange(state, at_end, word);
  assert(IS_BUILDING(word) && CONSTRUCTION(word) == construction);
#ifndef WAKE_NOBODY
  if :: IS_CONTENDED(word) -> wake(construction, result) :: else fi;
#endif
  assert(!is_joined[construction]);
  begun[construction] = false
}

inline run_factory() {
  assert(running == 0 && successes == 0);
  running++;
  if
  :: may_ask ->
    // The factory asks for what it builds: the cell has been claimed, so the resolve takes it over, finds its own
    // construction under way, and fails. The factory goes on all the same, or does not.
    may_ask = false;
    hand_over();
    assert(IS_BUILDING(state))
  :: true
  fi;
  if
  :: atomic { true -> successes++; is_built = true }
  :: atomic { failures < FAILURES -> failures++; is_built = false }
  fi;
  running--
}

inline resolve_in_store() {
  do
  :: word = state;
    if
    :: word == BUILT -> give_box(box); break
    :: IS_BUILDING(word) ->
      lock(waits_mutex);
      do
      :: word = state;
        if
        :: IS_BUILDING(word) && !IS_CONTENDED(word) ->
#ifdef FOLLOW_BEFORE_MARK
          is_joined[CONSTRUCTION(word)] = true;
          assert(begun[CONSTRUCTION(word)]);
          compare_exchange(state, word, CONTENDED(CONSTRUCTION(word)), is_done);
          if :: is_done -> break :: else -> is_joined[CONSTRUCTION(word)] = false fi
#else
          atomic {
            compare_exchange(state, word, CONTENDED(CONSTRUCTION(word)), is_done);
            if :: is_done -> is_joined[CONSTRUCTION(word)] = true :: else fi
          }
          if :: is_done -> break :: else fi
#endif
        :: else -> break
        fi
      od;
      if
      :: IS_BUILDING(word) ->
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
      assert(!begun[KEPT(me)]);
      begun[KEPT(me)] = true;
      compare_exchange(state, EMPTY, BUILDING(KEPT(me)), is_done);
      if
      :: is_done ->
        owns_state[KEPT(me)] = true;
        run_factory();
        if
        :: is_built ->
          atomic { boxes++; box = boxes };
          give_box(box);
          end_in_state(KEPT(me), BUILT, SERVED)
        :: else -> end_in_state(KEPT(me), EMPTY, RETRY)
        fi;
        break
      :: else -> begun[KEPT(me)] = false
      fi
    fi
  od
}

// MARK: - The cell

// The construction has been joined, or is being joined.
inline ordinary() {
#ifdef END_WITHOUT_WAITING
  skip
#else
  hand_over();
  lock(waits_mutex);
  unlock(waits_mutex)
#endif
}

inline end_in_cell() {
  assert(begun[KEPT(me)] && !is_joined[KEPT(me)]);
  begun[KEPT(me)] = false
}

inline build_in_cell() {
  run_factory();
  if
  :: is_built ->
    if
    :: needs_box -> atomic { boxes++; box = boxes; content = BUILT }
    :: else -> content = BUILT_DIRECT
    fi;
    compare_exchange(cell, BUILDING(KEPT(me)), content, is_done);
#ifdef REUSE_ALWAYS
    is_done = true;
#endif
    if
    :: is_done ->
      if :: needs_box -> give_box(box) :: else -> give() fi;
      end_in_cell()
    :: else ->
      ordinary();
      if
      :: content == BUILT_DIRECT -> atomic { boxes++; box = boxes }
      :: else
      fi;
      if :: needs_box -> give_box(box) :: else -> give() fi;
      end_in_state(KEPT(me), BUILT, SERVED)
    fi
  :: else ->
    compare_exchange(cell, BUILDING(KEPT(me)), EMPTY, is_done);
    if
    :: is_done -> end_in_cell()
    :: else ->
      ordinary();
      end_in_state(KEPT(me), EMPTY, RETRY)
    fi
  fi
}

inline resolve() {
  word = cell;
  if
  :: word == BUILT -> if :: needs_box -> give_box(box) :: else -> give() fi
  :: word == BUILT_DIRECT && !needs_box -> give()
  :: else ->
    is_done = false;
    if
    :: word == EMPTY ->
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
    :: else
    fi;
    if
    :: is_done -> build_in_cell()
    :: else ->
      hand_over();
      resolve_in_store()
    fi
  fi
}

proctype Thread(byte me; bool needs_box; bool may_ask) {
  byte word, other, content, made, resolves;
  bool is_done, is_built;
  do
  :: resolves < RESOLVES ->
    resolve();
    atomic { resolves++; word = 0; other = 0; content = 0; made = 0; is_done = false; is_built = false }
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
  assert(successes == 0 || IS_BUILT(cell) || cell == HANDED_OVER && state == BUILT)
}
