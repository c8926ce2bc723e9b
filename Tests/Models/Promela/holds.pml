// SPDX-License-Identifier: MIT
//
// The last references to a container, against the last of its scopes. Scopes hold the container without a reference.
//
//   hold, let_go       corinth_counter_hold and corinth_counter_let_go (corinth_counter.h)
//   add_stripe         add_level (counter.c)
//   close, end_closing corinth_counter_close and corinth_counter_end_closing (counter.c)
//   succeed            successor(of:_:) (ContainerCore+Owner.swift)
//   Owner              the deinit of Container, handOver(from:to:)
//   Scope              the deinit of Container, and parent, owner(or:), object(or:) (OwnerReference)
//
// Properties
//  1. The core is ended exactly once, by the container or by its successor.
//  2. Nobody uses the core, or a counter of it, once it has been ended.
//  3. A scope always finds a parent. Nobody looks at a container that is gone.
//
// Memory model: all is sequentially consistent. Holds begin before the last reference to the container goes: whoever begins one
// has a reference, so that the release of this comes between the plain store and the sums in close. An end says so by a plain
// store, passes a light barrier and loads the closer's flag; the closer stores the flag and passes a heavy barrier.
//
// Not modeled: more than one container of a tree, forks of the process, scopes that count references.
//
// Mutations: END_WITHOUT_WORD CLOSE_WITHOUT_WAIT WAIT_BEFORE_CLOSING SUM_BEFORE_WAIT LOOK_AFTER_END
// Mutations: CLOSE_WITHOUT_HEAD_START PUBLISH_LAST DECIDE_WITHOUT_MUTEX END_OUTSIDE_OF_COUNTER

#include "words.h"

#define SCOPES 3
#define STRIPES 3
// Is added by the scope that ends there.
#define LATE 2

// Of stripes. A number has no sign here: it begins in the middle.
#define NONE 8
byte held[STRIPES] = NONE;
bool is_there[STRIPES];
// Of threads, each of which ends one scope, in a stripe of its own.
bool lets_go[SCOPES];
// Of the counter. The head start is more than all holds.
#define HEAD_START 32
byte all_held;
bool is_counter_closed;
bool counters_mutex;

#define CONTAINER 1
#define SUCCESSOR 2
byte address = CONTAINER;
// References to the container, which its user and readers have, and to its successor.
byte references[3];
bool is_gone[3];
bool waits_mutex;

byte ends;
byte finished;

inline use_core() { assert(ends == 0) }

inline end_core() { d_step { assert(ends == 0); ends++ } }

// MARK: - Holds

inline hold(stripe) { held[stripe]++ }

inline add_stripe(stripe) {
  lock(counters_mutex);
  use_core();
  is_there[stripe] = true;
  unlock(counters_mutex)
}

inline let_go(stripe) {
  if
  :: !is_there[stripe] -> add_stripe(stripe)
  :: else
  fi;
#ifndef END_WITHOUT_WORD
  lets_go[stripe] = true;
#endif
  d_step { use_core(); was_closed = is_counter_closed };
  if
  :: !was_closed -> d_step { use_core(); held[stripe]-- }
  :: else
  fi;
  lets_go[stripe] = false;
#ifdef LOOK_AFTER_END
  use_core();
#endif
  is_last = false;
  if
  :: was_closed ->
#ifdef END_OUTSIDE_OF_COUNTER
    d_step { use_core(); all_held-- };
    is_last = all_held == 0
#else
    d_step { use_core(); all_held--; is_last = all_held == 0 }
#endif
  :: else
  fi
}

inline sum_up() {
  i = 0;
  sum = 0;
  do
  :: i < STRIPES -> if :: is_there[i] -> sum = sum + held[i] - NONE :: else fi; i++
  :: else -> break
  od
}

inline wait_for_ends() {
  i = 0;
  do
  :: i < SCOPES -> !lets_go[i]; i++
  :: else -> break
  od
}

