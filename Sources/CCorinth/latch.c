// SPDX-License-Identifier: MIT

#include "corinth_internal.h"

#include <stdlib.h>

struct corinth_latch {
  corinth_lock *lock;
  pthread_cond_t opened;
  bool is_open;
};

corinth_latch *corinth_latch_create(void) {
  corinth_latch *latch = corinth_allocate(_Alignof(corinth_latch), sizeof *latch, "a latch");
  latch->lock = corinth_lock_create();
  if (pthread_cond_init(&latch->opened, NULL) != 0) corinth_trap("no condition for a latch");
  latch->is_open = false;
  return latch;
}

void corinth_latch_destroy(corinth_latch *latch) {
  pthread_cond_destroy(&latch->opened);
  corinth_lock_destroy(latch->lock);
  free(latch);
}

void corinth_latch_open(corinth_latch *latch) {
  corinth_lock_acquire(latch->lock);
  latch->is_open = true;
  // Signaled with the mutex held: after the unlock the waiter may destroy the latch.
  pthread_cond_signal(&latch->opened);
  corinth_lock_release(latch->lock);
}

void corinth_latch_wait(corinth_latch *latch) {
  corinth_lock_acquire(latch->lock);
  while (!latch->is_open) pthread_cond_wait(&latch->opened, corinth_lock_mutex(latch->lock));
  corinth_lock_release(latch->lock);
}
