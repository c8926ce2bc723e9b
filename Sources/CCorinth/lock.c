// SPDX-License-Identifier: MIT
//
// The mutexes of objects, of this library's other products too.
//
// Fork: all are in a list. A fork locks it and each of them, last of all: no mutex of the core is locked, and no lock
// made or destroyed, with one of these held.

#include "corinth_internal.h"

#include <stdlib.h>

struct corinth_lock {
  pthread_mutex_t mutex;
  corinth_lock *next, *previous;
};

static pthread_mutex_t all_locks_mutex = PTHREAD_MUTEX_INITIALIZER;
static corinth_lock *all_locks;

corinth_lock *corinth_lock_create(void) {
  corinth_process_initialize();
  corinth_lock *lock = corinth_allocate(_Alignof(corinth_lock), sizeof *lock, "a lock");
  if (pthread_mutex_init(&lock->mutex, NULL) != 0) corinth_trap("no mutex for a lock");
  corinth_mutex_lock(&all_locks_mutex);
  lock->previous = NULL;
  lock->next = all_locks;
  if (all_locks != NULL) all_locks->previous = lock;
  all_locks = lock;
  corinth_mutex_unlock(&all_locks_mutex);
  return lock;
}

void corinth_lock_destroy(corinth_lock *lock) {
  corinth_mutex_lock(&all_locks_mutex);
  if (lock->next != NULL) lock->next->previous = lock->previous;
  if (lock->previous != NULL) {
    lock->previous->next = lock->next;
  } else {
    all_locks = lock->next;
  }
  corinth_mutex_unlock(&all_locks_mutex);
  pthread_mutex_destroy(&lock->mutex);
  free(lock);
}

void corinth_lock_acquire(corinth_lock *lock) { corinth_mutex_lock(&lock->mutex); }

void corinth_lock_release(corinth_lock *lock) { corinth_mutex_unlock(&lock->mutex); }

pthread_mutex_t *corinth_lock_mutex(corinth_lock *lock) { return &lock->mutex; }

// MARK: - Fork

static void for_each_lock(void (*change)(pthread_mutex_t *mutex)) {
  for (corinth_lock *each = all_locks; each != NULL; each = each->next) change(&each->mutex);
}

const corinth_fork_participant corinth_fork_of_locks = {
    .mutex = &all_locks_mutex, .for_others = for_each_lock};
