// SPDX-License-Identifier: MIT

#include "CTestSupport.h"

#include <CCorinth.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum : uint64_t {
  alive_mark = UINT64_C(0xA11FEA11FEA11FE0),
  poison_mark = UINT64_C(0xDEADDEADDEADDEAD),
};

// The time in which a faulty run must show the fault. An idle machine takes milliseconds.
static const time_t patience_seconds = 60;

// A reader holds an object for up to this many exchanges: two are enough for the object it holds to
// be replaced and destroyed if nothing protects it.
static const uint64_t longest_hold = 3;

typedef struct object object;

typedef struct stress {
  corinth_test_fault fault;
  corinth_slot *slot;
  uint64_t wanted_exchanges;
  uint64_t wanted_reads;
  struct timespec deadline;
  bool is_lazy;
  char *far;     // memory that is in no cache; NULL without store buffers to fill
  object *kept;  // destroyed by a faulty run, linked
  // Accessed atomically.
  uint64_t exchanges;
  uint64_t reads;
  uint64_t accompanied;
  uint64_t poisoned;
  uint64_t destroyed;
} stress;

struct object {
  uint64_t mark;  // read atomically
  stress *stress;
  object *next_kept;
};

static uint64_t value(const uint64_t *counter) {
  return __atomic_load_n(counter, __ATOMIC_RELAXED);
}

static uint64_t count(uint64_t *counter) {
  return __atomic_add_fetch(counter, 1, __ATOMIC_RELAXED);
}

static void require(bool condition, const char *what) {
  if (condition) return;
  fprintf(stderr, "corinth_test_poison_stress: %s\n", what);
  abort();
}

// MARK: - Objects

static object *object_create(stress *run) {
  object *created = malloc(sizeof *created);
  require(created != NULL, "out of memory");
  *created = (object){.mark = alive_mark, .stress = run};
  return created;
}

static void object_destroy(void *destroyed) {
  object *self = destroyed;
  stress *run = self->stress;
  count(&run->destroyed);
  if (run->fault == corinth_test_fault_none) {
    // Not atomic, so that ThreadSanitizer checks that all readers are done; volatile, so that the
    // store is not left out because the object is freed.
    *(volatile uint64_t *)&self->mark = poison_mark;
    free(self);
    return;
  }
  __atomic_store_n(&self->mark, poison_mark, __ATOMIC_RELAXED);
  self->next_kept = __atomic_load_n(&run->kept, __ATOMIC_RELAXED);
  while (!__atomic_compare_exchange_n(
      &run->kept, &self->next_kept, self, false, __ATOMIC_RELEASE, __ATOMIC_RELAXED)) {
  }
}

// MARK: - Threads

static bool is_past(const struct timespec *deadline) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec > deadline->tv_sec;
}

static bool is_over(const stress *run) {
  if (run->fault != corinth_test_fault_none) {
    return value(&run->poisoned) > 0 || is_past(&run->deadline);
  }
  return value(&run->exchanges) >= run->wanted_exchanges
      && value(&run->reads) >= run->wanted_reads;
}

static void *write_objects(void *argument) {
  stress *run = argument;
  while (!is_over(run)) {
    uintptr_t fresh = (uintptr_t)object_create(run);
    void *replaced = (void *)corinth_slot_exchange(run->slot, fresh);
    if (run->fault == corinth_test_fault_no_retirement) {
      object_destroy(replaced);
    } else {
      corinth_retire(replaced, object_destroy, run->is_lazy ? CORINTH_LAZY : CORINTH_AWAITED);
    }
    count(&run->exchanges);
  }
  return NULL;
}

// Lets writers go on, so that the object just loaded is replaced while it is in use.
static void hold(const stress *run, uint64_t exchanges) {
  uint64_t until = value(&run->exchanges) + exchanges;
  while (value(&run->exchanges) < until && !is_over(run)) sched_yield();
}

static const size_t far_size = (size_t)128 << 20;

static void fill_store_buffer(stress *run, uint64_t *random) {
  for (int i = 0; i < 40; i++) {
    *random = *random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    __atomic_store_n(&run->far[(*random >> 33) % far_size], 1, __ATOMIC_RELAXED);
  }
}

static void *read_behind_stores(void *argument) {
  stress *run = argument;
  uint64_t random = (uintptr_t)&random;
  uint64_t exchanges = 0;
  while (!is_over(run)) {
    fill_store_buffer(run, &random);
    corinth_thread *section = corinth_section_enter();
    const object *seen = (const object *)corinth_slot_load(run->slot);
    for (int i = 0; i < 7; i++) {
      if (__atomic_load_n(&seen->mark, __ATOMIC_RELAXED) != alive_mark) {
        count(&run->poisoned);
        break;
      }
    }
    corinth_section_leave(section);
    count(&run->reads);
    uint64_t exchanges_before = exchanges;
    exchanges = value(&run->exchanges);
    if (exchanges != exchanges_before) count(&run->accompanied);
  }
  return NULL;
}

