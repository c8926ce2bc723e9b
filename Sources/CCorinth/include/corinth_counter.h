// SPDX-License-Identifier: MIT
//
// Striped counters, whose readers pay for what their writers save. Included by CCorinth.h only, in its place.

#pragma once

// MARK: - Barriers

// Whether corinth_barrier_heavy reaches all threads, by membarrier(2). Constant once the process is initialised.
extern bool corinth_barrier_is_asymmetric;

// Orders the stores before it and the loads behind it. Pairs with corinth_barrier_heavy: of two threads that
// each store, pass their barrier and load what the other one stored, at least one sees the other's store.
static inline void corinth_barrier_light(void) {
  if (CORINTH_LIKELY(corinth_barrier_is_asymmetric)) {
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
  } else {
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
  }
}

// See corinth_barrier_light. Any thread; a system call.
void corinth_barrier_heavy(void);

// MARK: - Counters

// What one thread has counted. One cache line, aligned to one by its level.
typedef struct corinth_stripe {
  uint64_t begun;  // both accessed atomically; only their thread writes them
  uint64_t ended;
  uint64_t unused[6];
} corinth_stripe;

// The stripes of threads 0 to 7, 8 to 15, 16 to 31, and so on: as many as Linux has threads.
enum { CORINTH_COUNTER_LEVELS = 20 };

// Counts what has begun and what has ended. What begins on one thread may end on another.
typedef struct corinth_counter {
  corinth_stripe *levels[CORINTH_COUNTER_LEVELS];  // NULL until used; accessed atomically
  struct corinth_counter *previous;
  struct corinth_counter *next;
} corinth_counter;

// Never NULL: traps when out of memory. The caller owns it.
corinth_counter *corinth_counter_create(void);

// No other call on this counter may be running or follow.
void corinth_counter_destroy(corinth_counter *counter);

// Allocates a level, unless another thread has. Traps when out of memory.
corinth_stripe *corinth_counter_add_level(corinth_counter *counter, unsigned int level);

static inline corinth_stripe *corinth_counter_stripe(corinth_counter *counter) {
  corinth_thread *thread = corinth_thread_current();
  // Pairs with the release in corinth_counter_add_level.
  corinth_stripe *level =
      __atomic_load_n(&counter->levels[thread->stripe_level], __ATOMIC_ACQUIRE);
  if (!CORINTH_LIKELY(level != NULL)) {
    level = corinth_counter_add_level(counter, thread->stripe_level);
  }
  return &level[thread->stripe_index];
}

// Counts something that begins. Any thread; wait-free once its stripe exists. Ends with corinth_barrier_light.
static inline void corinth_counter_begin(corinth_counter *counter) {
  corinth_stripe *stripe = corinth_counter_stripe(counter);
  uint64_t begun = __atomic_load_n(&stripe->begun, __ATOMIC_RELAXED);
  __atomic_store_n(&stripe->begun, begun + 1, __ATOMIC_RELAXED);
  corinth_barrier_light();
}

// Counts the end of something that this or another thread has begun before. As corinth_counter_begin.
static inline void corinth_counter_end(corinth_counter *counter) {
  corinth_stripe *stripe = corinth_counter_stripe(counter);
  uint64_t ended = __atomic_load_n(&stripe->ended, __ATOMIC_RELAXED);
  // Pairs with the acquire in corinth_counter_unfinished: what came before the end comes before its reader.
  __atomic_store_n(&stripe->ended, ended + 1, __ATOMIC_RELEASE);
  corinth_barrier_light();
}

// How much has begun and not ended: never less than there was at some moment of the call, of what began before
// a corinth_barrier_heavy that came before the call. Any thread.
uint64_t corinth_counter_unfinished(const corinth_counter *counter);
