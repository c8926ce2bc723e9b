// SPDX-License-Identifier: MIT
//
// The mutexes of objects, also for this library's other products.
//
// Fork: all locks are in a list. A fork locks the list and every lock, last of all mutexes: with a
// lock held, no mutex of the core is locked, and no lock is made or destroyed.

#include "corinth_internal.h"

#include <stdlib.h>

struct corinth_lock {
  pthread_mutex_t mutex;
  CK_LIST_ENTRY(corinth_lock) others;
};

static pthread_mutex_t all_locks_mutex = PTHREAD_MUTEX_INITIALIZER;
static CK_LIST_HEAD(, corinth_lock) all_locks = CK_LIST_HEAD_INITIALIZER(all_locks);

corinth_lock *corinth_lock_create(void) {
  corinth_process_initialize();
  corinth_lock *lock = corinth_allocate(_Alignof(corinth_lock), sizeof *lock, "a lock");
  if (pthread_mutex_init(&lock->mutex, NULL) != 0) corinth_trap("no mutex for a lock");
  corinth_mutex_lock(&all_locks_mutex);
  CK_LIST_INSERT_HEAD(&all_locks, lock, others);
  corinth_mutex_unlock(&all_locks_mutex);
  return lock;
}

void corinth_lock_destroy(corinth_lock *lock) {
  corinth_mutex_lock(&all_locks_mutex);
  CK_LIST_REMOVE(lock, others);
  corinth_mutex_unlock(&all_locks_mutex);
  pthread_mutex_destroy(&lock->mutex);
  free(lock);
}

void corinth_lock_acquire(corinth_lock *lock) { corinth_mutex_lock(&lock->mutex); }

void corinth_lock_release(corinth_lock *lock) { corinth_mutex_unlock(&lock->mutex); }

pthread_mutex_t *corinth_lock_mutex(corinth_lock *lock) { return &lock->mutex; }

// MARK: - Fork

static void for_each_lock(void (*change)(pthread_mutex_t *mutex)) {
  corinth_lock *each;
  CK_LIST_FOREACH(each, &all_locks, others) change(&each->mutex);
}

const corinth_fork_participant corinth_fork_of_locks = {
    .mutex = &all_locks_mutex, .for_others = for_each_lock};
