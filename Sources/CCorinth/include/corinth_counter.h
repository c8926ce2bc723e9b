// SPDX-License-Identifier: MIT
//
// Striped counters: cheap writes, at the cost of reads. Included by CCorinth.h only, in its place.

#pragma once

// MARK: - Barriers

// The heavy half of a barrier. The light half is no instruction where the heavy half reaches all
// threads, otherwise a fence. If one thread stores, passes the light half and loads, and another
// does so with the heavy half, at least one sees the other's store. Any thread; a system call.
void corinth_barrier_heavy(void);

// Replaces the call by which all threads pass a barrier, for a test; NULL restores membarrier(2).
// Not synchronized: set the call while nothing else runs.
void corinth_barrier_set_pass(bool (*pass)(void));

// MARK: - Counters

enum : uint32_t { CORINTH_TALLIES = 5 };

// The counts of a thread: a cache line, aligned by the level.
typedef struct corinth_stripe {
  uint64_t begun;  // begun and ended: written by the thread only, accessed atomically
  uint64_t ended;
  uint64_t held;   // written by the thread only, accessed atomically: invariant 5 of counter.c
  uint64_t tallies[CORINTH_TALLIES];  // written by the thread only, accessed atomically
} corinth_stripe;

static inline void corinth_stripe_begin(corinth_stripe *stripe) {
  uint64_t begun = __atomic_load_n(&stripe->begun, __ATOMIC_RELAXED);
  __atomic_store_n(&stripe->begun, begun + 1, __ATOMIC_RELAXED);
}

static inline void corinth_stripe_end(corinth_stripe *stripe) {
  uint64_t ended = __atomic_load_n(&stripe->ended, __ATOMIC_RELAXED);
  // Pairs with the acquire in corinth_counter_unfinished: work before the end precedes the reader.
  __atomic_store_n(&stripe->ended, ended + 1, __ATOMIC_RELEASE);
}

// The stripes of threads 0 to 7, 8 to 15, 16 to 31, and so on: as many as Linux has threads. One
// more level is always NULL.
enum : uint32_t { CORINTH_COUNTER_LEVELS = 20, CORINTH_COUNTER_NO_LEVEL = CORINTH_COUNTER_LEVELS };

// Counts beginnings and ends. Work begun on one thread may end on another thread.
typedef struct corinth_counter {
  corinth_stripe *levels[CORINTH_COUNTER_LEVELS + 1];  // NULL until used; accessed atomically
  uint64_t held;                                       // atomic: invariant 5 of counter.c
  bool is_closed;                                      // atomic: invariant 5 of counter.c
  CK_LIST_ENTRY(corinth_counter) others;               // guarded by the mutex of all counters
} corinth_counter;

// Never NULL: traps when out of memory. Owned by the caller.
corinth_counter *corinth_counter_create(void);

// No other call on the counter may be running or follow.
void corinth_counter_destroy(corinth_counter *counter);

// The place of the calling thread's stripe in every counter: CORINTH_COUNTER_NO_LEVEL for a thread
// without a record, and where light barriers are fences. One load instead of three dependent loads.
extern CORINTH_THREAD_LOCAL corinth_stripe_place corinth_counter_place;

// The calling thread's stripe; NULL before the first use, and where light barriers are fences.
static inline corinth_stripe *corinth_counter_stripe(const corinth_counter *counter) {
  corinth_stripe_place place = corinth_counter_place;
  // Pairs with the release in add_level of counter.c.
  corinth_stripe *level = __atomic_load_n(&counter->levels[place.level], __ATOMIC_ACQUIRE);
  return CORINTH_LIKELY(level != NULL) ? &level[place.index] : NULL;
}

// The slow paths of the two functions below, out of line to keep both functions small.
void corinth_counter_begin_slowly(corinth_counter *counter);
void corinth_counter_end_slowly(corinth_counter *counter);

// Counts something that begins. Any thread; wait-free, save for the thread's first use of the
// counter, which traps when out of memory. Ends with the light half of a barrier.
static inline void corinth_counter_begin(corinth_counter *counter) {
  corinth_stripe *stripe = corinth_counter_stripe(counter);
  if (CORINTH_LIKELY(stripe != NULL)) {
    corinth_stripe_begin(stripe);
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
  } else {
    corinth_counter_begin_slowly(counter);
  }
}

