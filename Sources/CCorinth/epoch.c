// SPDX-License-Identifier: MIT
//
// Sections and deferred destruction, by epoch-based reclamation (K. Fraser, "Practical
// lock-freedom", 2004) as ck_epoch implements it.
//
// Invariants
//  1. One epoch for the process. Each thread has a record of its own, which only says whether the
//     thread is inside a section and which epoch it saw; nothing is ever pending on it, so a thread
//     that exits has nothing to hand over.
//  2. One further record, the reclaimer's, holds everything that is pending. Calls and polls on it
//     happen under reclaimer_mutex, which makes "the owner of the record" the holder of the mutex.
//  3. An object is unlinked by a sequentially consistent exchange before it is retired, and a full
//     fence lies between the two. Without it ck_epoch_poll of 0.7.1, which dispatches one epoch
//     early, frees under a reader.
//  4. Destructors run with no mutex held: the poll only moves entries to a list.
//  5. A thread that retires from within a destructor adds to what its outer loop works off, so that
//     a chain of destructors does not become a chain of stack frames.

#include "corinth_internal.h"

#include <stdlib.h>
#include <string.h>

_Thread_local corinth_thread *corinth_thread_attached
#if defined(__linux__)
    __attribute__((tls_model("initial-exec")))
#endif
    ;

char corinth_sections_tsan;

static ck_epoch_t epoch;
static pthread_key_t thread_key;

static pthread_mutex_t threads_mutex = PTHREAD_MUTEX_INITIALIZER;
static corinth_thread *threads;
static size_t thread_count;

static pthread_mutex_t reclaimer_mutex = PTHREAD_MUTEX_INITIALIZER;
static ck_epoch_record_t reclaimer;
static size_t pending_count;  // on the reclaimer's record; written with the mutex held
static uint64_t retired_count;
static uint64_t destroyed_count;

typedef struct retired {
  ck_epoch_entry_t entry;
  void *object;
  corinth_destructor destroy;
} retired;

// A poll moves the epoch by one, and three moves free everything retired before the first. Readers
// that come and go can make a poll fail, so a few more are tried; a section that stays open ends
// the attempt, because a writer never waits for a reader.
static const int polls_without_progress = 8;

// A destructor of somebody else's is not to find itself inside of a factory, where it would seem to
// close a cycle: constructions put destruction off. But not without end, since a service may run
// inside of one.
static const size_t pending_in_constructions = 256;

// MARK: - Threads

// What the thread was in the middle of, and will not go on with.
static void thread_forget_work(corinth_thread *thread) {
  thread->construction = NULL;
  thread->path = NULL;
  thread->chain = NULL;
  thread->is_reclaiming = false;
  thread->in_flight = 0;
}

static void thread_adopt(corinth_thread *thread) {
  __atomic_store_n(&thread->generation, corinth_fork_generation(), __ATOMIC_RELAXED);
}

static void thread_detach(void *attached) {
  corinth_thread *thread = attached;
  corinth_thread_attached = NULL;
  thread_forget_work(thread);
  CORINTH_TSAN_RELEASE(thread);
  // Ends a section that pthread_exit left open, and lets another thread have the record.
  ck_epoch_unregister(&thread->record);
}

void corinth_epoch_initialize(void) {
  ck_epoch_init(&epoch);
  ck_epoch_register(&epoch, &reclaimer, NULL);
  if (pthread_key_create(&thread_key, thread_detach) != 0) {
    corinth_trap("no thread-specific key is left");
  }
}

static corinth_thread *thread_create(void) {
  corinth_thread *thread =
      corinth_allocate(_Alignof(corinth_thread), sizeof *thread, "a thread's record");
  memset(thread, 0, sizeof *thread);
  corinth_mutex_lock(&threads_mutex);
  thread->next = threads;
  threads = thread;
  thread_count++;
  ck_epoch_register(&epoch, &thread->record, NULL);
  corinth_mutex_unlock(&threads_mutex);
  return thread;
}

corinth_thread *corinth_thread_attach(void) {
  corinth_process_initialize();
  _Static_assert(offsetof(corinth_thread, record) == 0, "a record is the start of its thread");
  corinth_thread *thread = (corinth_thread *)ck_epoch_recycle(&epoch, NULL);
  if (thread == NULL) thread = thread_create();
  CORINTH_TSAN_ACQUIRE(thread);
  thread_adopt(thread);
  if (pthread_setspecific(thread_key, thread) != 0) {
    corinth_trap("out of memory: no thread-specific value");
  }
  corinth_thread_attached = thread;
  return thread;
}

bool corinth_thread_is_lost(const corinth_thread *thread) {
  return __atomic_load_n(&thread->generation, __ATOMIC_RELAXED) != corinth_fork_generation();
}

size_t corinth_thread_records(void) {
  corinth_mutex_lock(&threads_mutex);
  size_t count = thread_count;
  corinth_mutex_unlock(&threads_mutex);
  return count;
}

