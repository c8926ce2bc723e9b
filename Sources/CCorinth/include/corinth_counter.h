// SPDX-License-Identifier: MIT
//
// Striped counters, whose readers pay for what their writers save. Included by CCorinth.h only, in its place.

#pragma once

// MARK: - Barriers

// The heavy half of a barrier. The light half is no instruction where this reaches all threads, otherwise a fence: of
// two threads that each store, pass their half and load what the other one stored, at least one sees the
// other's store. Any thread; a system call.
void corinth_barrier_heavy(void);

// Replaces the call by which all threads pass a barrier, for a test; NULL stands for membarrier(2).
// Not synchronized: set it while nothing else runs.
void corinth_barrier_set_pass(bool (*pass)(void));

// MARK: - Counters

enum : uint32_t { CORINTH_TALLIES = 5 };

// The counts of one thread. One cache line, aligned to one by its level.
typedef struct corinth_stripe {
  uint64_t begun;  // both accessed atomically; only their thread writes them
  uint64_t ended;
  uint64_t held;   // accessed atomically: invariant 5 of counter.c
  uint64_t tallies[CORINTH_TALLIES];  // as those
} corinth_stripe;

static inline void corinth_stripe_begin(corinth_stripe *stripe) {
  uint64_t begun = __atomic_load_n(&stripe->begun, __ATOMIC_RELAXED);
  __atomic_store_n(&stripe->begun, begun + 1, __ATOMIC_RELAXED);
}

static inline void corinth_stripe_end(corinth_stripe *stripe) {
  uint64_t ended = __atomic_load_n(&stripe->ended, __ATOMIC_RELAXED);
  // Pairs with the acquire in corinth_counter_unfinished: what came before the end comes before its reader.
  __atomic_store_n(&stripe->ended, ended + 1, __ATOMIC_RELEASE);
}

// The stripes of threads 0 to 7, 8 to 15, 16 to 31, and so on: as many as Linux has threads. One more level is always
// NULL.
enum : uint32_t { CORINTH_COUNTER_LEVELS = 20, CORINTH_COUNTER_NO_LEVEL = CORINTH_COUNTER_LEVELS };

// Counts what has begun and what has ended. What begins on one thread may end on another.
typedef struct corinth_counter {
  corinth_stripe *levels[CORINTH_COUNTER_LEVELS + 1];  // NULL until used; accessed atomically
  uint64_t held;                                       // accessed atomically: invariant 5 of counter.c
  bool is_closed;                                      // changes with the mutex of all counters held
  CK_LIST_ENTRY(corinth_counter) others;               // guarded by that mutex
} corinth_counter;

// Never NULL: traps when out of memory. The caller owns it.
corinth_counter *corinth_counter_create(void);

// No other call on this counter may be running or follow.
void corinth_counter_destroy(corinth_counter *counter);

// Where the calling thread's stripe of each counter is: at CORINTH_COUNTER_NO_LEVEL for a thread without a record, and
// where light barriers are fences. One load instead of three that wait for each other.
extern CORINTH_THREAD_LOCAL corinth_stripe_place corinth_counter_place;

// The calling thread's stripe, NULL before its first use and where light barriers are fences.
static inline corinth_stripe *corinth_counter_stripe(const corinth_counter *counter) {
  corinth_stripe_place place = corinth_counter_place;
  // Pairs with the release in add_level of counter.c.
  corinth_stripe *level = __atomic_load_n(&counter->levels[place.level], __ATOMIC_ACQUIRE);
  return CORINTH_LIKELY(level != NULL) ? &level[place.index] : NULL;
}

// The same two as below. Out of line, so that these stay small.
void corinth_counter_begin_slowly(corinth_counter *counter);
void corinth_counter_end_slowly(corinth_counter *counter);

