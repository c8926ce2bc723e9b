// SPDX-License-Identifier: MIT
//
// Threads and the epoch sections that they are inside of. Included by CCorinth.h only, in its place.

#pragma once

// Where the stripe of a thread is in each counter of corinth_counter.h.
typedef struct corinth_stripe_place {
  uint32_t level;
  uint32_t index;
} corinth_stripe_place;

// The classes of objects that threads keep to use again.
typedef enum : uint32_t {
  CORINTH_SPARE_CONSTRUCTION,
  CORINTH_SPARE_RESOLUTION,
  CORINTH_SPARE_CLOSING,
  CORINTH_SPARE_SCOPE,
  CORINTH_SPARE_KINDS,
} corinth_spare_kind;

// The entries of a thread's stock of references: corinth_references.h.
enum : uint32_t {
  CORINTH_STOCK_BITS = 8,
  CORINTH_STOCK = 1 << CORINTH_STOCK_BITS,
  CORINTH_STOCK_WAY_BITS = 2,
  CORINTH_STOCK_WAYS = 1 << CORINTH_STOCK_WAY_BITS,  // the entries that may be an object's
};

// The levels of user code, nested in each other, that have an entry: as many as are built without recording their path.
enum : uint32_t { CORINTH_USES = CORINTH_PATH_TRACKING_THRESHOLD };

// The record of a thread. Made at its first section, recycled when it exits, never freed. Only its own thread calls the
// functions on it.
typedef struct corinth_thread {
  ck_epoch_record_t record;
  ck_stack_entry_t *retired;   // reclamation.c: the newest object not yet gathered; accessed atomically
  uint32_t retired_waiting;    // about how many these are; accessed atomically
  uint64_t retired_count;      // what this thread has retired; written by it, accessed atomically
  void *construction;          // the construction that this thread is running, or NULL
  struct corinth_frame *path;  // recorded frames of a deep resolution, or NULL; moved with the construction, in one access
  void *run;                   // what a dialect runs on this thread, or NULL
  struct corinth_thread *next; // the record made before this one
  struct corinth_chain *chain; // the one that this thread is releasing, or NULL
  bool is_reclaiming;          // this thread is running destructors of retired objects
  bool has_pending;            // it has retired something, and not polled for it outside of sections
  bool is_destroying;          // it has taken an object that it has not destroyed yet
  bool is_collector;           // it is the collector
  uint32_t use_count;          // the levels of user code that it runs; written by it, accessed atomically
  uintptr_t uses[CORINTH_USES];  // what each of these needs; the same
  unsigned int generation;     // of the process that it exists in; accessed atomically
  corinth_stripe_place place;  // where its stripe of each counter is
  void *spares[CORINTH_SPARE_KINDS][4];  // objects to use again, each at +1
  uint32_t spare_counts[CORINTH_SPARE_KINDS];
  uint64_t stock[CORINTH_STOCK];  // accessed atomically
  uintptr_t stack_low;         // the lowest address of its stack; 0 when that is not known
  uintptr_t stack_reserve;     // what a resolve leaves of it; UINTPTR_MAX before it is measured
} corinth_thread;

// One level of a recorded resolution path; made and freed by the resolve that it records.
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

// Returns the one before.
static inline void *corinth_thread_exchange_run(corinth_thread *thread, void *run) {
  void *before = thread->run;
  thread->run = run;
  return before;
}

// Whether the thread runs a construction, or what a dialect runs: it destroys no retired objects meanwhile.
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

// The construction and the path of a thread around the construction that it runs.
typedef struct corinth_surroundings {
  void *construction;
  corinth_frame *path;
} corinth_surroundings;

// Has the calling thread, whose record this is, run a construction, with a path of its own.
static inline corinth_surroundings corinth_construction_begin(
    corinth_thread *thread, void *construction) {
  corinth_surroundings outer = {thread->construction, thread->path};
  thread->construction = construction;
  thread->path = NULL;
  return outer;
}

