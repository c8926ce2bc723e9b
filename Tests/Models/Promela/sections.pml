// SPDX-License-Identifier: MIT
//
// Sections that begin with plain stores, against writers that replace an object, and destroy it once no section can see it.
//
//   attach, detach      corinth_thread_attach and thread_detach (epoch.c)
//   enter, leave        corinth_section_begin and corinth_section_leave (corinth_section.h), over ck_epoch
//   use                 corinth_use_begin and corinth_use_end (corinth_section.h)
//   retire              corinth_retire and can_be_destroyed_at_once (reclamation.c)
//   gather, pass_barrier  gather_assuming_mutex_held (reclamation.c), corinth_barrier_for_all (barrier.c)
//   poll                ck_epoch_poll_deferred and ck_epoch_scan of Concurrency Kit 0.7.1
//
// Properties
//  1. An object that a section has found is not destroyed before the section ends, nor before the end of a use of it.
//  2. In the end all objects are destroyed but the last one.
//
// Memory model: stores of readers go through a buffer, from which they come out in their order, at any time. Locked
// operations empty it first. A barrier for all empties the buffer of one thread after the other, while the others go on. Loads
// take place in the order of the program: so they do on x86, and behind the acquire loads of the epoch and the word on aarch64.
// WORD_BEFORE_EPOCH is what the first of these forbids.
//
// The first writer gathers whenever it likes: after each object or after several, and by then the other one may have left some.
// Writers have no sections here. What a closer takes out of cells is one more object that is retired; whether it has to be is in
// close-and-hit.pml.
//
// Not modeled: nested sections, which the outermost one stands for; the fenced form; barriers that fail; destructors; the
// end of the numbers of epochs.
//
// Mutations: NO_BARRIER BARRIER_BEFORE_LISTS BARRIER_AFTER_SCAN WORD_BEFORE_ACTIVE WORD_BEFORE_EPOCH
// Mutations: ATTACH_BY_STORE ALONE_BEFORE_EXCHANGE DESTROY_IF_ALL_SEEM_OUTSIDE
// Mutations: USE_AFTER_SECTION USES_BEFORE_SCAN NO_USES

// The first reader and the first writer do two things each, the others one. The first section of the first reader becomes a
// use.
#define READERS 2
#define WRITERS 2
#define TIMES(thread) (2 - (thread))
#define OBJECTS 4

byte word;
bool is_destroyed[OBJECTS];

// The records of readers, as others see them.
byte open[READERS];
byte noted[READERS];
#define NONE 255
// The object that is in use beyond its section, NONE for none.
byte used[READERS];
byte attached;
byte epoch = 2;

// What a reader has stored and others do not see yet.
#define ACTIVE 0
#define EPOCH 1
#define ATTACHED 2
#define USED 3
chan buffer[READERS] = [3] of { byte, byte };

// Objects that wait to be gathered, a bit each, and the epochs in which the others were handed over.
byte waiting[WRITERS];
byte called[OBJECTS];

inline commit(thread) {
  buffer[thread] ? kind, value;
  if
  :: kind == ACTIVE -> open[thread] = value
  :: kind == EPOCH -> noted[thread] = value
  :: kind == ATTACHED -> attached = attached + value
  :: kind == USED -> used[thread] = value
  fi
}

inline drain(thread) {
  do
  :: nempty(buffer[thread]) -> commit(thread)
  :: empty(buffer[thread]) -> break
  od;
  kind = 0; value = 0
}

// MARK: - Readers

inline attach() {
#ifdef ATTACH_BY_STORE
  buffer[me] ! ATTACHED, 1
#else
  d_step { drain(me); attached++ }
#endif
}

inline detach() {
  d_step { drain(me); attached-- }
}

proctype Reader(byte me) {
  byte found, sections, kind, value;
  attach();
  do
  :: sections < TIMES(me) ->
#ifdef WORD_BEFORE_ACTIVE
    found = word;
#endif
    buffer[me] ! ACTIVE, 1;
#ifdef WORD_BEFORE_EPOCH
    found = word;
#endif
    atomic { nfull(buffer[me]) -> buffer[me] ! EPOCH, epoch };
#ifndef WORD_BEFORE_ACTIVE
#ifndef WORD_BEFORE_EPOCH
    found = word;
#endif
#endif
    if
    :: me == 0 && sections == 0 ->
      // User code needs the object, and nothing else that the section has found.
#ifdef USE_AFTER_SECTION
      atomic { nfull(buffer[me]) -> buffer[me] ! ACTIVE, 0 };
      atomic { nfull(buffer[me]) -> buffer[me] ! USED, found };
#else
#ifndef NO_USES
      atomic { nfull(buffer[me]) -> buffer[me] ! USED, found };
#endif
      atomic { nfull(buffer[me]) -> buffer[me] ! ACTIVE, 0 };
#endif
      atomic { nfull(buffer[me]) -> assert(!is_destroyed[found]); buffer[me] ! USED, NONE; found = 0; sections++ }
    :: else ->
      // It follows the address until the end.
      atomic { nfull(buffer[me]) -> assert(!is_destroyed[found]); buffer[me] ! ACTIVE, 0; found = 0; sections++ }
    fi
  :: else -> break
  od;
  detach()
}

// MARK: - Writers

