// SPDX-License-Identifier: MIT
//
// Process-wide state: the mutex of the wait-for graph, and fork.
//
// A forked child has one thread. Mutexes and sections of the parent's other threads would never be
// left in the child. Fork therefore waits for every mutex of the core (none is held while user code
// runs, so the wait is short), and the child then ends the sections of the other threads.
//
// Every file with fork-sensitive state says how a fork treats the state.

#include "corinth_internal.h"

static pthread_mutex_t waits_mutex = PTHREAD_MUTEX_INITIALIZER;
unsigned int corinth_fork_generation_shared;
static void (*fork_child_callback)(void);  // the setter's release pairs with fork_child's acquire
static const corinth_fork_participant waits = {.mutex = &waits_mutex};

// In the order of locking before a fork. Unlocking goes in the reverse order.
static const corinth_fork_participant *const participants[] = {
    &corinth_fork_of_registries, &waits, &corinth_fork_of_limits, &corinth_fork_of_counters,
    &corinth_fork_of_threads, &corinth_fork_of_reclamation,
    &corinth_fork_of_locks,
};
enum { PARTICIPANTS = sizeof participants / sizeof participants[0] };

void corinth_waits_lock(void) { corinth_mutex_lock(&waits_mutex); }

void corinth_waits_unlock(void) { corinth_mutex_unlock(&waits_mutex); }

void corinth_fork_set_child_callback(void (*callback)(void)) {
  __atomic_store_n(&fork_child_callback, callback, __ATOMIC_RELEASE);
}

static void fork_prepare(void) {
  for (unsigned int i = 0; i < PARTICIPANTS; i++) {
    corinth_mutex_lock(participants[i]->mutex);
    if (participants[i]->for_others != NULL) participants[i]->for_others(corinth_mutex_lock);
  }
}

static void fork_parent(void) {
  for (unsigned int i = PARTICIPANTS; i-- > 0;) {
    if (participants[i]->for_others != NULL) participants[i]->for_others(corinth_mutex_unlock);
    corinth_mutex_unlock(participants[i]->mutex);
  }
}

static void fork_child(void) {
  __atomic_fetch_add(&corinth_fork_generation_shared, 1, __ATOMIC_RELAXED);
  for (unsigned int i = PARTICIPANTS; i-- > 0;) {
    if (participants[i]->adapt_child != NULL) participants[i]->adapt_child();
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
