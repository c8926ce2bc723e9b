// SPDX-License-Identifier: MIT
//
// Deferred destruction: an unlinked object is destroyed once no section can see it.
//
// Invariants
//  1. One epoch record holds everything that is pending. Calls and polls on it happen under
//     reclaimer_mutex, which makes "the owner of the record" the holder of the mutex.
//  2. An object is unlinked by a sequentially consistent exchange before it is retired, and a full
//     fence lies between the two. Without it ck_epoch_poll of 0.7.1, which dispatches one epoch
//     early, frees under a reader.
//  3. A poll moves objects that no section can see to the list `ready`. A thread that destroys takes
//     them from there one by one: several threads may share a long list, and a fork loses no more
//     than the one that each of them is destroying.
//  4. Destructors run with no mutex held.
//  5. A thread that retires from within a destructor adds to what its outer loop works off, so that
//     a chain of destructors does not become a chain of stack frames.
//  6. A thread that leaves something pending makes sure that the collector runs (collector.c).

#include "corinth_internal.h"

#include <stdlib.h>

static pthread_mutex_t reclaimer_mutex = PTHREAD_MUTEX_INITIALIZER;
static ck_epoch_record_t reclaimer;
static ck_stack_t ready = CK_STACK_INITIALIZER;
static size_t pending_count;    // on the record and ready; written with the mutex held
static uint64_t retired_count;  // with the mutex held
static uint64_t destroyed_count;
static uint64_t poll_count;     // with the mutex held
static bool has_collector;      // written with the mutex held

typedef struct retired {
  ck_epoch_entry_t entry;
  void *object;
  corinth_destructor destroy;
} retired;

// A poll moves the epoch by one, and three moves free everything retired before the first. Readers
// that come and go can make a poll fail, so a few more are tried; a section that stays open ends
// the attempt, because a writer never waits for a reader.
static const int polls_without_progress = 8;

// The most pending objects of other threads that one call destroys: a few tenths of a millisecond, where a
// long section may have held back millions of objects. More than one, so that the list gets shorter with each
// call.
static const size_t share_of_a_call = 1024;

// Destructors do not run inside a factory: a resolve in one of them would look like a cycle. Threads
// that are building leave them to the collector, up to this many objects: a service may run inside
// of a construction all its life, and make objects faster than one thread destroys them.
static const size_t pending_in_constructions = 256;

static void initialize(void) { ck_epoch_register(corinth_epoch(), &reclaimer, NULL); }

// MARK: - Retirement

// Entries leave through ck_epoch_poll_deferred, which does not call them.
static void never_called(ck_epoch_entry_t *entry) {
  (void)entry;
  corinth_trap("a retired object was dispatched by the epoch itself");
}

static size_t how_many_pending(void) { return __atomic_load_n(&pending_count, __ATOMIC_RELAXED); }

// Pairs with the release fence of ck_epoch_end in corinth_section_leave. The records are read with relaxed loads: on a
// weakly ordered machine a destructor could otherwise begin before the last accesses of a section that was found ended.
// Under the mutex, which hands the order on to other threads that take from the list.
static void acquire_ended_sections(void) {
  __atomic_thread_fence(__ATOMIC_ACQUIRE);
  CORINTH_TSAN_ACQUIRE(&corinth_sections_tsan);
}

// Whether no thread is inside of a section, after the fence of invariant 2: a section that begins from now on sees what
// has been unlinked.
static bool no_section_is_open(void) {
  ck_stack_entry_t *each;
  CK_STACK_FOREACH(&corinth_epoch()->records, each) {
    _Static_assert(offsetof(ck_epoch_record_t, record_next) == 0, "an entry is the start of its record");
    if (ck_pr_load_uint(&((const ck_epoch_record_t *)each)->active) != 0) return false;
  }
  acquire_ended_sections();
  return true;
}

static void defer_assuming_mutex_held(void *object, corinth_destructor destroy) {
  retired *node = corinth_allocate(_Alignof(retired), sizeof *node, "a retired object");
  node->object = object;
  node->destroy = destroy;
  ck_epoch_call(&reclaimer, &node->entry, never_called);
  __atomic_fetch_add(&pending_count, 1, __ATOMIC_RELAXED);
}

static void destroy_taken(corinth_thread *thread, void *object, corinth_destructor destroy) {
  thread->is_reclaiming = true;
  destroy(object);
  thread->is_destroying = false;
  __atomic_fetch_add(&destroyed_count, 1, __ATOMIC_RELEASE);
  thread->is_reclaiming = false;
}

