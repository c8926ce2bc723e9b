// SPDX-License-Identifier: MIT
//
// Sections, by epoch-based reclamation (K. Fraser, "Practical lock-freedom", 2004) as implemented
// by ck_epoch, and the threads inside sections.
//
// The process has one epoch. A thread's record only says whether the thread is inside a section,
// and which epoch the thread saw; nothing is ever pending on a thread's record, so an exiting
// thread has nothing to hand over. Retired objects are pending on a record of reclamation.c.
//
// A section begins with plain stores where the kernel has membarrier(2) (corinth_section.h).
// Elsewhere a section needs a fence: corinth_thread_attached stays NULL; the slow call fences.

#include "corinth_internal.h"

#include <stdlib.h>
#include <string.h>

CORINTH_THREAD_LOCAL corinth_thread *corinth_thread_attached;
CORINTH_THREAD_LOCAL corinth_thread *corinth_thread_resolving;

char corinth_sections_tsan;

// The calling thread's record, also where sections are fenced.
static CORINTH_THREAD_LOCAL corinth_thread *own;

static ck_epoch_t epoch;
static pthread_key_t thread_key;

static pthread_mutex_t threads_mutex = PTHREAD_MUTEX_INITIALIZER;
static corinth_thread *threads;
static size_t thread_count;
static unsigned int attached_count;  // threads that have a record now

// MARK: - Threads

// Forgets the operations left unfinished by the thread. The release pairs with for_each_use.
static void thread_forget_work(corinth_thread *thread) {
  thread->construction = NULL;
  thread->run = NULL;
  thread->is_telling = false;
  thread->path = NULL;
  thread->noting.registry = NULL;
  thread->note_count = 0;
  thread->chain = NULL;
  thread->is_reclaiming = false;
  thread->has_pending = false;
  thread->is_destroying = false;
  thread->is_collector = false;
  __atomic_store_n(&thread->letting_go, NULL, __ATOMIC_RELEASE);
  __atomic_store_n(&thread->use_count, 0, __ATOMIC_RELEASE);
}

static void thread_adopt(corinth_thread *thread) {
  __atomic_store_n(&thread->generation, corinth_fork_generation(), __ATOMIC_RELAXED);
}

static void thread_detach(void *attached) {
  corinth_thread *thread = attached;
  // The deinits below do not run inside of the work that pthread_exit has left unfinished.
  thread_forget_work(thread);
  // While the record is still the thread's: deinits of spares and stock use the record.
  for (corinth_spare_kind kind = 0; kind < CORINTH_SPARE_CLOSING; kind++) {
    for (void *spare; (spare = corinth_thread_take_spare(thread, kind)) != NULL;) swift_release(spare);
  }
  corinth_references_release(thread);
  corinth_registry_release_kept(thread);
  free(thread->notes);
  thread->notes = NULL;
  thread->note_capacity = 0;
  corinth_thread_attached = corinth_thread_resolving = own = NULL;
  // The record, and so the stripes, will belong to another thread.
  corinth_counter_place.level = CORINTH_COUNTER_NO_LEVEL;
  thread_forget_work(thread);
  CORINTH_TSAN_RELEASE(thread);
  // Ends a section that pthread_exit left open, and offers the record to the next thread.
  ck_epoch_unregister(&thread->record);
  // Pairs with the load in corinth_thread_is_alone.
  __atomic_fetch_sub(&attached_count, 1, __ATOMIC_RELEASE);
}

static void initialize(void) {
  corinth_process_initialize();
  corinth_barrier_initialize();
  ck_epoch_init(&epoch);
  if (pthread_key_create(&thread_key, thread_detach) != 0) {
    corinth_trap("no thread-specific key is left");
  }
}

ck_epoch_t *corinth_epoch(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, initialize);
  return &epoch;
}

static corinth_thread *thread_create(void) {
  corinth_thread *thread =
      corinth_allocate(_Alignof(corinth_thread), sizeof *thread, "a thread's record");
  memset(thread, 0, sizeof *thread);
  corinth_mutex_lock(&threads_mutex);
  thread->next = threads;
  // Pairs with the load in corinth_threads.
  __atomic_store_n(&threads, thread, __ATOMIC_RELEASE);
  thread->place = corinth_stripe_place_of(thread_count++);
  ck_epoch_register(&epoch, &thread->record, NULL);
  corinth_mutex_unlock(&threads_mutex);
  return thread;
}

