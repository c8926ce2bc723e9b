// SPDX-License-Identifier: MIT
//
// Threads and the epoch sections of threads. Included by CCorinth.h only, in its place.

#pragma once

// The place of a thread's stripe in every counter of corinth_counter.h.
typedef struct corinth_stripe_place {
  uint32_t level;
  uint32_t index;
} corinth_stripe_place;

// The classes of objects in the free lists of a thread.
typedef enum : uint32_t {
  CORINTH_SPARE_CONSTRUCTION,
  CORINTH_SPARE_RESOLUTION,
  CORINTH_SPARE_SCOPE,
  CORINTH_SPARE_CHILD,
  CORINTH_SPARE_OWNER,
  CORINTH_SPARE_CLOSING,  // not released when a thread exits: must never be deallocated
  CORINTH_SPARE_KINDS,
} corinth_spare_kind;

// The entries of a thread's stock of references: corinth_references.h.
enum : uint32_t {
  CORINTH_STOCK_BITS = 8,
  CORINTH_STOCK = 1 << CORINTH_STOCK_BITS,
  CORINTH_STOCK_WAY_BITS = 2,
  CORINTH_STOCK_WAYS = 1 << CORINTH_STOCK_WAY_BITS,  // the entries that an object may use
};

// The nesting levels of user code with an entry: as many as are built without a recorded path.
enum : uint32_t { CORINTH_USES = CORINTH_PATH_TRACKING_THRESHOLD };

// The construction on a thread whose resolves are noted. The registry is NULL for none.
typedef struct corinth_noting {
  const corinth_registry *registry;  // of the container whose resolver the factory has
  uint32_t begin;                    // the notes of the construction begin here
} corinth_noting;

// The record of a thread: made at the thread's first section, recycled when the thread exits, never
// freed. Only the record's own thread calls functions on the record.
typedef struct corinth_thread {
  ck_epoch_record_t record;
  ck_stack_entry_t *retired;   // reclamation.c: newest object not gathered; accessed atomically
  uint32_t retired_waiting;    // about how many objects wait; accessed atomically
  uint64_t retired_count;      // objects retired by this thread, the writer; accessed atomically
  void *construction;          // the construction that this thread is running, or NULL
  struct corinth_frame *path;  // frames of a deep resolution, or NULL; moves with construction
  corinth_noting noting;
  uintptr_t *notes;            // of all constructions on the thread that note, or NULL
  uint32_t note_count;
  uint32_t note_capacity;
  void *run;                   // a compatibility module's run on this thread, or NULL
  struct corinth_thread *next; // the record made before this one
  struct corinth_chain *chain; // the chain that this thread is releasing, or NULL
  bool is_reclaiming;          // this thread is running destructors of retired objects
  bool has_pending;            // has retired objects since the last poll outside of sections
  bool is_destroying;          // has taken an object, and not destroyed the object yet
  bool is_collector;           // the thread is the collector
  uint32_t use_count;          // levels of user code; written by this thread, accessed atomically
  uintptr_t uses[CORINTH_USES];  // the object that each level needs; accessed likewise
  unsigned int generation;     // of the process of the thread; accessed atomically
  corinth_stripe_place place;  // of the thread's stripe in every counter
  const void *letting_go;      // the counter of a hold that the thread ends; accessed atomically
  bool is_telling;             // this thread calls a behavior
  void *spares[CORINTH_SPARE_KINDS][4];  // objects to use again, each at +1
  uint32_t spare_counts[CORINTH_SPARE_KINDS];
  struct corinth_registry_internals *internals;  // registry.c: for the next registry, or NULL
  uint64_t stock[CORINTH_STOCK];  // accessed atomically
  uintptr_t stack_low;         // the lowest address of the stack; 0 if unknown
  uintptr_t stack_reserve;     // bytes that a resolve leaves; UINTPTR_MAX before measuring
} corinth_thread;

// One level of a recorded resolution path; made and freed by the recorded resolve.
typedef struct corinth_frame {
  struct corinth_frame *outer;
  const corinth_slot *slot;
} corinth_frame;

static inline void *corinth_thread_construction(const corinth_thread *thread) {
  return thread->construction;
}

static inline void corinth_thread_set_construction(corinth_thread *thread, void *construction) {
  thread->construction = construction;
}

static inline void *corinth_thread_run(const corinth_thread *thread) { return thread->run; }

// Returns the previous run.
static inline void *corinth_thread_exchange_run(corinth_thread *thread, void *run) {
  void *before = thread->run;
  thread->run = run;
  return before;
}

static inline bool corinth_thread_is_telling(const corinth_thread *thread) {
  return thread->is_telling;
}

static inline void corinth_thread_set_telling(corinth_thread *thread, bool is_telling) {
  thread->is_telling = is_telling;
}

// Whether the thread destroys no retired objects: runs a construction or a compatibility module.
static inline bool corinth_thread_is_building(const corinth_thread *thread) {
  return ((uintptr_t)thread->construction | (uintptr_t)thread->run) != 0;
}

