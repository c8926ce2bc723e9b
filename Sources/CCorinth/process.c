// SPDX-License-Identifier: MIT
//
// Process-wide state: the mutex of the wait-for graph, and fork.
//
// A forked child has one thread. Mutexes and sections of the parent's other threads would never be left
// there. Fork therefore waits for every mutex of the core (none is held while user code runs, so the wait is
// short), and the child then ends the sections of the other threads.
//
// The files with such state take part when the program is loaded, before any thread could fork. This one knows none of
// them.

#include "corinth_internal.h"

static pthread_mutex_t waits_mutex = PTHREAD_MUTEX_INITIALIZER;
unsigned int corinth_fork_generation_shared;
static void (*fork_child_callback)(void);
static corinth_fork_participant participants[CORINTH_FORK_RANKS];

void corinth_waits_lock(void) { corinth_mutex_lock(&waits_mutex); }

void corinth_waits_unlock(void) { corinth_mutex_unlock(&waits_mutex); }

void corinth_fork_set_child_callback(void (*callback)(void)) {
  __atomic_store_n(&fork_child_callback, callback, __ATOMIC_RELEASE);
}

void corinth_fork_participate(corinth_fork_rank rank, corinth_fork_participant participant) {
  participants[rank] = participant;
}

__attribute__((constructor)) static void participate(void) {
  corinth_fork_participate(
      CORINTH_FORK_WAITS, (corinth_fork_participant){corinth_waits_lock, corinth_waits_unlock});
}

static void fork_prepare(void) {
  for (unsigned int rank = 0; rank < CORINTH_FORK_RANKS; rank++) participants[rank].lock();
}

static void fork_parent(void) {
  for (unsigned int rank = CORINTH_FORK_RANKS; rank-- > 0;) participants[rank].unlock();
}

static void fork_child(void) {
  __atomic_fetch_add(&corinth_fork_generation_shared, 1, __ATOMIC_RELAXED);
  for (unsigned int rank = CORINTH_FORK_RANKS; rank-- > 0;) {
    if (participants[rank].adapt_child != NULL) participants[rank].adapt_child();
  }
  fork_parent();
  void (*callback)(void) = __atomic_load_n(&fork_child_callback, __ATOMIC_ACQUIRE);
  if (callback != NULL) callback();
}

static void initialize(void) {
  if (pthread_atfork(fork_prepare, fork_parent, fork_child) != 0) {
    corinth_trap("out of memory: no fork handlers");
  }
}

void corinth_process_initialize(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, initialize);
}
