// SPDX-License-Identifier: MIT
//
// Striped counters: a thread writes to a cache line of its own, without a locked instruction.
//
// Invariants
//  1. A stripe belongs to a thread's record, which at most one thread has at a time. The record
//     hands the counts on from a thread to the next thread.
//  2. The counts of a stripe only grow. A reader sums up the ends first, then the beginnings: for
//     every end seen, the reader sees the beginning of the same work. The difference is therefore
//     at least the work that was unfinished when the last end was read.
//  3. A thread counts, passes a light barrier and loads a flag; a reader sets the flag, passes a
//     heavy barrier and counts. The thread sees the flag, or the reader sees the count.
//  4. A thread finds its stripe by a thread-local variable. Threads without a record, and all
//     threads where light barriers are fences, find no level there and take the slow path.
//  5. The `held` of a stripe is the number of holds begun there less those ended, until the counter
//     is closed. Only the stripe's thread changes the number, by plain operations. Nobody closes
//     while a hold begins. A thread that ends a hold tells so in the thread's record and, as in 3,
//     looks at the closer's flag; the closer waits for threads that tell. From then on ends count
//     in the counter's `held`, which gets the stripes' numbers, is at least 1 before an end, and
//     far greater until the owner has got all numbers. So exactly one end, or the owner, reaches
//     0; every other caller is done with the counter.

#include "corinth_internal.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { stripes_of_first_level = 8 };

_Static_assert(sizeof(corinth_stripe) == 64, "a stripe is one cache line");

// All counters, so that the child of a fork can clear the counters.
static pthread_mutex_t counters_mutex = PTHREAD_MUTEX_INITIALIZER;
static CK_LIST_HEAD(, corinth_counter) counters = CK_LIST_HEAD_INITIALIZER(counters);

// MARK: - Stripes

CORINTH_THREAD_LOCAL corinth_stripe_place corinth_counter_place = {.level = CORINTH_COUNTER_NO_LEVEL};

corinth_stripe_place corinth_stripe_place_of(size_t number) {
  corinth_stripe_place place = {0};
  size_t first = 0;
  for (size_t end = stripes_of_first_level; number >= end; end *= 2) {
    first = end;
    place.level++;
  }
  if (place.level >= CORINTH_COUNTER_LEVELS) corinth_trap("too many threads");
  place.index = (uint32_t)(number - first);
  return place;
}

static size_t stripes_of(unsigned int level) {
  return level == 0 ? stripes_of_first_level : (size_t)stripes_of_first_level << (level - 1);
}

static corinth_stripe *add_level(corinth_counter *counter, unsigned int level) {
  size_t size = stripes_of(level) * sizeof(corinth_stripe);
  corinth_stripe *made = corinth_allocate(sizeof(corinth_stripe), size, "the stripes of a counter");
  memset(made, 0, size);
  corinth_mutex_lock(&counters_mutex);
  corinth_stripe *present = counter->levels[level];
  if (present == NULL) {
    // Pairs with the acquire in corinth_counter_stripe.
    __atomic_store_n(&counter->levels[level], made, __ATOMIC_RELEASE);
  }
  corinth_mutex_unlock(&counters_mutex);
  if (present == NULL) return made;
  free(made);
  return present;
}

corinth_stripe *corinth_counter_stripe_slowly(corinth_counter *counter) {
  corinth_stripe_place place = corinth_thread_current()->place;
  corinth_stripe *level = __atomic_load_n(&counter->levels[place.level], __ATOMIC_ACQUIRE);
  if (level == NULL) level = add_level(counter, place.level);
  return &level[place.index];
}

// Needless where the barrier is asymmetric, but then a thread passes here once.
static void pass_light_barrier(void) { __atomic_thread_fence(__ATOMIC_SEQ_CST); }

void corinth_counter_begin_slowly(corinth_counter *counter) {
  corinth_stripe_begin(corinth_counter_stripe_slowly(counter));
  pass_light_barrier();
}

void corinth_counter_end_slowly(corinth_counter *counter) {
  corinth_stripe_end(corinth_counter_stripe_slowly(counter));
  pass_light_barrier();
}

void corinth_counter_tally(corinth_counter *counter, uint32_t tally, uint64_t amount) {
  corinth_stripe *stripe = corinth_counter_stripe(counter);
  if (stripe == NULL) stripe = corinth_counter_stripe_slowly(counter);
  uint64_t sum = __atomic_load_n(&stripe->tallies[tally], __ATOMIC_RELAXED);
  __atomic_store_n(&stripe->tallies[tally], sum + amount, __ATOMIC_RELAXED);
}

// MARK: - Reading

