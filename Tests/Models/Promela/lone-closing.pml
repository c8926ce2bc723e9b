// SPDX-License-Identifier: MIT
//
// The first user of a scope closes the scope alone, or a second user comes first: a thread that resolves, one that closes, one
// that registers. The first user has built in one cell, and the resolving thread claims the next cell, or takes the instance.
//
//   admit              corinth_cells_admit and corinth_cells_know (cells.c, corinth_cells.h)
//   First              closeCellsAlone and claimClosingAlone (ContainerCore+ClosingCells.swift), closeAlone, claimAlone and
//                      finish (ClosingState.swift), corinth_cells_are_lone and corinth_cells_empty_alone (cells.c); the
//                      ordinary steps are take_out
//   Resolver           content, place (ScopeCells.swift), load (Place.swift)
//   OtherCloser        sealForDisposal (ContainerCore+Closing.swift): seal (ClosingState.swift), sealCells and end
//   Writer             a first registration: slotMade, and a look at isOpen afterwards
//
// Properties
//  1. Between the decision to close alone and its end, nobody but the closer touches a word or an owner, but to compare.
//  2. An object that a thread follows or retains has a reference; what a cell holds is given up exactly once.
//  3. A registration that is not refused is seen by the closer: the scope then ends by the ordinary steps.
//  4. No construction begins after the end.
//
// Memory model: compare-and-exchange of `ending` and of words, sequentially consistent. The plain stores of the lone closer
// are single steps here: nobody may be looking (property 1). The slot of a registration and the look at `ending` after it pair
// with the exchange of `ending` and the look at slots after it.
//
// Not modeled: sections and the epoch (close-and-hit.pml): a shared scope gives up later, here when the resolver is over.
//
// Mutations: CLAIM_WITHOUT_ADMISSION FOLLOW_WITHOUT_ADMISSION CLOSE_BY_STORE LOOK_AT_SLOTS_BEFORE ADMIT_BY_STORE
// Mutations: FORGET_TO_SEAL ADMIT_WHEN_ALONE SEAL_BESIDE_ALONE FINISH_WITHOUT_MARK

#include "words.h"

#define CELLS 2
#define OPEN 0
#define SHARED 1
#define ALONE 2
#define SEALED 3
#define ENDED 4
byte ending;

#define NOBODY 0
#define OWNED 1
#define CLOSED 2
byte owner[CELLS];
#define EMPTY 0
#define BUILT 1
#define BUILDING 2
#define SEALED_WORD 3
byte word[CELLS];

byte references;                 // of the instance in the first cell: the cell's
byte given_up;
bool is_emptying;                // the lone closer takes out
bool has_slots;
bool is_registered;              // the writer was not refused
bool is_ordinary;                // somebody has taken the ordinary steps to the end
bool is_over;                    // all words are sealed, or the lone closer has taken all out
pid resolver_pid;
bool is_second_inside;           // a second thread is a user, and may follow

inline touch() { assert(!is_emptying) }

inline admit() {
  is_admitted = true;
#ifdef ADMIT_BY_STORE
  if
  :: ending == OPEN -> ending = SHARED
  :: ending == ALONE -> is_admitted = false
  :: else
  fi;
#else
  atomic {
    if
    :: ending == OPEN -> ending = SHARED
#ifndef ADMIT_WHEN_ALONE
    :: ending == ALONE -> is_admitted = false
#endif
    :: else
    fi
  };
#endif
  if :: is_admitted -> is_second_inside = true :: else fi
}

inline take_out() {
  // Seals.
  i = 0;
  do
  :: i < CELLS && owner[i] == OWNED ->
    do
    :: word[i] == EMPTY -> touch(); compare_exchange(word[i], EMPTY, SEALED_WORD, is_done); if :: is_done -> break :: else fi
    :: word[i] == BUILDING -> word[i] != BUILDING
    :: word[i] == BUILT || word[i] == SEALED_WORD -> break
    od;
    i++
  :: i < CELLS && owner[i] == NOBODY ->
    touch();
    compare_exchange(owner[i], NOBODY, CLOSED, is_done);
    if :: is_done -> break :: else fi
  :: i == CELLS || owner[i] == CLOSED -> break
  od;
  is_over = true;
  i = 0;
  do
  :: i < CELLS && owner[i] == OWNED ->
    touch();
    exchange(word[i], SEALED_WORD, found);
    if
    :: found == BUILT -> (!is_second_inside || _pid == resolver_pid); give_up()
    :: else
    fi;
    i++
  :: else -> break
  od;
  is_ordinary = true
}

inline give_up() {
  atomic {
    if :: i == 0 -> given_up++; assert(given_up == 1); references-- :: else fi
  }
}