inline destroy(an_object) {
  assert(!is_destroyed[an_object]);
  is_destroyed[an_object] = true
}

inline pass_barrier() {
  i = 0;
  do
  :: i < READERS -> d_step { drain(i); i++ }
  :: else -> break
  od;
  i = 0
}

inline pass_barrier_unless_alone() {
#ifdef NO_BARRIER
  skip
#else
  if
  :: attached == 0
  :: else -> pass_barrier()
  fi
#endif
}

// With the mutex held.
inline gather() {
#ifdef BARRIER_BEFORE_LISTS
  pass_barrier_unless_alone();
#endif
  d_step { taken = taken | waiting[0]; waiting[0] = 0 };
  d_step { taken = taken | waiting[1]; waiting[1] = 0 };
#ifndef BARRIER_BEFORE_LISTS
#ifndef BARRIER_AFTER_SCAN
  if
  :: taken != 0 -> pass_barrier_unless_alone()
  :: else
  fi;
#endif
#endif
  d_step {
    i = 0;
    do
    :: i < OBJECTS ->
      if :: (taken & (1 << i)) != 0 -> called[i] = epoch :: else fi;
      i++
    :: else -> break
    od;
    i = 0; taken = 0
  }
}

// Entries are kept by epochs modulo four. Those that leave are ready.
inline dispatch(an_epoch) {
  i = 0;
  do
  :: i < OBJECTS ->
    if
    :: called[i] != NONE && called[i] % 4 == (an_epoch) % 4 -> called[i] = NONE; ready = ready | (1 << i)
    :: else
    fi;
    i++
  :: else -> break
  od;
  i = 0
}

// The uses, as make_ready (reclamation.c) finds them. The mutex is held.
inline load_uses() {
  i = 0;
  do
  :: i < READERS -> if :: used[i] != NONE -> in_use = in_use | (1 << used[i]) :: else fi; i++
  :: else -> break
  od;
  i = 0
}

inline destroy_unused() {
  d_step {
    i = 0;
    do
    :: i < OBJECTS ->
      if
      :: (ready & (1 << i)) != 0 ->
        if
        :: (in_use & (1 << i)) != 0 -> called[i] = epoch
        :: else -> destroy(i)
        fi
      :: else
      fi;
      i++
    :: else -> break
    od;
    i = 0; ready = 0; in_use = 0
  }
}

inline poll() {
#ifdef USES_BEFORE_SCAN
  load_uses();
#endif
  d_step { is_active = false; is_behind = false; dispatch(epoch + 2) };
  do
  :: i < READERS && !is_behind ->
    // Two loads.
    is_inside = open[i] != 0;
    is_active = is_active || is_inside;
    is_behind = is_inside && noted[i] != epoch;
    i++
  :: else -> break
  od;
  i = 0;
  is_inside = false;
#ifdef BARRIER_AFTER_SCAN
  pass_barrier_unless_alone();
#endif
  if
  :: is_behind
  :: !is_behind && !is_active -> d_step { dispatch(0); dispatch(1); dispatch(2); dispatch(3) }
  :: !is_behind && is_active -> d_step { epoch++; dispatch(epoch - 2) }
  fi;
  d_step { is_active = false; is_behind = false };
#ifndef USES_BEFORE_SCAN
  if :: ready != 0 -> load_uses() :: else fi;
#endif
  destroy_unused()
}

proctype Writer(byte me) {
  byte former, overrides, i, taken, kind, value, ready, in_use;
  bool is_active, is_behind, is_inside, is_alone;
  do
  :: overrides < TIMES(me) ->
#ifdef ALONE_BEFORE_EXCHANGE
    is_alone = attached == 0;
#endif
    d_step { former = word; word = 1 + 2 * me + overrides; overrides++ };
#ifdef DESTROY_IF_ALL_SEEM_OUTSIDE
    is_alone = open[0] == 0 && open[1] == 0;
#else
#ifndef ALONE_BEFORE_EXCHANGE
    is_alone = attached == 0;
#endif
#endif
    if
    :: is_alone -> d_step { destroy(former); former = 0; is_alone = false }
    :: else ->
      d_step { waiting[me] = waiting[me] | (1 << former); former = 0 };
      // The mutex lets one gather at a time. Here it is always the first one.
      if
      :: true
      :: me == 0 ->
        gather();
        poll();
        // Again, for the same barrier.
        if :: true :: poll() fi
      fi
    fi
  :: else -> break
  od
}

active proctype Buffers() {
  byte kind, value;
end:
  do
  :: d_step { nempty(buffer[0]) -> commit(0); kind = 0; value = 0 }
  :: d_step { nempty(buffer[1]) -> commit(1); kind = 0; value = 0 }
  od
}

init {
  byte i, taken, kind, value, ready, in_use;
  bool is_active, is_behind, is_inside;
  d_step {
    i = 0;
    do
    :: i < OBJECTS -> called[i] = NONE; i++
    :: else -> break
    od;
    i = 0;
    used[0] = NONE; used[1] = NONE
  };
  atomic {
    run Reader(0); run Reader(1);
    run Writer(0); run Writer(1)
  };
  // The collector.
  _nr_pr == 2;
  gather();
  poll();
  i = 0;
  do
  :: i < OBJECTS -> assert(is_destroyed[i] == (i != word)); i++
  :: else -> break
  od
}