static uint64_t sum(const corinth_counter *counter, size_t offset) {
  uint64_t sum = 0;
  for (unsigned int level = 0; level < CORINTH_COUNTER_LEVELS; level++) {
    const corinth_stripe *stripes = __atomic_load_n(&counter->levels[level], __ATOMIC_ACQUIRE);
    if (stripes == NULL) continue;
    for (size_t i = 0; i < stripes_of(level); i++) {
      const uint64_t *count = (const uint64_t *)((const char *)&stripes[i] + offset);
      sum += __atomic_load_n(count, __ATOMIC_ACQUIRE);
    }
  }
  return sum;
}

uint64_t corinth_counter_unfinished(const corinth_counter *counter) {
  // Invariant 2. The first sum's acquires pair with the ends, and precede the second sum's loads.
  uint64_t ended = sum(counter, offsetof(corinth_stripe, ended));
  return sum(counter, offsetof(corinth_stripe, begun)) - ended;
}

uint64_t corinth_counter_tallied(const corinth_counter *counter, uint32_t tally) {
  return sum(counter, offsetof(corinth_stripe, tallies) + tally * sizeof(uint64_t));
}

// MARK: - Holds

bool corinth_counter_let_go_slowly(corinth_counter *counter) {
  corinth_stripe *stripe = corinth_counter_stripe_slowly(counter);
  corinth_thread *thread = corinth_thread_current();
  __atomic_store_n(&thread->letting_go, counter, __ATOMIC_RELAXED);
  pass_light_barrier();
  return corinth_counter_end_told(counter, stripe, thread);
}

// Threads need a few instructions, but may have lost the processor there: the closer sleeps.
static void wait_for_ends(const corinth_counter *counter) {
  const struct timespec pause = {.tv_nsec = 10 * 1000};
  for (const corinth_thread *each = corinth_threads(); each != NULL; each = each->next) {
    while (__atomic_load_n(&each->letting_go, __ATOMIC_ACQUIRE) == counter) {
      nanosleep(&pause, NULL);
    }
  }
}

uint64_t corinth_counter_close(corinth_counter *counter) {
  corinth_mutex_lock(&counters_mutex);
  if (!counter->is_closed) {
    __atomic_store_n(&counter->is_closed, true, __ATOMIC_RELAXED);
    // All beginnings are seen, as they precede the releases of the owner: without a difference, so
    // are all ends.
    __atomic_thread_fence(__ATOMIC_ACQUIRE);
    if (sum(counter, offsetof(corinth_stripe, held)) != 0) {
      corinth_barrier_heavy();
      wait_for_ends(counter);
      uint64_t held = sum(counter, offsetof(corinth_stripe, held));
      __atomic_add_fetch(&counter->held, held, __ATOMIC_ACQ_REL);
    }
  }
  uint64_t held = __atomic_load_n(&counter->held, __ATOMIC_ACQUIRE);
  corinth_mutex_unlock(&counters_mutex);
  return held >= CORINTH_HOLDS_OPEN ? held - CORINTH_HOLDS_OPEN : 0;
}

bool corinth_counter_end_closing(corinth_counter *counter) {
  return __atomic_sub_fetch(&counter->held, CORINTH_HOLDS_OPEN, __ATOMIC_ACQ_REL) == 0;
}

// MARK: - Life

corinth_counter *corinth_counter_create(void) {
  corinth_counter *counter = corinth_allocate(_Alignof(corinth_counter), sizeof *counter, "a counter");
  memset(counter, 0, sizeof *counter);
  counter->held = CORINTH_HOLDS_OPEN;
  corinth_mutex_lock(&counters_mutex);
  CK_LIST_INSERT_HEAD(&counters, counter, others);
  corinth_mutex_unlock(&counters_mutex);
  return counter;
}

void corinth_counter_destroy(corinth_counter *counter) {
  corinth_mutex_lock(&counters_mutex);
  CK_LIST_REMOVE(counter, others);
  corinth_mutex_unlock(&counters_mutex);
  for (unsigned int level = 0; level < CORINTH_COUNTER_LEVELS; level++) free(counter->levels[level]);
  free(counter);
}

// MARK: - Fork

// Counts of other threads end in the parent, and the forking thread's counts cannot be told apart.
// Holds stay: the holds of other threads never end, as the references of other threads do not.
static void clear(void) {
  for (corinth_thread *each = corinth_threads(); each != NULL; each = each->next) {
    each->letting_go = NULL;
  }
  corinth_counter *counter;
  CK_LIST_FOREACH(counter, &counters, others) {
    for (unsigned int level = 0; level < CORINTH_COUNTER_LEVELS; level++) {
      corinth_stripe *stripes = counter->levels[level];
      for (size_t i = 0; stripes != NULL && i < stripes_of(level); i++) {
        stripes[i] = (corinth_stripe){.held = stripes[i].held};
      }
    }
  }
}

const corinth_fork_participant corinth_fork_of_counters = {.mutex = &counters_mutex, .adapt_child = clear};
