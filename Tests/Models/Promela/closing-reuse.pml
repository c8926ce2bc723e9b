// SPDX-License-Identifier: MIT
//
// A closing that its thread uses again, and a task made by a disposer of one use, with the address of the closing and the number
// of the use, but no reference.
//
//   Closer             Closing.begin, takeSpare and letGo (Closing.swift), run, begin and markFinished (DisposalContext.swift)
//   Task               enclosing (DisposalContext.swift), reference and isUnshared (ThreadSpares.swift)
//
// Property: a task that takes itself for a part of the disposal holds the closing, in the use of the task, until it lets go.
//
// Memory model: the closer's plain stores go through a buffer, from which they come out in their order, at any time; the exchange
// of the state of the container empties it. Retains and releases are locked. Loads take place in the order of the program: on
// aarch64 there are fences after the retain and the exchange, the load of the end is an acquire, and the renewal is a release.
//
// Not modeled: the list of spares, of which a closing with further references is none. The memory of a closing is never given up.
//
// Mutations: LOOK_BEFORE_RETAIN IGNORE_NUMBER NO_BARRIER RENEW_BEFORE_NUMBER USE_WHEN_SHARED

#include "words.h"

#define USES 3

byte references = 1;             // of the closing: the thread's, and those of tasks
bool is_finished;
byte number;

byte begun;                      // the last use; not in the code

#define FINISHED 0
#define NUMBER 1
chan buffer = [3] of { byte, byte };

inline store(a_kind, a_value) { atomic { nfull(buffer) -> buffer!a_kind, (a_value) } }

active proctype Memory() {
  byte kind, value;
end:
  do
  :: d_step {
      buffer?kind, value ->
      if
      :: kind == FINISHED -> is_finished = value
      :: kind == NUMBER -> number = value
      fi;
      kind = 0;
      value = 0
    }
  od
}

proctype Task(byte use) {
#ifndef LOOK_BEFORE_RETAIN
  references++;
#endif
  if
  :: is_finished -> goto over
  :: !is_finished
  fi;
#ifndef IGNORE_NUMBER
  if
  :: number != use -> goto over
  :: number == use
  fi;
#endif
#ifdef LOOK_BEFORE_RETAIN
  references++;
#endif
  // A part of the disposal: the task waits.
  assert(begun == use);
  skip;
  assert(begun == use);
  references--;
  goto done;
over:
#ifndef LOOK_BEFORE_RETAIN
  references--
#else
  skip
#endif
done:
  skip
}

proctype Closer() {
  byte use = 1;
  begun = 1;
  store(NUMBER, 1);
  do
  :: true ->
    // Disposers run, in this use or the next.
    if
    :: use < USES -> run Task(use)
    :: use > 1
    fi;
    store(FINISHED, true);
#ifndef NO_BARRIER
    empty(buffer);
#endif
    if :: use == USES -> break :: else fi;
#ifndef USE_WHEN_SHARED
    if :: references > 1 -> break :: references == 1 fi;
#endif
    use++;
    begun = use;
#ifdef RENEW_BEFORE_NUMBER
    store(FINISHED, false);
    store(NUMBER, use)
#else
    store(NUMBER, use);
    store(FINISHED, false)
#endif
  od
}

init { run Closer() }
