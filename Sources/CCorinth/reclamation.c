// SPDX-License-Identifier: MIT
//
// Deferred destruction: an unlinked object is destroyed once no section can see the object.
//
// Invariants
//  1. One epoch record holds the pending objects. Calls and polls on the record happen under
//     reclaimer_mutex, which makes "the owner of the record" the holder of the mutex.
//  2. Retired objects wait in a list of their thread until *gathered* by any thread, with the mutex
//     held: take the lists; pass a barrier for all threads; call the epoch. So every object in the
//     epoch was unlinked before a barrier, which came before every scan of the sections that
//     decides on the object. If a section saw the object linked, the barrier has the scan see the
//     section, with an epoch no newer than the object's: the section loaded its epoch before the
//     barrier, and an epoch only ends in a poll, after the barrier. Other sections do not see the
//     object. Without the barrier, ck_epoch_poll of 0.7.1, which dispatches one epoch early, frees
//     under a reader.
//  3. No barrier is needed while a single thread has a record: a new thread sees earlier unlinks.
//  4. A poll moves objects that no section can see to the list `ready`. Destroying threads take
//     objects from there one by one: several threads may share a long list, and a fork loses at
//     most an object for every destroying thread.
//  5. Destructors run with no mutex held.
//  6. A thread that retires within a destructor adds to the work of the thread's outer loop, so
//     that a chain of destructors does not become a chain of stack frames.
//  7. Whoever leaves objects waiting or pending makes sure that the collector runs (collector.c).
//  8. After a failed barrier, no object that needs a barrier is destroyed any more.
//  9. A thread polls for its own retired objects: at once, or once after the section, construction
//     or compatibility module's run around. A thread without any, a mere reader, takes no mutex.
// 10. User code may run for any time, so a section ends first, and leaves a *use*, a hazard pointer
//     to the one object that the code needs, stored before the section ends. So a poll that finds
//     no section for an object, and only then reads the uses, finds the use, or the use has ended.

#include "corinth_internal.h"

#include <stdlib.h>

static pthread_mutex_t reclaimer_mutex = PTHREAD_MUTEX_INITIALIZER;
static ck_epoch_record_t reclaimer;
static ck_stack_t ready = CK_STACK_INITIALIZER;
static size_t pending_count;    // on the record and on `ready`; written with the mutex held
uint64_t corinth_withdrawals;     // gathered and not destroyed; accessed atomically
static uint64_t destroyed_count;
static uint64_t poll_count;     // with the mutex held
static bool is_stopped;         // a barrier has failed; written with the mutex held
static bool has_collector;

// A poll moves the epoch by one, and three moves free everything retired before the first. Readers
// that come and go can make a poll fail, so a few more are tried; a section that stays open ends
// the attempt, because a writer never waits for a reader.
static const int polls_without_progress = 8;

// The most pending objects of other threads that a call destroys: a few tenths of a millisecond,
// even where a long section has held back millions of objects. More than one, so that the list
// shrinks with every call.
static const size_t share_of_a_call = 1024;

// The most retired objects of a thread that wait to be gathered, and so share one barrier.
static const uint32_t waiting_at_most = 32;

// Barriers may take one in so many parts of the time, in a burst the share of the remembered time.
// While barriers are rarer, nothing waits. A barrier takes half a microsecond beside idle threads,
// and more than ten beside running threads. The next is at most a longest pause away.
enum : uint64_t {
  share_of_barriers = 32,
  memory_of_barriers = 64 * UINT64_C(1000000),
  longest_pause = 4 * UINT64_C(1000000),
};
static uint64_t next_barrier;  // the earliest time of the next barrier; accessed atomically

// Destructors do not run inside a factory: a resolve in a destructor would look like a cycle.
// Building threads leave up to this many objects to the collector, and no more: a service may run
// inside a construction all its life, and retire objects faster than a thread destroys objects.
static const size_t pending_in_constructions = 256;

// MARK: - Destruction

// Entries leave through ck_epoch_poll_deferred, which calls no entry's function.
static void never_called(ck_epoch_entry_t *entry) {
  (void)entry;
  corinth_trap("a retired object was dispatched by the epoch itself");
}

static size_t how_many_pending(void) { return __atomic_load_n(&pending_count, __ATOMIC_RELAXED); }