// MARK: - Retirement

// Entries leave through ck_epoch_poll_deferred, which does not call them.
static void never_called(ck_epoch_entry_t *entry) {
  (void)entry;
  corinth_trap("a retired object was dispatched by the epoch itself");
}

static retired *retired_of_stack_entry(ck_stack_entry_t *entry) {
  return (retired *)((char *)entry - offsetof(retired, entry.stack_entry));
}

static size_t how_many_pending(void) { return __atomic_load_n(&pending_count, __ATOMIC_RELAXED); }

void corinth_retire(void *object, corinth_destructor destroy) {
  retired *node = corinth_allocate(_Alignof(retired), sizeof *node, "a retired object");
  node->object = object;
  node->destroy = destroy;
  corinth_process_initialize();
  corinth_mutex_lock(&reclaimer_mutex);
  ck_pr_fence_memory();  // invariant 3
  ck_epoch_call(&reclaimer, &node->entry, never_called);
  __atomic_fetch_add(&pending_count, 1, __ATOMIC_RELAXED);
  __atomic_fetch_add(&retired_count, 1, __ATOMIC_RELAXED);
  corinth_mutex_unlock(&reclaimer_mutex);
  corinth_reclaim();
}

// What one poll finds free to destroy, now in flight on `thread`; empty when a section stands in
// the way.
static ck_stack_entry_t *poll_once(corinth_thread *thread) {
  ck_stack_t ready = CK_STACK_INITIALIZER;
  corinth_mutex_lock(&reclaimer_mutex);
  ck_epoch_poll_deferred(&reclaimer, &ready);
  for (ck_stack_entry_t *each = CK_STACK_FIRST(&ready); each != NULL; each = CK_STACK_NEXT(each)) {
    thread->in_flight++;
  }
  __atomic_fetch_sub(&pending_count, thread->in_flight, __ATOMIC_RELAXED);
  corinth_mutex_unlock(&reclaimer_mutex);
  // Pairs with the release fence of ck_epoch_end in corinth_section_leave. The poll reads the records
  // with relaxed loads and puts no fence after them: on a weakly ordered machine a destructor could
  // otherwise begin before the last accesses of a section that the poll found ended.
  __atomic_thread_fence(__ATOMIC_ACQUIRE);
  CORINTH_TSAN_ACQUIRE(&corinth_sections_tsan);
  return CK_STACK_FIRST(&ready);
}

void corinth_reclaim(void) {
  size_t pending = how_many_pending();
  if (pending == 0) return;
  corinth_thread *thread = corinth_thread_current();
  if (thread->is_reclaiming) return;  // invariant 5
  if (thread->construction != NULL && pending < pending_in_constructions) return;
  thread->is_reclaiming = true;
  for (int idle = 0; idle < polls_without_progress && how_many_pending() > 0;) {
    ck_stack_entry_t *next = poll_once(thread);
    idle = next == NULL ? idle + 1 : 0;
    while (next != NULL) {
      retired *node = retired_of_stack_entry(next);
      next = CK_STACK_NEXT(next);
      node->destroy(node->object);
      free(node);
      thread->in_flight--;
      __atomic_fetch_add(&destroyed_count, 1, __ATOMIC_RELAXED);
    }
  }
  thread->is_reclaiming = false;
}

corinth_reclamation corinth_reclamation_read(void) {
  // Destroyed first: an object is counted as retired before it can be counted as destroyed.
  uint64_t destroyed = __atomic_load_n(&destroyed_count, __ATOMIC_ACQUIRE);
  uint64_t retired = __atomic_load_n(&retired_count, __ATOMIC_RELAXED);
  return (corinth_reclamation){.retired = retired, .destroyed = destroyed};
}

// MARK: - Fork

void corinth_epoch_lock_all(void) {
  corinth_mutex_lock(&threads_mutex);
  corinth_mutex_lock(&reclaimer_mutex);
}

void corinth_epoch_unlock_all(void) {
  corinth_mutex_unlock(&reclaimer_mutex);
  corinth_mutex_unlock(&threads_mutex);
}

void corinth_epoch_forget_other_threads(void) {
  // What other threads were destroying is lost to the child, and counts as destroyed there.
  size_t in_flight = corinth_thread_attached != NULL ? corinth_thread_attached->in_flight : 0;
  destroyed_count = retired_count - pending_count - in_flight;
  if (corinth_thread_attached != NULL) thread_adopt(corinth_thread_attached);
  for (corinth_thread *thread = threads; thread != NULL; thread = thread->next) {
    if (thread == corinth_thread_attached) continue;
    thread_forget_work(thread);
    // Not unregistered: a record that was free already would be counted free twice. One record a
    // thread of the parent stays unused in the child.
    ck_pr_store_uint(&thread->record.active, 0);
  }
}