// Most objects are retired while nothing is pending and no section is open: they are destroyed without the epoch.
void corinth_retire(void *object, corinth_destructor destroy) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, initialize);
  corinth_thread *thread = corinth_thread_current();
  corinth_mutex_lock(&reclaimer_mutex);
  ck_pr_fence_memory();  // invariant 2
  retired_count++;
  bool is_free = !thread->is_reclaiming && thread->construction == NULL && pending_count == 0
      && no_section_is_open();
  if (is_free) {
    thread->is_destroying = true;
  } else {
    defer_assuming_mutex_held(object, destroy);
  }
  corinth_mutex_unlock(&reclaimer_mutex);
  if (is_free) destroy_taken(thread, object, destroy);
  corinth_reclaim();
}

static void poll_assuming_mutex_held(void) {
  poll_count++;
  ck_epoch_poll_deferred(&reclaimer, &ready);
  acquire_ended_sections();
}

// An object that no section can see any more, NULL if there is none.
static retired *take(corinth_thread *thread) {
  corinth_mutex_lock(&reclaimer_mutex);
  if (CK_STACK_ISEMPTY(&ready)) poll_assuming_mutex_held();
  ck_stack_entry_t *taken = ck_stack_pop_npsc(&ready);
  if (taken != NULL) {
    thread->is_destroying = true;
    __atomic_fetch_sub(&pending_count, 1, __ATOMIC_RELAXED);
  }
  corinth_mutex_unlock(&reclaimer_mutex);
  if (taken == NULL) return NULL;
  return (retired *)((char *)taken - offsetof(retired, entry.stack_entry));
}

size_t corinth_reclaim_at_most(size_t count) {
  corinth_thread *thread = corinth_thread_current();
  size_t destroyed = 0;
  for (int idle = 0; idle < polls_without_progress && destroyed < count && how_many_pending() > 0;) {
    retired *node = take(thread);
    if (node == NULL) {
      idle++;
      continue;
    }
    idle = 0;
    void *object = node->object;
    corinth_destructor destroy = node->destroy;
    free(node);
    destroy_taken(thread, object, destroy);
    destroyed++;
  }
  return destroyed;
}

void corinth_reclaim(void) {
  size_t pending = how_many_pending();
  if (pending == 0) return;
  corinth_thread *thread = corinth_thread_current();
  if (thread->is_reclaiming) return;  // invariant 5
  if (thread->construction == NULL || pending >= pending_in_constructions) {
    corinth_reclaim_at_most(share_of_a_call);
  }
  // Pairs with the decision of corinth_collector_may_end, which is taken under the mutex: one that
  // does not see what this thread has left pending is seen here.
  if (how_many_pending() == 0 || __atomic_load_n(&has_collector, __ATOMIC_RELAXED)) return;
  corinth_mutex_lock(&reclaimer_mutex);
  bool is_first = !has_collector;
  __atomic_store_n(&has_collector, true, __ATOMIC_RELAXED);
  corinth_mutex_unlock(&reclaimer_mutex);
  if (!is_first || corinth_collector_start()) return;
  // Another attempt is made by the next call that leaves something pending.
  corinth_mutex_lock(&reclaimer_mutex);
  __atomic_store_n(&has_collector, false, __ATOMIC_RELAXED);
  corinth_mutex_unlock(&reclaimer_mutex);
}

corinth_reclamation corinth_reclamation_read(void) {
  // First: an object that is destroyed later must not seem to have been neither retired nor pending.
  uint64_t destroyed = __atomic_load_n(&destroyed_count, __ATOMIC_ACQUIRE);
  corinth_mutex_lock(&reclaimer_mutex);
  corinth_reclamation counts = {
      .retired = retired_count, .destroyed = destroyed, .pending = pending_count};
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
  corinth_mutex_lock(&reclaimer_mutex);
  bool may_end = pending_count == 0;
  if (may_end) __atomic_store_n(&has_collector, false, __ATOMIC_RELAXED);
  corinth_mutex_unlock(&reclaimer_mutex);
  return may_end;
}

// MARK: - Fork

static void fork_lock(void) { corinth_mutex_lock(&reclaimer_mutex); }

static void fork_unlock(void) { corinth_mutex_unlock(&reclaimer_mutex); }

static void forget_other_threads(void) {
  // The only thread of the child; NULL if it has no record.
  const corinth_thread *survivor = corinth_thread_attached;
  // Objects that other threads were destroying are lost to the child, and count as destroyed there.
  bool is_destroying = survivor != NULL && survivor->is_destroying;
  destroyed_count = retired_count - pending_count - (is_destroying ? 1 : 0);
  // The collector too, unless it is a destructor run by it that has forked.
  has_collector = survivor != NULL && survivor->is_collector;
}

__attribute__((constructor)) static void participate(void) {
  corinth_fork_participate(
      CORINTH_FORK_RECLAMATION,
      (corinth_fork_participant){fork_lock, fork_unlock, forget_other_threads});
}