// Whether the thread may have something to do for corinth_reclaim.
static inline bool corinth_thread_has_pending(const corinth_thread *thread) {
  return thread->has_pending;
}

static inline corinth_frame *corinth_thread_path(const corinth_thread *thread) {
  return thread->path;
}

static inline void corinth_thread_set_path(corinth_thread *thread, corinth_frame *path) {
  thread->path = path;
}

// The construction and the path of a thread, around the construction that begins.
typedef struct corinth_surroundings {
  void *construction;
  corinth_frame *path;
} corinth_surroundings;

// Has the calling thread (of the record `thread`) run a construction with a path of its own.
static inline corinth_surroundings corinth_construction_begin(
    corinth_thread *thread, void *construction) {
  corinth_surroundings outer = {thread->construction, thread->path};
  thread->construction = construction;
  thread->path = NULL;
  return outer;
}

// Ends the construction and restores the surroundings.
static inline void corinth_construction_end(corinth_thread *thread, corinth_surroundings outer) {
  thread->construction = outer.construction;
  thread->path = outer.path;
}

// Measures the stack of the calling thread, of the record `thread`: some microseconds, and a tenth
// of a millisecond on the main thread.
void corinth_stack_measure(corinth_thread *thread);

// Whether the calling thread (of the record `thread`) has so little stack left that no further
// construction should begin. One comparison, but for the first call of a thread. False on a stack
// other than the thread's own.
static inline bool corinth_thread_is_stack_low(corinth_thread *thread) {
  // Not the address of a variable: AddressSanitizer keeps variables elsewhere. Below the stack the
  // difference wraps around.
  uintptr_t here = (uintptr_t)__builtin_frame_address(0);
  if (CORINTH_LIKELY(here - thread->stack_low >= thread->stack_reserve)) return false;
  if (thread->stack_reserve != UINTPTR_MAX) return true;
  corinth_stack_measure(thread);
  return here - thread->stack_low < thread->stack_reserve;
}

// NULL for good where sections need a fence that is not inlined: the kernel has no membarrier(2).
extern CORINTH_THREAD_LOCAL corinth_thread *corinth_thread_attached;

// As corinth_thread_attached, but NULL, too, while the thread notes what a construction resolves.
// Sections of resolves begin slowly then, and note the slot; all others have no step for notes.
extern CORINTH_THREAD_LOCAL corinth_thread *corinth_thread_resolving;

// The calling thread's record, made or recycled if missing. Traps when out of memory.
corinth_thread *corinth_thread_attach(void);

// The calling thread's record; never to be kept across an await.
static inline corinth_thread *corinth_thread_current(void) {
  corinth_thread *thread = corinth_thread_attached;
  return CORINTH_LIKELY(thread != NULL) ? thread : corinth_thread_attach();
}

// Orders sections found ended by a poll before the poll's destructors, for ThreadSanitizer.
extern char corinth_sections_tsan;

// Begins a section in an attached thread.
//
// Asymmetric: only the compiler orders the store of `active` before the loads of the section.
// A thread that unlinks an object passes a barrier for all threads before looking at the sections
// (reclamation.c, invariant 2). In this thread's program order, the barrier comes before the store,
// and the section sees the object unlinked; or after the store, and the section is seen.
static inline void corinth_section_begin(corinth_thread *thread) {
#if defined(__linux__)
  ck_epoch_record_t *record = &thread->record;
  if (CORINTH_LIKELY(record->active == 0)) {
    __atomic_store_n(&record->active, 1, __ATOMIC_RELAXED);
    // Pairs with the poll that advances the epoch: a thread that sees an epoch sees all unlinks
    // before the advance. The acquire replaces ck_epoch_begin's fence on weakly ordered machines.
    unsigned int epoch = __atomic_load_n(&record->global->epoch, __ATOMIC_ACQUIRE);
    __atomic_store_n(&record->epoch, epoch, __ATOMIC_RELAXED);
  } else {
    __atomic_store_n(&record->active, record->active + 1, __ATOMIC_RELAXED);
  }
  __atomic_signal_fence(__ATOMIC_SEQ_CST);
#else
  ck_epoch_begin(&thread->record, NULL);
  // ck_epoch_begin orders its own loads only: on a weakly ordered machine, loads of the section
  // could pass the begin.
  ck_pr_fence_load();
#endif
}

// Begins a section in a thread whose corinth_thread_attached is NULL: the thread gets a record now,
// or sections are fenced.
__attribute__((returns_nonnull)) corinth_thread *corinth_section_enter_slowly(void);

// As corinth_section_enter_slowly, but NULL and no section for a thread without a record.
corinth_thread *corinth_section_enter_fenced(void);

// The two functions above for a resolve from a slot in a registry, whose thread's
// corinth_thread_resolving is NULL: note the slot, and end the program if another image made the
// registry. The second is NULL and no section without a record.
__attribute__((returns_nonnull)) corinth_thread *corinth_section_enter_slowly_in(
    const corinth_registry *registry, const corinth_slot *slot);
