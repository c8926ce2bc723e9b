// SPDX-License-Identifier: MIT
//
// The first writers of a registry, each with internals and a cache, of which the first to exchange the cache are used.
//
//   Writer             internals_make_and_lock and an insertion after it (registry.c)
//   Stopper            corinth_registry_stop_sharing (registry.c)
//   Reader             corinth_registry_find_spmc (registry.c)
//   Forker             fork_prepare (process.c): the mutexes of all internals, which are listed from the start
//
// Properties
//  1. One insertion makes the slot, and it ends in the cache that stays.
//  2. A reader that finds internals finds the registry's own cache: never that of the parent, nor the static empty one.
//  3. A fork finds a registry with both internals and cache of its own, or with neither.
//  4. Nobody has the mutex of internals that a writer keeps for another registry.
//
// Memory model: sequentially consistent. The exchange of the cache and the store of the internals are releases, and all loads
// of either are acquire: a reader that finds the internals finds what was stored before.
//
// Mutations: INTERNALS_FIRST LOCK_AFTERWARDS STORE_CACHE STOP_BY_INTERNALS FORGET_TO_WAIT

#define WRITERS 2
#define PARENTS 0
#define EMPTY 1
#define OWN(w) (2 + (w))
#define IS_OWN(c) ((c) >= 2)
#define WRITER_OF(c) ((c) - 2)

byte cache = PARENTS;
byte internals;                  // 0 or OWN(w)
bool is_locked[WRITERS];         // the mutexes
bool is_kept[WRITERS];
bool has_slot[WRITERS];          // the caches
byte inserted;
byte ended;

inline lock(w) { atomic { !is_locked[w] -> is_locked[w] = true } }

inline unlock(w) { is_locked[w] = false }

proctype Writer(byte me) {
  byte present, owner;
  present = internals;
  if
  :: IS_OWN(present) -> owner = WRITER_OF(present); lock(owner)
  :: else ->
#ifndef LOCK_AFTERWARDS
    lock(me);
#endif
#ifdef INTERNALS_FIRST
    if :: internals == 0 -> internals = OWN(me) :: else fi;
#endif
    present = cache;
    do
    :: IS_OWN(present) ->
      owner = WRITER_OF(present);
#ifndef LOCK_AFTERWARDS
      unlock(me);
#endif
      is_kept[me] = true;
#ifndef FORGET_TO_WAIT
      lock(owner);
#endif
      break
    :: else ->
#ifdef STORE_CACHE
      cache = OWN(me);
      present = OWN(me);
#else
      atomic { if :: cache == present -> cache = OWN(me) :: else -> present = cache fi }
#endif
      if
      :: cache == OWN(me) || present == OWN(me) ->
        owner = me;
        internals = OWN(me);
#ifdef LOCK_AFTERWARDS
        lock(me);
#endif
        break
      :: else
      fi
    od
  fi;
  // The insertion.
  assert(internals == OWN(owner) && cache == OWN(owner) && !is_kept[owner]);
  if
  :: has_slot[owner]
  :: else -> has_slot[owner] = true; inserted++
  fi;
  unlock(owner);
  ended++
}

proctype Stopper() {
  byte shared;
#ifdef STOP_BY_INTERNALS
  shared = cache;
  if :: internals == 0 -> cache = EMPTY :: else fi
#else
  shared = cache;
  if
  :: IS_OWN(shared)
  :: else -> atomic { if :: cache == shared -> cache = EMPTY :: else fi }
  fi
#endif
  ;
  ended++
}

proctype Reader() {
  if
  :: internals != 0 -> assert(IS_OWN(cache))
  :: internals == 0
  fi;
  ended++
}

proctype Forker() {
  lock(0);
  lock(1);
  assert(IS_OWN(cache) == (internals != 0));
  assert(!IS_OWN(cache) || cache == internals);
  unlock(1);
  unlock(0);
  ended++
}

init {
  atomic { run Writer(0); run Writer(1); run Stopper(); run Reader(); run Forker() }
  ended == 5;
  assert(inserted == 1 && cache == internals && has_slot[WRITER_OF(cache)])
}
