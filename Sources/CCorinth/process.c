// SPDX-License-Identifier: MIT
//
// Process-wide state: initialisation, the mutex of the wait-for graph, and fork.
//
// A forked child has one thread. Mutexes and sections of the parent's other threads would never be left
// there. Fork therefore waits for every mutex of the core (none is held while user code runs, so the wait is
// short), and the child then ends the sections of the other threads.

#include "corinth_internal.h"

static pthread_mutex_t waits_mutex = PTHREAD_MUTEX_INITIALIZER;
unsigned int corinth_fork_generation_shared;
static void (*fork_child_callback)(void);

void corinth_waits_lock(void) { corinth_mutex_lock(&waits_mutex); }

void corinth_waits_unlock(void) { corinth_mutex_unlock(&waits_mutex); }

void corinth_fork_set_child_callback(void (*callback)(void)) {
  __atomic_store_n(&fork_child_callback, callback, __ATOMIC_RELEASE);
}

static void fork_prepare(void) {
  corinth_registries_lock_all();
  corinth_waits_lock();
  corinth_counters_lock();
  corinth_epoch_lock_all();
}

static void fork_parent(void) {
  corinth_epoch_unlock_all();
  corinth_counters_unlock();
  corinth_waits_unlock();
  corinth_registries_unlock_all();
}

static void fork_child(void) {
  __atomic_fetch_add(&corinth_fork_generation_shared, 1, __ATOMIC_RELAXED);
  corinth_epoch_forget_other_threads();
  corinth_counters_clear();
  fork_parent();
  void (*callback)(void) = __atomic_load_n(&fork_child_callback, __ATOMIC_ACQUIRE);
  if (callback != NULL) callback();
}

static void initialize(void) {
  corinth_epoch_initialize();
  corinth_barrier_initialize();
  if (pthread_atfork(fork_prepare, fork_parent, fork_child) != 0) {
    corinth_trap("out of memory: no fork handlers");
  }
}

void corinth_process_initialize(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, initialize);
}