// Pairs with the release in corinth_section_leave. The records are read with relaxed loads: on a
// weakly ordered machine a destructor could otherwise begin before the last accesses of an ended
// section. Under the mutex, which hands the order on to other threads that take from the list.
static void acquire_ended_sections(void) {
  __atomic_thread_fence(__ATOMIC_ACQUIRE);
  CORINTH_TSAN_ACQUIRE(&corinth_sections_tsan);
}

static void destroy_taken(corinth_thread *thread, void *object, corinth_destructor destroy) {
  thread->is_reclaiming = true;
  destroy(object);
  thread->is_destroying = false;
  __atomic_fetch_add(&destroyed_count, 1, __ATOMIC_RELEASE);
  thread->is_reclaiming = false;
}

// MARK: - Gathering

#if defined(__linux__)
static uint64_t coarse_nanoseconds(void) { return corinth_nanoseconds(CLOCK_MONOTONIC_COARSE); }
#else
static uint64_t coarse_nanoseconds(void) { return corinth_nanoseconds(CLOCK_MONOTONIC); }
#endif

static bool are_barriers_rare(void) {
  return __atomic_load_n(&next_barrier, __ATOMIC_RELAXED) <= coarse_nanoseconds();
}

// Whether all threads have passed a barrier. The mutex is held.
static bool pass_barrier(void) {
  if (corinth_thread_is_alone()) return true;
  if (is_stopped) return false;
  uint64_t begin = corinth_nanoseconds(CLOCK_MONOTONIC);
  bool is_passed = corinth_barrier_for_all();
  uint64_t end = corinth_nanoseconds(CLOCK_MONOTONIC);
  uint64_t next = __atomic_load_n(&next_barrier, __ATOMIC_RELAXED);
  if (next + memory_of_barriers < end) next = end - memory_of_barriers;
  next += (end - begin) * share_of_barriers;
  if (next > end + longest_pause) next = end + longest_pause;
  __atomic_store_n(&next_barrier, next, __ATOMIC_RELAXED);
  return is_passed;
}

// The entries of all threads, for every thread the oldest first, an order that the epoch keeps.
static ck_stack_entry_t *take_all_waiting(size_t *count) {
  ck_stack_entry_t *all = NULL;
  *count = 0;
  for (corinth_thread *each = corinth_threads(); each != NULL; each = each->next) {
    if (__atomic_load_n(&each->retired, __ATOMIC_RELAXED) == NULL) continue;
    // First, so that the thread counts too many rather than too few.
    __atomic_store_n(&each->retired_waiting, 0, __ATOMIC_RELAXED);
    // Pairs with the compare-and-exchange in wait_to_be_gathered.
    ck_stack_entry_t *entry = __atomic_exchange_n(&each->retired, NULL, __ATOMIC_ACQ_REL);
    while (entry != NULL) {
      ck_stack_entry_t *older = entry->next;
      entry->next = all;
      all = entry;
      entry = older;
      ++*count;
    }
  }
  return all;
}

static bool gather_assuming_mutex_held(void) {
  size_t count;
  ck_stack_entry_t *entry = take_all_waiting(&count);
  if (entry == NULL) return true;
  // Before the barrier: pairs with corinth_reference_give.
  __atomic_fetch_add(&corinth_withdrawals, count, __ATOMIC_SEQ_CST);
  bool is_passed = pass_barrier();
  while (entry != NULL) {
    ck_stack_entry_t *next = entry->next;
    ck_epoch_call(
        &reclaimer, (ck_epoch_entry_t *)((char *)entry - offsetof(ck_epoch_entry_t, stack_entry)),
        never_called);
    __atomic_fetch_add(&pending_count, 1, __ATOMIC_RELAXED);
    entry = next;
  }
  bool has_failed = !is_passed && !is_stopped;
  if (has_failed) __atomic_store_n(&is_stopped, true, __ATOMIC_RELAXED);
  return !has_failed;
}

void corinth_reclaim_gather(void) {
  corinth_mutex_lock(&reclaimer_mutex);
  bool is_passed = gather_assuming_mutex_held();
  corinth_mutex_unlock(&reclaimer_mutex);
  if (is_passed) return;
  corinth_standard_error_write(
      "membarrier(2) has failed, which it did not at the start of the process: a filter of system calls forbids it. What is "
      "replaced from now on stays in memory. Install the filter before the process starts, or allow the call.");
}