// Counts something that begins. Any thread; wait-free, save for the thread's first use of the counter, which traps
// when out of memory. Ends with the light half of a barrier.
static inline void corinth_counter_begin(corinth_counter *counter) {
  corinth_stripe *stripe = corinth_counter_stripe(counter);
  if (CORINTH_LIKELY(stripe != NULL)) {
    corinth_stripe_begin(stripe);
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
  } else {
    corinth_counter_begin_slowly(counter);
  }
}

// Counts the end of something that this or another thread has begun before. As corinth_counter_begin.
static inline void corinth_counter_end(corinth_counter *counter) {
  corinth_stripe *stripe = corinth_counter_stripe(counter);
  if (CORINTH_LIKELY(stripe != NULL)) {
    corinth_stripe_end(stripe);
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
  } else {
    corinth_counter_end_slowly(counter);
  }
}

// MARK: - Holds

// Holds keep alive what the counter belongs to, as references do, without a write to memory that threads share. Whoever
// owns that closes the counter when it gives it up, and learns how many holds are left. The last of these learns that it is.

enum : uint64_t {
  CORINTH_STRIPE_CLOSED = 1,  // of a stripe's `held`
  CORINTH_HOLD = 2,
  CORINTH_HOLDS_OPEN = UINT64_C(1) << 62  // of a counter's, until its holds are down to what the stripes do not count
};

// The calling thread's stripe, made on first use. Out of line, for whoever has found none.
corinth_stripe *corinth_counter_stripe_slowly(corinth_counter *counter);

// Begins a hold; false if the counter has been closed. The caller keeps the owner from closing it meanwhile.
static inline bool corinth_counter_hold(corinth_counter *counter) {
  corinth_stripe *stripe = corinth_counter_stripe(counter);
  if (!CORINTH_LIKELY(stripe != NULL)) stripe = corinth_counter_stripe_slowly(counter);
  uint64_t held = __atomic_load_n(&stripe->held, __ATOMIC_RELAXED);
  if (!CORINTH_LIKELY((held & CORINTH_STRIPE_CLOSED) == 0)) return false;
  __atomic_store_n(&stripe->held, held + CORINTH_HOLD, __ATOMIC_RELAXED);
  return true;
}

// Ends a hold, of this or another thread. True if it was the last one of a counter whose owner has given it up: the caller
// then releases what it belongs to. Otherwise it may be gone when this returns.
static inline bool corinth_counter_let_go(corinth_counter *counter) {
  corinth_stripe *stripe = corinth_counter_stripe(counter);
  if (!CORINTH_LIKELY(stripe != NULL)) stripe = corinth_counter_stripe_slowly(counter);
  // Pairs with the exchange in corinth_counter_close, or with the other ends: what holders have done comes before the release.
  uint64_t held = __atomic_sub_fetch(&stripe->held, CORINTH_HOLD, __ATOMIC_ACQ_REL);
  if (CORINTH_LIKELY((held & CORINTH_STRIPE_CLOSED) == 0)) return false;
  return __atomic_sub_fetch(&counter->held, 1, __ATOMIC_ACQ_REL) == 0;
}

// Has no more holds begin, and returns how many there are; none of them is told that it is the last before
// corinth_counter_end_closing, and 0 is returned after that.
uint64_t corinth_counter_close(corinth_counter *counter);

// True if no holds are left: the caller is then the last.
bool corinth_counter_end_closing(corinth_counter *counter);

// MARK: - Sums

// Adds to one of the counter's CORINTH_TALLIES sums, which are independent of what begins and ends. Any thread; wait-free,
// save for the thread's first use of the counter. No barrier.
void corinth_counter_tally(corinth_counter *counter, uint32_t tally, uint64_t amount);

// A sum: what was added before the call, and maybe some of what is being added. Any thread.
uint64_t corinth_counter_tallied(const corinth_counter *counter, uint32_t tally);

// How much has begun and not ended: never less than there was at some moment of the call, of what began before
// a corinth_barrier_heavy that came before the call. Any thread.
uint64_t corinth_counter_unfinished(const corinth_counter *counter);