proctype First() {
  byte i, found;
  bool is_done;
#ifdef LOOK_AT_SLOTS_BEFORE
  bool had_slots = has_slots;
#endif
  if
  :: ending == OPEN && !has_slots ->
#ifdef CLOSE_BY_STORE
    if :: ending == OPEN -> ending = ALONE; is_done = true :: else -> is_done = false fi;
#else
    compare_exchange(ending, OPEN, ALONE, is_done);
#endif
    if
#ifdef LOOK_AT_SLOTS_BEFORE
    :: is_done && !had_slots ->
#else
    :: is_done && !has_slots ->
#endif
      is_emptying = true;
      do
      :: i < CELLS && owner[i] == OWNED ->
        if :: word[i] == BUILT -> give_up() :: else fi;
        word[i] = EMPTY;
        owner[i] = NOBODY;
        i++
      :: else -> break
      od;
      owner[0] = CLOSED;
      atomic { is_emptying = false; is_over = true };
#ifdef FINISH_WITHOUT_MARK
      // The end of a closing.
      ending = ENDED;
#endif
      goto over
#ifndef FORGET_TO_SEAL
    :: is_done && has_slots -> ending = SEALED
#else
    :: is_done && has_slots -> goto over
#endif
    :: !is_done ->
      do
      :: ending == SHARED -> compare_exchange(ending, SHARED, SEALED, is_done); if :: is_done -> break :: else fi
      :: ending == OPEN -> compare_exchange(ending, OPEN, SEALED, is_done); if :: is_done -> break :: else fi
      :: ending == SEALED || ending == ENDED -> break
      od
    fi
  :: else ->
    do
    :: ending == SHARED -> compare_exchange(ending, SHARED, SEALED, is_done); if :: is_done -> break :: else fi
    :: ending == OPEN -> compare_exchange(ending, OPEN, SEALED, is_done); if :: is_done -> break :: else fi
    :: ending == SEALED || ending == ENDED -> break
    od
  fi;
  compare_exchange(ending, SEALED, ENDED, is_done);
  if :: is_done -> take_out() :: else fi;
over:
  skip
}

proctype Resolver() {
  byte i;
  bool is_admitted, is_done;
  resolver_pid = _pid;
  // The search only compares.
  if
  :: owner[0] == OWNED ->
    if
    // The instance.
    :: true ->
#ifndef FOLLOW_WITHOUT_ADMISSION
      admit();
      if :: !is_admitted -> goto over :: else fi;
#endif
      touch();
      if
      :: word[0] == BUILT -> atomic { assert(references > 0); references++ }; references--
      :: word[0] != BUILT
      fi
    // The next cell.
    :: true ->
#ifndef CLAIM_WITHOUT_ADMISSION
      admit();
      if :: !is_admitted -> goto over :: else fi;
#endif
      touch();
      compare_exchange(owner[1], NOBODY, OWNED, is_done);
      if
      :: is_done ->
        compare_exchange(word[1], EMPTY, BUILDING, is_done);
        if
        :: is_done ->
          touch();
          assert(ending != ALONE && !is_over);
          do
          :: compare_exchange(word[1], BUILDING, BUILT, is_done); if :: is_done -> break :: else fi
          od
        :: else
        fi
      :: else
      fi
    fi
  :: owner[0] != OWNED
  fi;
over:
  is_second_inside = false
}

proctype OtherCloser() {
  byte i, found;
  bool is_done;
  do
  :: ending == OPEN -> compare_exchange(ending, OPEN, SEALED, is_done); if :: is_done -> break :: else fi
  :: ending == SHARED -> compare_exchange(ending, SHARED, SEALED, is_done); if :: is_done -> break :: else fi
  :: ending == SEALED -> break
#ifdef SEAL_BESIDE_ALONE
  :: ending == ALONE ->
    if
    :: owner[0] == OWNED -> touch(); compare_exchange(word[0], BUILT, SEALED_WORD, is_done)
    :: else
    fi;
    goto over
#else
  :: ending == ALONE -> goto over
#endif
  :: ending == ENDED -> goto over
  od;
  compare_exchange(ending, SEALED, ENDED, is_done);
  if :: is_done -> take_out() :: else fi;
over:
  skip
}

proctype Writer() {
  has_slots = true;
  if
  :: ending == OPEN || ending == SHARED -> is_registered = true
  :: else
  fi
}

init {
  atomic {
    owner[0] = OWNED;
    word[0] = BUILT;
    references = 1;
    run First();
    if
    :: run Resolver(); run OtherCloser()
    :: run Resolver(); run Writer()
    :: run OtherCloser(); run Writer()
    fi
  }
  (_nr_pr == 1);
  assert(given_up == 1 && references == 0);
  assert(ending == ALONE || ending == ENDED);
  assert(!is_registered || is_ordinary)
}
