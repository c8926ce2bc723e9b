// SPDX-License-Identifier: MIT
//
// Locks, latches, and threads of the library's own. Included by CCorinth.h only, in its place.

#pragma once

// A mutex that a fork waits for, and that is free in the child. Not recursive.
typedef struct corinth_lock corinth_lock;
corinth_lock *corinth_lock_create(void);  // never NULL: traps when out of memory
void corinth_lock_destroy(corinth_lock *lock);
void corinth_lock_acquire(corinth_lock *lock);
void corinth_lock_release(corinth_lock *lock);

// A one-shot latch: one thread waits, another opens.
typedef struct corinth_latch corinth_latch;
corinth_latch *corinth_latch_create(void);  // never NULL: traps when out of memory
void corinth_latch_destroy(corinth_latch *latch);
void corinth_latch_open(corinth_latch *latch);
void corinth_latch_wait(corinth_latch *latch);
// Whether it was opened in this time.
bool corinth_latch_wait_for(corinth_latch *latch, unsigned int milliseconds);

// Starts a thread that nobody joins, and that receives no signals but for its own faults; false when there is none to be
// had. `body` gets `argument`. Any thread.
bool corinth_thread_start(void *(*body)(void *), void *argument);
// Names the calling thread for debuggers and monitors; 15 characters at most.
void corinth_thread_set_name(const char *name);

// The threads that keep limits of time: the thread that waits for the next deadline, and threads that run work which may block.
typedef enum corinth_limit_group {
  CORINTH_LIMIT_ALARM,
  CORINTH_LIMIT_WORK,
  CORINTH_LIMIT_STEPS,
  CORINTH_LIMIT_CANCELLATIONS,
  CORINTH_LIMIT_GROUPS
} corinth_limit_group;

// The mutex of the state that these share. Held for a few loads and stores, never while user code runs; it may be taken
// with the mutex of the wait-for graph held. Not recursive.
void corinth_limits_lock(void);
void corinth_limits_unlock(void);
// With that mutex held, gives it up and waits until a thread of the group is woken, or for this long. Whether it was
// woken, by somebody or by nobody.
bool corinth_limits_wait(corinth_limit_group group, uint64_t nanoseconds);
// With that mutex held, wakes one that waits.
void corinth_limits_wake(corinth_limit_group group);

// The number of processors that the process may use.
unsigned int corinth_processor_count(void);

// The process-wide mutex of the wait-for graph. Held for a few loads and stores, never while
// user code runs. Not recursive.
void corinth_waits_lock(void);
void corinth_waits_unlock(void);

// The number of mutexes of the core that the calling thread holds, for assertions: what may run user code must not run
// with one held. Any thread.
unsigned int corinth_locks_held(void);