corinth_thread *corinth_thread_attach(void) {
  if (own != NULL) return own;
  _Static_assert(offsetof(corinth_thread, record) == 0, "a record is the start of its thread");
  ck_epoch_t *process_epoch = corinth_epoch();
  // Pairs with the load in corinth_thread_is_alone: its caller sees the count, or else this thread,
  // before its first section, sees everything that the caller has unlinked.
  __atomic_fetch_add(&attached_count, 1, __ATOMIC_SEQ_CST);
  __atomic_thread_fence(__ATOMIC_SEQ_CST);
  corinth_thread *thread = (corinth_thread *)ck_epoch_recycle(process_epoch, NULL);
  if (thread == NULL) thread = thread_create();
  CORINTH_TSAN_ACQUIRE(thread);
  thread_adopt(thread);
  corinth_stack_forget(thread);
  if (pthread_setspecific(thread_key, thread) != 0) {
    corinth_trap("out of memory: no thread-specific value");
  }
  own = thread;
  // In a second copy, corinth_thread_attached stays NULL: every section compares (image.c).
  if (corinth_image_number != 0) return thread;
#if defined(__linux__)
  if (!corinth_barrier_is_asymmetric) return thread;
#endif
  corinth_thread_attached = corinth_thread_resolving = thread;
  if (corinth_barrier_is_asymmetric) corinth_counter_place = thread->place;
  return thread;
}

corinth_thread *corinth_thread_own(void) { return own; }

bool corinth_thread_is_alone(void) {
  return __atomic_load_n(&attached_count, __ATOMIC_SEQ_CST) == 1;
}

corinth_thread *corinth_section_enter_slowly(void) {
  corinth_thread_attach();
  return corinth_section_enter_fenced();
}

corinth_thread *corinth_section_enter_fenced(void) {
  if (own == NULL) return NULL;
  ck_epoch_begin(&own->record, NULL);
  ck_pr_fence_load();
  return own;
}

corinth_thread *corinth_section_enter_slowly_in(
    const corinth_registry *registry, const corinth_slot *slot) {
  if (own == NULL) {
    corinth_registry_check_image(registry);
    corinth_thread_attach();
  }
  return corinth_section_enter_fenced_in(registry, slot);
}

corinth_thread *corinth_section_enter_fenced_in(
    const corinth_registry *registry, const corinth_slot *slot) {
  corinth_thread *thread = corinth_thread_attached;
  if (CORINTH_LIKELY(thread != NULL)) {
    corinth_note_slot(thread, registry, slot, 0);
    corinth_section_begin(thread);
    return thread;
  }
  corinth_registry_check_image(registry);
  if (own != NULL) corinth_note_slot(own, registry, slot, 0);
  return corinth_section_enter_fenced();
}

corinth_thread *corinth_threads(void) { return __atomic_load_n(&threads, __ATOMIC_ACQUIRE); }

bool corinth_thread_is_lost(const corinth_thread *thread) {
  return __atomic_load_n(&thread->generation, __ATOMIC_RELAXED) != corinth_fork_generation();
}

size_t corinth_thread_records(void) {
  corinth_mutex_lock(&threads_mutex);
  size_t count = thread_count;
  corinth_mutex_unlock(&threads_mutex);
  return count;
}

// MARK: - Fork

// Ends the sections of all threads that do not exist in the child.
static void forget_other_threads(void) {
  if (own != NULL) thread_adopt(own);
  attached_count = own != NULL ? 1 : 0;
  for (corinth_thread *thread = threads; thread != NULL; thread = thread->next) {
    if (thread == own) continue;
    thread_forget_work(thread);
    // Not freed: the lost thread may have been moving them.
    thread->notes = NULL;
    thread->note_capacity = 0;
    // Not unregistered: a record already free would be counted free twice. One record for every
    // thread of the parent stays unused in the child.
    ck_pr_store_uint(&thread->record.active, 0);
  }
}

const corinth_fork_participant corinth_fork_of_threads = {
    .mutex = &threads_mutex, .adapt_child = forget_other_threads};