// MARK: - Retirement

static void initialize(void) { ck_epoch_register(corinth_epoch(), &reclaimer, NULL); }

static corinth_thread *begin_retirement(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, initialize);
  corinth_thread *thread = corinth_thread_current();
  corinth_fence_after_exchange();
  // Before the object waits: a forked child counts other threads' objects as destroyed or pending.
  __atomic_store_n(&thread->retired_count, thread->retired_count + 1, __ATOMIC_RELAXED);
  return thread;
}

// Mostly nothing is pending and no section can be open: such objects do not need the epoch.
static bool can_be_destroyed_at_once(const corinth_thread *thread) {
  return thread->record.active == 0 && thread->use_count == 0 && !thread->is_reclaiming
      && !corinth_thread_is_building(thread) && how_many_pending() == 0
      && __atomic_load_n(&thread->retired, __ATOMIC_RELAXED) == NULL && corinth_thread_is_alone();
}

bool corinth_retire_is_immediate(void) {
  const corinth_thread *thread = corinth_thread_current();
  corinth_fence_after_exchange();
  return can_be_destroyed_at_once(thread);
}

static void destroy_at_once(corinth_thread *thread, void *object, corinth_destructor destroy) {
  thread->is_destroying = true;
  destroy_taken(thread, object, destroy);
}

static void start_collector(void) {
  if (__atomic_load_n(&is_stopped, __ATOMIC_RELAXED)) return;
  // Pairs with corinth_collector_may_end, which sees the objects left here, or is seen to end.
  if (__atomic_load_n(&has_collector, __ATOMIC_SEQ_CST)
      || __atomic_exchange_n(&has_collector, true, __ATOMIC_SEQ_CST)) {
    return;
  }
  // The next call that leaves objects tries again.
  if (!corinth_collector_start()) __atomic_store_n(&has_collector, false, __ATOMIC_SEQ_CST);
}

// Returns about how many wait. No ABA: only the list's thread adds. Pairs with take_all_waiting.
static uint32_t wait_to_be_gathered(corinth_thread *thread, corinth_retired *node) {
  ck_stack_entry_t *entry = &node->entry.stack_entry;
  entry->next = __atomic_load_n(&thread->retired, __ATOMIC_RELAXED);
  while (!__atomic_compare_exchange_n(
      &thread->retired, &entry->next, entry, false, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED)) {
  }  // The exchange precedes start_collector's load: pairs with corinth_collector_may_end too.
  uint32_t waiting = __atomic_load_n(&thread->retired_waiting, __ATOMIC_RELAXED) + 1;
  __atomic_store_n(&thread->retired_waiting, waiting, __ATOMIC_RELAXED);
  return waiting;
}

static void retire(corinth_thread *thread, corinth_retired *node, bool is_awaited) {
  uint32_t waiting = wait_to_be_gathered(thread, node);
  if (is_awaited || waiting >= waiting_at_most || corinth_thread_is_alone()
      || are_barriers_rare()) {
    corinth_reclaim_gather();
    thread->has_pending = true;
    corinth_reclaim();
  } else {
    start_collector();
  }
}

static corinth_retired *node_of(void *object, corinth_destructor destroy) {
  corinth_retired *node = corinth_allocate(_Alignof(corinth_retired), sizeof *node, "a retired object");
  node->object = object;
  node->destroy = destroy;
  return node;
}

void corinth_retire_node(corinth_retired *node) {
  corinth_thread *thread = begin_retirement();
  if (can_be_destroyed_at_once(thread)) {
    destroy_at_once(thread, node->object, node->destroy);
    free(node);
    corinth_reclaim();
  } else {
    retire(thread, node, false);
  }
}

void corinth_retire(void *object, corinth_destructor destroy, corinth_urgency urgency) {
  corinth_thread *thread = begin_retirement();
  if (can_be_destroyed_at_once(thread)) {
    destroy_at_once(thread, object, destroy);
    if (urgency != CORINTH_WITH_NEXT) corinth_reclaim();
  } else if (urgency == CORINTH_WITH_NEXT) {
    wait_to_be_gathered(thread, node_of(object, destroy));
  } else {
    retire(thread, node_of(object, destroy), urgency == CORINTH_AWAITED);
  }
}