corinth_thread *corinth_section_enter_fenced_in(
    const corinth_registry *registry, const corinth_slot *slot);

// Objects retired after this call are not destroyed before the matching leave. Sections nest. Not
// across an await or a thread hop. Wait-free once the thread is attached.
static inline corinth_thread *corinth_section_enter(void) {
  corinth_thread *thread = corinth_thread_attached;
  if (!CORINTH_LIKELY(thread != NULL)) return corinth_section_enter_slowly();
  corinth_section_begin(thread);
  return thread;
}

// As corinth_section_enter, but NULL and no section for a thread that is not attached: callers with
// an alternative avoid the attaching call. Wait-free.
static inline corinth_thread *corinth_section_enter_attached(void) {
  corinth_thread *thread = corinth_thread_attached;
  if (!CORINTH_LIKELY(thread != NULL)) return corinth_section_enter_fenced();
  corinth_section_begin(thread);
  return thread;
}

// The two functions above, for resolves from a slot in a registry. The slot may be an ancestor's.
static inline corinth_thread *corinth_section_enter_in(
    const corinth_registry *registry, const corinth_slot *slot) {
  corinth_thread *thread = corinth_thread_resolving;
  if (!CORINTH_LIKELY(thread != NULL)) return corinth_section_enter_slowly_in(registry, slot);
  corinth_section_begin(thread);
  return thread;
}

static inline corinth_thread *corinth_section_enter_attached_in(
    const corinth_registry *registry, const corinth_slot *slot) {
  corinth_thread *thread = corinth_thread_resolving;
  if (!CORINTH_LIKELY(thread != NULL)) return corinth_section_enter_fenced_in(registry, slot);
  corinth_section_begin(thread);
  return thread;
}

// Ends a section; `thread` is the result of the matching enter, on the same thread.
static inline void corinth_section_leave(corinth_thread *thread) {
  CORINTH_TSAN_RELEASE(&corinth_sections_tsan);
#if defined(__x86_64__)
  // As ck_epoch_end, in one instruction. Pairs with acquire_ended_sections in reclamation.c.
  // Assembly, as in ck: Swift's optimizer moves a retain down past a store, out of the section.
  __asm__ volatile("decl %0" : "+m"(thread->record.active) : : "memory", "cc");
#else
  ck_epoch_end(&thread->record, NULL);
#endif
}

// Leaves a section before user code of any length, which needs only `object` (a registration or 0):
// the object is not destroyed before the matching end. A level without an entry keeps its section.
//
// A hazard pointer: a poll that finds the section ended also finds the use, or finds the use ended.
// The stores of the use come before the store that ends the section. Pairs with for_each_use.
//
// `is_shallow`: the caller knows that the level has an entry.
static inline void corinth_use_begin(corinth_thread *thread, uintptr_t object, bool is_shallow) {
  uint32_t count = __atomic_load_n(&thread->use_count, __ATOMIC_RELAXED);
  bool has_entry = is_shallow || CORINTH_LIKELY(count < CORINTH_USES);
  if (has_entry) __atomic_store_n(&thread->uses[count], object, __ATOMIC_RELAXED);
  __atomic_store_n(&thread->use_count, count + 1, __ATOMIC_RELEASE);
  if (has_entry) corinth_section_leave(thread);
}

static inline void corinth_use_end(corinth_thread *thread, bool is_shallow) {
  CORINTH_TSAN_RELEASE(&corinth_sections_tsan);
  // Assembly, as in corinth_section_leave, for the same reason. Pairs with acquire_ended_sections.
#if defined(__x86_64__)
  __asm__ volatile("decl %0" : "+m"(thread->use_count) : : "memory", "cc");
#else
  ck_pr_fence_release();
  ck_pr_store_32(&thread->use_count, thread->use_count - 1);
#endif
  if (!is_shallow && !CORINTH_LIKELY(thread->use_count < CORINTH_USES)) corinth_section_leave(thread);
}

// Ends all sections and uses of the thread.
static inline void corinth_sections_leave(corinth_thread *thread) {
  while (thread->use_count > 0) corinth_use_end(thread, false);
  while (thread->record.active > 0) corinth_section_leave(thread);
}

// The number of open sections of the thread, and of levels of user code whose sections have ended.
static inline unsigned int corinth_section_depth(const corinth_thread *thread) {
  uint32_t uses = thread->use_count;
  return thread->record.active + (uses < CORINTH_USES ? uses : CORINTH_USES);
}

// Whether the thread is running this construction (NULL for none) and is inside of fewer levels of
// user code than the registry's tree allows without recording.
static inline bool corinth_thread_can_build_inline(
    const corinth_thread *thread, const corinth_registry *registry, const void *construction) {
  return thread->construction == construction
      && thread->use_count < corinth_registry_path_tracking_threshold(registry);
}