// Ends it.
static inline void corinth_construction_end(corinth_thread *thread, corinth_surroundings outer) {
  thread->construction = outer.construction;
  thread->path = outer.path;
}

// Finds out about the stack of the calling thread, whose record this is: some microseconds, and a tenth of a
// millisecond on the main thread.
void corinth_stack_measure(corinth_thread *thread);

// Whether so little is left of the calling thread's stack, whose record this is, that no further
// construction should begin on it. One comparison, but for the first call of a thread. False where a
// stack is used that is not the thread's own.
static inline bool corinth_thread_is_stack_low(corinth_thread *thread) {
  // Not the address of a variable: AddressSanitizer keeps those elsewhere. Below the stack the
  // difference wraps around.
  uintptr_t here = (uintptr_t)__builtin_frame_address(0);
  if (CORINTH_LIKELY(here - thread->stack_low >= thread->stack_reserve)) return false;
  if (thread->stack_reserve != UINTPTR_MAX) return true;
  corinth_stack_measure(thread);
  return here - thread->stack_low < thread->stack_reserve;
}

// NULL for good where sections need a fence that is not inlined: the kernel has no membarrier(2).
extern CORINTH_THREAD_LOCAL corinth_thread *corinth_thread_attached;

// The calling thread's record, which it is given now if it has none. Traps when out of memory.
corinth_thread *corinth_thread_attach(void);

// The calling thread's record; never hold it across an await.
static inline corinth_thread *corinth_thread_current(void) {
  corinth_thread *thread = corinth_thread_attached;
  return CORINTH_LIKELY(thread != NULL) ? thread : corinth_thread_attach();
}

// Readers found by the poll are ordered before the destructors that it runs.
extern char corinth_sections_tsan;

// Begins a section in a thread that is attached.
//
// Asymmetric: nothing orders the store of `active` and the loads of the section but the compiler. Whoever unlinks an object
// passes a barrier for all threads before it looks at the sections (reclamation.c, invariant 2). That barrier comes somewhere in
// the order of this thread's program: before the store, and the section sees the object unlinked; or after it, and the
// section is seen.
static inline void corinth_section_begin(corinth_thread *thread) {
#if defined(__linux__)
  ck_epoch_record_t *record = &thread->record;
  if (CORINTH_LIKELY(record->active == 0)) {
    __atomic_store_n(&record->active, 1, __ATOMIC_RELAXED);
    // Pairs with the poll, which makes the epoch newer: who has seen an epoch sees what was unlinked before the previous one
    // became that. So the acquire stands for the fence that ck_epoch_begin needs behind it on a weakly ordered machine.
    unsigned int epoch = __atomic_load_n(&record->global->epoch, __ATOMIC_ACQUIRE);
    __atomic_store_n(&record->epoch, epoch, __ATOMIC_RELAXED);
  } else {
    __atomic_store_n(&record->active, record->active + 1, __ATOMIC_RELAXED);
  }
  __atomic_signal_fence(__ATOMIC_SEQ_CST);
#else
  ck_epoch_begin(&thread->record, NULL);
  // ck_epoch_begin orders its own loads only: on a weakly ordered machine the loads of the section could pass it.
  ck_pr_fence_load();
#endif
}

// Begins a section in a thread whose corinth_thread_attached is NULL: the thread is given its record now, or sections are
// fenced.
__attribute__((returns_nonnull)) corinth_thread *corinth_section_enter_slowly(void);

// The same, but NULL and no section if the thread has no record yet.
corinth_thread *corinth_section_enter_fenced(void);

// The same for lookups in a registry, and for each section where they are fenced: ends the program if another image has
// made that. The second is NULL and no section if the thread has no record yet.
__attribute__((returns_nonnull)) corinth_thread *corinth_section_enter_slowly_in(
    const corinth_registry *registry);
corinth_thread *corinth_section_enter_fenced_in(const corinth_registry *registry);