// MARK: - Uses

// Hashes of the objects in use. Different objects may share a hash: then the records decide.
typedef struct used_objects {
  bool are_none;
  uint64_t hashes[64];
} used_objects;

static uint64_t *word_of(used_objects *used, uintptr_t object, uint64_t *bit) {
  uint64_t hash = (uint64_t)object * UINT64_C(0x9E3779B97F4A7C15) >> 52;
  *bit = UINT64_C(1) << (hash & 63);
  return &used->hashes[hash >> 6];
}

// Calls `body` with every object in use until `body` returns true. Returns whether `body` has.
static bool for_each_use(bool (*body)(uintptr_t object, void *argument), void *argument) {
  for (const corinth_thread *each = corinth_threads(); each != NULL; each = each->next) {
    // Pairs with the release in corinth_use_begin.
    uint32_t count = __atomic_load_n(&each->use_count, __ATOMIC_ACQUIRE);
    for (uint32_t i = 0; i < count && i < CORINTH_USES; i++) {
      uintptr_t object = __atomic_load_n(&each->uses[i], __ATOMIC_RELAXED);
      if (object != 0 && body(object, argument)) return true;
    }
  }
  return false;
}

static bool add_use(uintptr_t object, void *argument) {
  used_objects *used = argument;
  uint64_t bit, *word = word_of(used, object, &bit);
  *word |= bit;
  used->are_none = false;
  return false;
}

static bool is_equal(uintptr_t object, void *argument) { return object == (uintptr_t)argument; }

static bool is_used(used_objects *used, void *object) {
  if (used->are_none) return false;
  uint64_t bit, *word = word_of(used, (uintptr_t)object, &bit);
  return (*word & bit) != 0 && for_each_use(is_equal, object);
}

// MARK: - Reclamation

static corinth_retired *node_of_entry(ck_stack_entry_t *entry) {
  return (corinth_retired *)((char *)entry - offsetof(corinth_retired, entry.stack_entry));
}

// Makes objects ready, except objects in use by user code. Invariant 10.
static void make_ready(ck_stack_entry_t *entries) {
  if (entries == NULL) return;
  used_objects used = {.are_none = true};
  for_each_use(add_use, &used);
  while (entries != NULL) {
    ck_stack_entry_t *entry = entries;
    entries = entry->next;
    corinth_retired *node = node_of_entry(entry);
    if (is_used(&used, node->object)) {
      ck_epoch_call(&reclaimer, &node->entry, never_called);
    } else {
      ck_stack_push_spnc(&ready, entry);
    }
  }
  // Pairs with the release in corinth_use_end: the entry may already hold the thread's next use.
  acquire_ended_sections();
}

static void poll_assuming_mutex_held(void) {
  if (is_stopped) return;
  poll_count++;
  ck_stack_t unseen = CK_STACK_INITIALIZER;
  ck_epoch_poll_deferred(&reclaimer, &unseen);
  acquire_ended_sections();
  make_ready(ck_stack_batch_pop_npsc(&unseen));
}

// A retired object that no section can see any more, or NULL.
static corinth_retired *take(corinth_thread *thread) {
  corinth_mutex_lock(&reclaimer_mutex);
  if (CK_STACK_ISEMPTY(&ready)) poll_assuming_mutex_held();
  ck_stack_entry_t *taken = ck_stack_pop_npsc(&ready);
  if (taken != NULL) {
    thread->is_destroying = true;
    __atomic_fetch_sub(&pending_count, 1, __ATOMIC_RELAXED);
  }
  corinth_mutex_unlock(&reclaimer_mutex);
  if (taken == NULL) return NULL;
  return node_of_entry(taken);
}

size_t corinth_reclaim_at_most(size_t count) {
  corinth_thread *thread = corinth_thread_current();
  size_t destroyed = 0;
  for (int idle = 0; idle < polls_without_progress && destroyed < count && how_many_pending() > 0;) {
    corinth_retired *node = take(thread);
    if (node == NULL) {
      idle++;
      continue;
    }
    idle = 0;
    destroy_taken(thread, node->object, node->destroy);
    // After the withdrawal by the destructor: pairs with corinth_reference_give.
    __atomic_fetch_sub(&corinth_withdrawals, 1, __ATOMIC_RELEASE);
    free(node);
    destroyed++;
  }
  return destroyed;
}

