// SPDX-License-Identifier: MIT
//
// Locks, latches, and threads of the library's own. Included by CCorinth.h only, in its place.

#pragma once

// A mutex that fork(2) waits for, free in the child. Not recursive.
typedef struct corinth_lock corinth_lock;
corinth_lock *corinth_lock_create(void);  // never NULL: traps when out of memory
void corinth_lock_destroy(corinth_lock *lock);
void corinth_lock_acquire(corinth_lock *lock);
void corinth_lock_release(corinth_lock *lock);

// A one-shot latch: a thread waits, a second thread opens.
typedef struct corinth_latch corinth_latch;
corinth_latch *corinth_latch_create(void);  // never NULL: traps when out of memory
void corinth_latch_destroy(corinth_latch *latch);
void corinth_latch_open(corinth_latch *latch);
void corinth_latch_wait(corinth_latch *latch);

// Starts a detached thread that receives no signals but for its own faults; false when the system
// has no thread left. `body` gets `argument`. Any thread.
bool corinth_thread_start(void *(*body)(void *), void *argument);
// Names the calling thread for debuggers and monitors; 15 characters at most.
void corinth_thread_set_name(const char *name);

// Threads that keep time limits: the alarm waits for a deadline; the rest run work that may block.
typedef enum corinth_limit_group {
  CORINTH_LIMIT_ALARM,
  CORINTH_LIMIT_WORK,
  CORINTH_LIMIT_STEPS,
  CORINTH_LIMIT_CANCELLATIONS,
  CORINTH_LIMIT_GROUPS
} corinth_limit_group;

// The mutex of the state shared by the threads of limits. Held for a few loads and stores, never
// while user code runs; may be taken under the mutex of the wait-for graph. Not recursive.
void corinth_limits_lock(void);
void corinth_limits_unlock(void);
// With the limits mutex held: unlocks and waits for a wake-up of the group, or this long. Whether
// there was a wake-up, caused by a thread or spurious.
bool corinth_limits_wait(corinth_limit_group group, uint64_t nanoseconds);
// With the limits mutex held, wakes a waiting thread of the group.
void corinth_limits_wake(corinth_limit_group group);

// The process-wide mutex of the wait-for graph. Held for a few loads and stores, never while
// user code runs. Not recursive.
void corinth_waits_lock(void);
void corinth_waits_unlock(void);

// The number of core mutexes held by the calling thread, for assertions: code that may run user
// code must hold none. Any thread.
unsigned int corinth_locks_held(void);