// Objects retired after this call are not destroyed before the matching leave. Sections nest.
// Not across an await or a thread hop. Wait-free once the thread is attached.
static inline corinth_thread *corinth_section_enter(void) {
  corinth_thread *thread = corinth_thread_attached;
  if (!CORINTH_LIKELY(thread != NULL)) return corinth_section_enter_slowly();
  corinth_section_begin(thread);
  return thread;
}

// The same, but NULL and no section for a thread that is not attached yet: callers that have another
// way spare the call that attaches it. Wait-free.
static inline corinth_thread *corinth_section_enter_attached(void) {
  corinth_thread *thread = corinth_thread_attached;
  if (!CORINTH_LIKELY(thread != NULL)) return corinth_section_enter_fenced();
  corinth_section_begin(thread);
  return thread;
}

// Both again, for lookups in a registry.
static inline corinth_thread *corinth_section_enter_in(const corinth_registry *registry) {
  corinth_thread *thread = corinth_thread_attached;
  if (!CORINTH_LIKELY(thread != NULL)) return corinth_section_enter_slowly_in(registry);
  corinth_section_begin(thread);
  return thread;
}

static inline corinth_thread *corinth_section_enter_attached_in(const corinth_registry *registry) {
  corinth_thread *thread = corinth_thread_attached;
  if (!CORINTH_LIKELY(thread != NULL)) return corinth_section_enter_fenced_in(registry);
  corinth_section_begin(thread);
  return thread;
}

// `thread` is the result of the matching enter, on the same thread.
static inline void corinth_section_leave(corinth_thread *thread) {
  CORINTH_TSAN_RELEASE(&corinth_sections_tsan);
#if defined(__x86_64__)
  // As ck_epoch_end, in one instruction. Pairs with acquire_ended_sections in reclamation.c. In assembly, as there: Swift's
  // optimizer moves a retain down past a store, and so out of the section that makes it safe.
  __asm__ volatile("decl %0" : "+m"(thread->record.active) : : "memory", "cc");
#else
  ck_epoch_end(&thread->record, NULL);
#endif
}

// Leaves a section before user code, which may run for any time and needs only `object` of all that the section has found, a
// registration or 0: that is not destroyed before the matching end. The section of a level without an entry stays open.
//
// A poll that finds the section ended finds the use too, or that it has ended: these are stores before the one that ends
// the section.
//
// `is_shallow`: whether the caller knows that the level has an entry.
static inline void corinth_use_begin(corinth_thread *thread, uintptr_t object, bool is_shallow) {
  uint32_t count = __atomic_load_n(&thread->use_count, __ATOMIC_RELAXED);
  bool has_entry = is_shallow || CORINTH_LIKELY(count < CORINTH_USES);
  if (has_entry) __atomic_store_n(&thread->uses[count], object, __ATOMIC_RELAXED);
  __atomic_store_n(&thread->use_count, count + 1, __ATOMIC_RELEASE);
  if (has_entry) corinth_section_leave(thread);
}

static inline void corinth_use_end(corinth_thread *thread, bool is_shallow) {
  CORINTH_TSAN_RELEASE(&corinth_sections_tsan);
  // In assembly, as the end of a section, and for the same reason. Pairs with acquire_ended_sections too.
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

// The number of sections that the thread is inside of, and of levels of user code whose sections have ended.
static inline unsigned int corinth_section_depth(const corinth_thread *thread) {
  uint32_t uses = thread->use_count;
  return thread->record.active + (uses < CORINTH_USES ? uses : CORINTH_USES);
}

// Whether the thread is running this construction (NULL for none) and is inside of fewer levels of user code than the
// registry's tree allows without recording.
static inline bool corinth_thread_can_build_inline(
    const corinth_thread *thread, const corinth_registry *registry, const void *construction) {
  return thread->construction == construction
      && thread->use_count < corinth_registry_path_tracking_threshold(registry);
}