static void *read_objects(void *argument) {
  stress *run = argument;
  bool has_section = run->fault != corinth_test_fault_no_section;
  for (uint64_t i = 0; !is_over(run); i++) {
    corinth_thread *section = has_section ? corinth_section_enter() : NULL;
    const object *seen = (const object *)corinth_slot_load(run->slot);
    hold(run, i % (longest_hold + 1));
    if (__atomic_load_n(&seen->mark, __ATOMIC_RELAXED) != alive_mark) count(&run->poisoned);
    if (has_section) corinth_section_leave(section);
    count(&run->reads);
  }
  return NULL;
}

static void run_threads(stress *run, unsigned int readers, unsigned int writers) {
  pthread_t *threads = calloc(readers + writers, sizeof *threads);
  require(threads != NULL, "out of memory");
  for (unsigned int i = 0; i < readers + writers; i++) {
    void *(*body)(void *) =
        i >= readers ? write_objects : run->far != NULL ? read_behind_stores : read_objects;
    require(pthread_create(&threads[i], NULL, body, run) == 0, "no thread");
  }
  for (unsigned int i = 0; i < readers + writers; i++) pthread_join(threads[i], NULL);
  free(threads);
}

// MARK: - Run

// Also waits for destructions begun by other threads: the destructors use the run.
static void destroy_all(void) {
  corinth_reclamation counts;
  do {
    corinth_reclaim_all();
    counts = corinth_reclamation_read();
  } while (counts.destroyed < counts.retired && sched_yield() == 0);
}

static bool names_are_equal(const corinth_key *left, const corinth_key *right) {
  return left == right;
}

static void leave_slot(corinth_slot *slot) { (void)slot; }

static corinth_slot *slot_create(corinth_registry *registry) {
  static const uint64_t type;
  corinth_key key = {.product = corinth_product((uintptr_t)&type, false, false)};
  bool inserted;
  corinth_slot *slot = corinth_registry_insert_and_lock(
      registry, &key, corinth_hash((uintptr_t)&type, 0, 0), &inserted);
  corinth_registry_unlock(registry);
  return slot;
}

static corinth_test_poisoning stress_run(stress run, unsigned int readers, unsigned int writers) {
  corinth_registry *registry = corinth_registry_create(names_are_equal, 64, false);
  run.slot = slot_create(registry);
  clock_gettime(CLOCK_MONOTONIC, &run.deadline);
  run.deadline.tv_sec += patience_seconds;
  corinth_slot_exchange(run.slot, (uintptr_t)object_create(&run));
  run_threads(&run, readers, writers);
  corinth_retire(
      (void *)corinth_slot_exchange(run.slot, CORINTH_WORD_ABSENT), object_destroy, CORINTH_AWAITED);
  destroy_all();
  for (object *each = run.kept, *next; each != NULL; each = next) {
    next = each->next_kept;
    free(each);
  }
  corinth_registry_destroy(registry, leave_slot);
  return (corinth_test_poisoning){
      .exchanges = run.exchanges,
      .reads = run.reads,
      .accompanied = run.accompanied,
      .poisoned = run.poisoned,
      .destroyed = run.destroyed,
  };
}

corinth_test_poisoning corinth_test_poison_stress(
    corinth_test_fault fault, unsigned int readers, unsigned int writers, uint64_t exchanges) {
  stress run = {
      .fault = fault,
      .wanted_exchanges = exchanges,
      .wanted_reads = exchanges / (longest_hold + 1),
  };
  return stress_run(run, readers, writers);
}

corinth_test_poisoning corinth_test_store_buffer_stress(
    corinth_test_fault fault, unsigned int readers, bool lazily, uint64_t exchanges) {
  bool has_barrier = fault != corinth_test_fault_no_barrier;
  corinth_test_barriers_become(
      has_barrier ? corinth_test_barrier_real : corinth_test_barrier_missing);
  stress run = {
      .fault = fault,
      .wanted_exchanges = exchanges,
      .wanted_reads = exchanges,
      .is_lazy = lazily,
      .far = malloc(far_size),
  };
  require(run.far != NULL, "out of memory");
  corinth_test_poisoning seen = stress_run(run, readers, 1);
  free(run.far);
  corinth_test_barriers_become(corinth_test_barrier_real);
  return seen;
}