void corinth_reclaim(void) {
  size_t pending = how_many_pending();
  if (pending == 0 || __atomic_load_n(&is_stopped, __ATOMIC_RELAXED)) return;
  corinth_thread *thread = corinth_thread_current();
  if (thread->is_reclaiming || !thread->has_pending) return;  // invariants 6 and 9
  bool may_destroy = (!corinth_thread_is_building(thread) && thread->use_count == 0)
      || pending >= pending_in_constructions;
  if (may_destroy && thread->record.active == 0) {
    thread->has_pending = false;
    corinth_reclaim_at_most(share_of_a_call);
  }
  if (how_many_pending() > 0) start_collector();
}

void corinth_reclaim_all(void) {
  corinth_reclaim_gather();
  corinth_thread_current()->has_pending = how_many_pending() > 0;
  corinth_reclaim();
  // The caller may make a barrier at once again.
  __atomic_store_n(&next_barrier, 0, __ATOMIC_RELAXED);
}

// With the mutex held, so that no object is on its way from a list to the epoch.
static size_t how_many_pending_or_waiting(void) {
  size_t count = how_many_pending();
  for (corinth_thread *each = corinth_threads(); each != NULL; each = each->next) {
    const ck_stack_entry_t *entry = __atomic_load_n(&each->retired, __ATOMIC_SEQ_CST);
    for (; entry != NULL; entry = entry->next) count++;
  }
  return count;
}

static uint64_t how_many_retired(void) {
  uint64_t count = 0;
  for (corinth_thread *each = corinth_threads(); each != NULL; each = each->next) {
    count += __atomic_load_n(&each->retired_count, __ATOMIC_RELAXED);
  }
  return count;
}

corinth_reclamation corinth_reclamation_read(void) {
  // First (pairs with destroy_taken): an object destroyed later must not seem unaccounted for.
  uint64_t destroyed = __atomic_load_n(&destroyed_count, __ATOMIC_ACQUIRE);
  corinth_mutex_lock(&reclaimer_mutex);
  uint64_t pending = how_many_pending_or_waiting();
  corinth_reclamation counts = {
      .retired = how_many_retired(), .destroyed = destroyed, .pending = pending};
  corinth_mutex_unlock(&reclaimer_mutex);
  return counts;
}

// MARK: - Collector

uint64_t corinth_poll_count(void) {
  corinth_mutex_lock(&reclaimer_mutex);
  uint64_t count = poll_count;
  corinth_mutex_unlock(&reclaimer_mutex);
  return count;
}

bool corinth_collector_may_end(void) {
  // Pairs with start_collector, called after an object has begun to wait.
  __atomic_store_n(&has_collector, false, __ATOMIC_SEQ_CST);
  corinth_mutex_lock(&reclaimer_mutex);
  bool is_needed = !is_stopped && how_many_pending_or_waiting() > 0;
  corinth_mutex_unlock(&reclaimer_mutex);
  // Unless a new collector has been started by now.
  return !is_needed || __atomic_exchange_n(&has_collector, true, __ATOMIC_SEQ_CST);
}

// MARK: - Fork

static void forget_other_threads(void) {
  // The only thread of the child; NULL without a record.
  const corinth_thread *survivor = corinth_thread_own();
  // Objects under destruction by other threads are lost to the child, and count as destroyed.
  bool is_destroying = survivor != NULL && survivor->is_destroying;
  destroyed_count = how_many_retired() - how_many_pending_or_waiting() - (is_destroying ? 1 : 0);
  // One too many, for good, if the object is destroyed at once: references are then given slowly.
  corinth_withdrawals = how_many_pending() + (is_destroying ? 1 : 0);
  // The collector is lost too, unless a destructor on the collector has forked.
  has_collector = survivor != NULL && survivor->is_collector;
}

const corinth_fork_participant corinth_fork_of_reclamation = {
    .mutex = &reclaimer_mutex, .adapt_child = forget_other_threads};