// Counts the end of work begun on this or another thread. Otherwise as corinth_counter_begin.
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

// Holds keep the counter's object alive like references, without writes to shared memory. The owner
// of the object closes the counter and learns how many holds are left; the last end is told.

// The value of a counter's `held` until the closing ends, less the holds ended meanwhile.
enum : uint64_t { CORINTH_HOLDS_OPEN = UINT64_C(1) << 62 };

// The calling thread's stripe, made on first use. Out of line, for whoever has found none.
corinth_stripe *corinth_counter_stripe_slowly(corinth_counter *counter);

// Begins a hold; false if the counter is closed. The caller prevents a concurrent closing.
static inline bool corinth_counter_hold(corinth_counter *counter) {
  corinth_stripe *stripe = corinth_counter_stripe(counter);
  if (!CORINTH_LIKELY(stripe != NULL)) stripe = corinth_counter_stripe_slowly(counter);
  if (!CORINTH_LIKELY(!__atomic_load_n(&counter->is_closed, __ATOMIC_RELAXED))) return false;
  uint64_t held = __atomic_load_n(&stripe->held, __ATOMIC_RELAXED);
  __atomic_store_n(&stripe->held, held + 1, __ATOMIC_RELAXED);
  return true;
}

// The end of a hold by a thread that has told so, and has passed a light barrier since.
static inline bool corinth_counter_end_told(
    corinth_counter *counter, corinth_stripe *stripe, corinth_thread *thread) {
  bool is_closed = __atomic_load_n(&counter->is_closed, __ATOMIC_RELAXED);
  uint64_t held = __atomic_load_n(&stripe->held, __ATOMIC_RELAXED) - 1;
  // The stores pair with the acquires in corinth_counter_close: uses of the object precede its end.
  if (CORINTH_LIKELY(!is_closed)) __atomic_store_n(&stripe->held, held, __ATOMIC_RELEASE);
  __atomic_store_n(&thread->letting_go, NULL, __ATOMIC_RELEASE);
  return !CORINTH_LIKELY(!is_closed) && __atomic_sub_fetch(&counter->held, 1, __ATOMIC_ACQ_REL) == 0;
}

// As corinth_counter_let_go, with a fence.
bool corinth_counter_let_go_slowly(corinth_counter *counter);

// Ends a hold, of this or another thread. True for the last hold of a closed counter: the caller
// then releases the object. After false, the counter may be gone by the return of the call.
static inline bool corinth_counter_let_go(corinth_counter *counter) {
  corinth_stripe *stripe = corinth_counter_stripe(counter);
  if (!CORINTH_LIKELY(stripe != NULL)) return corinth_counter_let_go_slowly(counter);
  corinth_thread *thread = corinth_thread_current();
  __atomic_store_n(&thread->letting_go, counter, __ATOMIC_RELAXED);
  // The light half of a barrier. The heavy half is in corinth_counter_close.
  __atomic_signal_fence(__ATOMIC_SEQ_CST);
  return corinth_counter_end_told(counter, stripe, thread);
}

// Refuses further holds and returns how many there are. No end of a hold is told to be the last
// before corinth_counter_end_closing; after corinth_counter_end_closing the call returns 0.
uint64_t corinth_counter_close(corinth_counter *counter);

// True if no holds are left: the caller is then the last. Pairs with corinth_counter_let_go.
bool corinth_counter_end_closing(corinth_counter *counter);

// MARK: - Sums

// Adds to one of the CORINTH_TALLIES sums, which are independent of beginnings and ends. Any
// thread; wait-free, save for the thread's first use of the counter. No barrier.
void corinth_counter_tally(corinth_counter *counter, uint32_t tally, uint64_t amount);

// A sum: all additions before the call, and maybe some concurrent additions. Any thread.
uint64_t corinth_counter_tallied(const corinth_counter *counter, uint32_t tally);

// How much has begun and not ended: at least as much as at some moment of the call, counting work
// begun before a corinth_barrier_heavy that preceded the call. Any thread.
uint64_t corinth_counter_unfinished(const corinth_counter *counter);