// `count` gets the number of holds.
inline close() {
  lock(counters_mutex);
  if
  :: !is_counter_closed ->
#ifdef WAIT_BEFORE_CLOSING
    wait_for_ends();
#endif
    is_counter_closed = true;
    sum_up();
    if
    :: sum != 0 ->
#if !defined(CLOSE_WITHOUT_WAIT) && !defined(WAIT_BEFORE_CLOSING)
      wait_for_ends();
#endif
#ifndef SUM_BEFORE_WAIT
      sum_up();
#endif
      all_held = all_held + sum
    :: else
    fi
  :: else
  fi;
  count = (all_held >= HEAD_START -> all_held - HEAD_START : 0);
#ifdef CLOSE_WITHOUT_HEAD_START
  count = all_held;
#endif
  unlock(counters_mutex)
}

inline end_closing() {
#ifdef CLOSE_WITHOUT_HEAD_START
  is_last = false
#else
  d_step { all_held = all_held - HEAD_START; is_last = all_held == 0 }
#endif
}

// MARK: - Owners

// The caller gets a reference in `found`.
inline succeed() {
  close();
  found = 0;
  if
  :: count > 0 ->
    assert(!is_gone[CONTAINER]);
    // Of all holds together, and of the caller.
    references[SUCCESSOR] = 2;
#ifndef PUBLISH_LAST
    address = SUCCESSOR;
#endif
    end_closing();
#ifdef PUBLISH_LAST
    address = SUCCESSOR;
#endif
    if
    :: is_last -> references[SUCCESSOR]--
    :: else
    fi;
    found = SUCCESSOR
  :: else
  fi
}

inline release(object) {
  d_step { assert(references[object] > 0); references[object]--; is_last = references[object] == 0 };
  if
  :: is_last && object == SUCCESSOR -> end_core(); is_gone[SUCCESSOR] = true
  :: is_last && object == CONTAINER ->
#ifndef DECIDE_WITHOUT_MUTEX
    lock(waits_mutex);
#endif
    found = 0;
    is_owner = address == CONTAINER;
    if
    :: is_owner -> succeed()
    :: else
    fi;
    is_owner = is_owner && found == 0;
#ifndef DECIDE_WITHOUT_MUTEX
    unlock(waits_mutex);
#endif
    is_gone[CONTAINER] = !is_owner;
    if
    :: found == SUCCESSOR ->
      d_step { references[SUCCESSOR]--; is_last = references[SUCCESSOR] == 0 };
      if
      :: is_last -> end_core(); is_gone[SUCCESSOR] = true
      :: else
      fi
    :: else
    fi;
    if
    :: is_owner -> end_core(); is_gone[CONTAINER] = true
    :: else
    fi
  :: else
  fi
}

proctype Owner() {
  byte count, i, sum, found;
  bool is_last, is_owner;
  release(CONTAINER);
  finished++
}

proctype Scope(byte stripe; bool asks) {
  byte count, i, sum, found;
  bool is_last, is_owner, was_closed;
  if
  :: asks ->
    use_core();
    lock(waits_mutex);
    found = address;
    assert(!is_gone[found]);
    d_step {
      is_owner = references[found] > 0;
      if :: is_owner -> references[found]++ :: else fi
    };
    if
    :: !is_owner -> succeed()
    :: else
    fi;
    unlock(waits_mutex);
    assert(found != 0);
    use_core();
    release(found)
  :: else
  fi;
  let_go(stripe);
  if
  :: is_last -> release(address)
  :: else
  fi;
  finished++
}

init {
  byte scope, first;
  atomic {
#ifdef CLOSE_WITHOUT_HEAD_START
    all_held = 0;
#else
    all_held = HEAD_START;
#endif
    references[CONTAINER] = 1;
    is_there[0] = true;
    is_there[1] = true;
    run Owner();
    do
    :: scope < SCOPES ->
      if :: first = 0 :: first = 1 fi;
      hold(first);
      run Scope(scope, scope == 0);
      scope++
    :: else -> break
    od
  };
  finished == SCOPES + 1;
  assert(ends == 1)
}
