// SPDX-License-Identifier: MIT
//
// References that a thread has in stock, against the withdrawal of the stock. The thread takes and gives by plain stores.
//
//   enter, leave       corinth_section_begin and corinth_section_leave (corinth_section.h)
//   take, give         corinth_reference_take and corinth_reference_give (corinth_references.h)
//   User               a resolve that finds the object in the slot, and lets go of the object later
//   Remover            a change of the slot; gather_assuming_mutex_held and destroy_taken (reclamation.c);
//                      corinth_reference_release_last (references.c)
//
// Properties
//  1. A thread that has a reference has a live object.
//  2. All references are given up: in the end none is left, in stock either.
//
// Memory model: plain stores go through a buffer, from which they come out in their order, at any time; a thread sees its own.
// Locked operations empty it first. A barrier for all empties the buffer. Loads take place in the order of the program: on
// aarch64 the load of the withdrawals and the load of the entry are acquire, and the store of the entry is a release.
//
// Not modeled: several objects in one set of entries, which only the thread displaces; threads that end.
//
// Mutations: GIVE_OUTSIDE_OF_SECTION LOOK_BEFORE_SECTION COUNT_AFTER_BARRIER DISCOUNT_BEFORE_WITHDRAWAL NO_BARRIER
// Mutations: TAKE_OUTSIDE_OF_SECTION GIVE_WITHOUT_LOOK

#include "words.h"

#define ROUNDS 2

bool is_in_slot = true;
byte withdrawals;

// The thread's entry: 0 withdrawn or empty, else 1 and the number of references in stock.
#define EMPTY 0
#define STOCK(n) (1 + (n))
byte entry = STOCK(1);
bool is_active;

// Real references: of the slot, in stock, and of the thread.
byte references = 2;

#define ACTIVE 0
#define ENTRY 1
chan buffer = [4] of { byte, byte };
byte own_entry;                  // what the thread sees, if `has_own`
byte stores_of_entry;

inline drain_one() {
  d_step {
    buffer?kind, value;
    if
    :: kind == ACTIVE -> is_active = value
    :: kind == ENTRY -> entry = value; stores_of_entry--
    fi;
    kind = 0;
    value = 0
  }
}

inline see_entry() {
  d_step { if :: stores_of_entry > 0 -> seen = own_entry :: else -> seen = entry fi }
}

inline store_entry(a_value) {
  atomic { nfull(buffer) -> buffer!ENTRY, (a_value); own_entry = (a_value); stores_of_entry++ }
}

inline enter() { atomic { nfull(buffer) -> buffer!ACTIVE, 1 } }
inline leave() { atomic { nfull(buffer) -> buffer!ACTIVE, 0 } }

inline retain() { d_step { assert(references > 0); references++ } }
inline release() { d_step { assert(references > 0); references-- } }

proctype User() {
  byte seen, round;
  bool is_done, has_it, may_give;
  do
  :: round < ROUNDS ->
    enter();
    if
    :: is_in_slot ->
#ifdef TAKE_OUTSIDE_OF_SECTION
      leave();
#endif
      see_entry();
      if
      :: seen > STOCK(0) -> store_entry(seen - 1)
      :: seen == STOCK(0) -> retain()
      // A new stock, of two: one for the thread.
      :: seen == EMPTY -> d_step { assert(references > 0); references = references + 2 }; store_entry(STOCK(1))
      fi;
      has_it = true
    :: !is_in_slot
    fi;
#ifndef TAKE_OUTSIDE_OF_SECTION
    leave();
#endif
    if
    :: has_it ->
      assert(references > 0);
#ifdef LOOK_BEFORE_SECTION
      may_give = withdrawals == 0;
      enter();
#else
#ifndef GIVE_OUTSIDE_OF_SECTION
      enter();
#endif
#ifdef GIVE_WITHOUT_LOOK
      may_give = true;
#else
      may_give = withdrawals == 0;
#endif
#endif
      see_entry();
      if
      :: may_give && seen > EMPTY -> store_entry(seen + 1); is_done = true
      :: else -> is_done = false
      fi;
#ifndef GIVE_OUTSIDE_OF_SECTION
      leave();
#endif
      if
      :: is_done
      :: else ->
        atomic {
          empty(buffer);
          if
          :: entry > EMPTY -> entry++
          :: else -> release()
          fi
        }
      fi;
      d_step { has_it = false; is_done = false; may_give = false; seen = 0 }
    :: else
    fi;
    round++
  :: else -> break
  od
}

proctype Remover() {
  byte found;
  is_in_slot = false;
#ifndef COUNT_AFTER_BARRIER
  withdrawals++;
#endif
#ifndef NO_BARRIER
  empty(buffer);
#endif
#ifdef COUNT_AFTER_BARRIER
  withdrawals++;
#endif
  // A section that was open is over.
  !is_active;
#ifdef DISCOUNT_BEFORE_WITHDRAWAL
  withdrawals--;
#endif
  do
  :: found = entry;
    if
    :: found == EMPTY -> break
    :: else ->
      atomic {
        if
        :: entry == found ->
          entry = EMPTY;
          assert(references >= found - 1);
          references = references - (found - 1);
          found = EMPTY
        :: else
        fi
      };
      if :: found == EMPTY -> break :: else fi
    fi
  od;
  release();
#ifndef DISCOUNT_BEFORE_WITHDRAWAL
  withdrawals--
#endif
}

active proctype Buffer() {
  byte kind, value;
end:
  do
  :: nempty(buffer) -> drain_one()
  od
}

init {
  atomic { run User(); run Remover() };
  (_nr_pr == 2 && empty(buffer));
  assert(references == 0);
  assert(entry == EMPTY)
}
