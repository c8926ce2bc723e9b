// SPDX-License-Identifier: MIT
//
// A stress of the core in C alone, for processors without a Swift toolchain at hand:
// Scripts/check-arm64.
//   table-stress READS OVERRIDES
//
// Readers look keys up in sections, beside a writer that inserts keys, overrides words, and retires
// the words' objects. Destruction poisons an object. A read or an override is bad if it does not
// find its key, finds another key's slot or object, or poison. The memory of objects is never
// freed, so that reading poison is defined. Twice: with the slot cache in front of the hash table,
// and with fingerprints that are cut, so that keys are found in the table and collide.

#include <CCorinth.h>
#include <inttypes.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>

enum : uint64_t {
  alive_mark = UINT64_C(0xA11FEA11FEA11FE0),
  poison_mark = UINT64_C(0xDEADDEADDEADDEAD),
};

enum {
  readers = 3,
  first_keys = 16,            // overridden and read more often than the keys that come later
  keys_at_most = 2048,
  reads_of_a_hold = 1024,     // one in so many holds its object until that is replaced
  yields_of_a_hold = 100,     // ... at most
  cut_fingerprint_bits = 10,  // two keys for each fingerprint
};

typedef struct object {
  uint64_t mark;  // read atomically
  uintptr_t type;
} object;

typedef struct stress {
  corinth_registry *registry;
  uint64_t wanted_reads;
  uint64_t wanted_overrides;
  uint64_t made;
  // Accessed atomically.
  uint64_t keys;
  uint64_t reads;
  uint64_t overrides;
  uint64_t bad;
} stress;

static uint64_t destroyed;  // accessed atomically

static void require(bool condition, const char *what) {
  if (condition) return;
  fprintf(stderr, "table-stress: %s\n", what);
  exit(2);
}

static uint64_t value(const uint64_t *counter) { return __atomic_load_n(counter, __ATOMIC_RELAXED); }

static void add(uint64_t *counter, uint64_t count) { __atomic_fetch_add(counter, count, __ATOMIC_RELAXED); }

static bool is_over(const stress *run) {
  return value(&run->reads) >= run->wanted_reads && value(&run->overrides) >= run->wanted_overrides;
}

// Whether more overrides were made than belong to the reads so far: both go on beside each other
// until the end.
static bool is_ahead(const stress *run) {
  return value(&run->overrides) * run->wanted_reads > value(&run->reads) * run->wanted_overrides;
}

// xorshift64 (G. Marsaglia, 2003).
static uint64_t next_random(uint64_t *state) {
  *state ^= *state << 13;
  *state ^= *state >> 7;
  *state ^= *state << 17;
  return *state;
}

static uintptr_t type_of_key(uint64_t key) { return (uintptr_t)(key + 1) * 64; }

static uint64_t random_key(uint64_t *random, uint64_t keys) {
  uint64_t bits = next_random(random);
  return bits % 4 != 0 ? (bits >> 2) % first_keys : (bits >> 2) % keys;
}

// MARK: - Writer

static uintptr_t word_for_key(stress *run, uint64_t key) {
  object *made = malloc(sizeof *made);
  require(made != NULL, "out of memory");
  *made = (object){.mark = alive_mark, .type = type_of_key(key)};
  run->made++;
  return (uintptr_t)made;
}

static void object_destroy(void *object_of_word) {
  object *self = object_of_word;
  __atomic_store_n(&self->mark, poison_mark, __ATOMIC_RELAXED);
  add(&destroyed, 1);
}

static void slot_destroy(corinth_slot *slot) { object_destroy((void *)slot->word); }

static uintptr_t put(stress *run, uint64_t key) {
  uintptr_t type = type_of_key(key);
  corinth_key wanted = {.product = corinth_product(type, false, false)};
  bool inserted;
  corinth_slot *slot = corinth_registry_insert_and_lock(
      run->registry, &wanted, corinth_hash(type, 0, 0), &inserted);
  uintptr_t replaced = corinth_slot_exchange(slot, word_for_key(run, key));
  corinth_registry_unlock(run->registry);
  return replaced;
}

static void insert_key(stress *run) {
  require(put(run, run->keys) == CORINTH_WORD_ABSENT, "a new key had a word");
  // Pairs with the acquire load of readers: a key that is counted is found.
  __atomic_store_n(&run->keys, run->keys + 1, __ATOMIC_RELEASE);
}

static void write_words(stress *run) {
  uint64_t random = UINT64_C(0x9E3779B97F4A7C15);
  while (!is_over(run)) {
    if (is_ahead(run)) {
      sched_yield();
      continue;
    }
    if (run->keys < keys_at_most) insert_key(run);
    uintptr_t replaced = put(run, random_key(&random, run->keys));
    if (replaced == CORINTH_WORD_ABSENT) {
      add(&run->bad, 1);
    } else {
      corinth_retire((void *)replaced, object_destroy, random % 2 == 0 ? CORINTH_LAZY : CORINTH_AWAITED);
    }
    add(&run->overrides, 1);
  }
}

// MARK: - Readers

static const corinth_slot *find(const stress *run, uintptr_t type) {
  const corinth_slot *slot = corinth_cache_find_plain(run->registry, type);
  if (slot != NULL) return slot;
  corinth_key wanted = {.product = corinth_product(type, false, false)};
  return corinth_registry_find_spmc(run->registry, &wanted, corinth_hash(type, 0, 0));
}

// Gives the writer the time to replace and destroy what was just loaded.
static void hold(const corinth_slot *slot, uintptr_t word) {
  int yields = yields_of_a_hold;
  while (yields-- > 0 && corinth_slot_load(slot) == word) sched_yield();
  for (int i = 0; i < 3; i++) sched_yield();
}

static bool is_good_read(const stress *run, uintptr_t type, bool holds) {
  const corinth_slot *slot = find(run, type);
  if (slot == NULL || slot->key.product != corinth_product(type, false, false)) return false;
  uintptr_t word = corinth_slot_load(slot);
  const object *seen = (const object *)word;
  if (seen == NULL) return false;
  if (holds) hold(slot, word);
  return seen->type == type && value(&seen->mark) == alive_mark;
}

static void *read_words(void *argument) {
  stress *run = argument;
  uint64_t random = (uintptr_t)&random | 1;
  for (uint64_t i = 1; !is_over(run); i++) {
    uint64_t key = random_key(&random, __atomic_load_n(&run->keys, __ATOMIC_ACQUIRE));
    corinth_thread *section = corinth_section_enter_in(run->registry, NULL);
    if (!is_good_read(run, type_of_key(key), i % reads_of_a_hold == 0)) add(&run->bad, 1);
    corinth_section_leave(section);
    add(&run->reads, 1);
  }
  return NULL;
}

// MARK: - Runs

static bool names_are_equal(const corinth_key *left, const corinth_key *right) {
  (void)left, (void)right;
  return true;
}

static bool is_good_run(const char *name, unsigned int fingerprint_bits, uint64_t reads, uint64_t overrides) {
  stress run = {
      .registry = corinth_registry_create(names_are_equal, fingerprint_bits, false),
      .wanted_reads = reads,
      .wanted_overrides = overrides,
  };
  __atomic_store_n(&destroyed, 0, __ATOMIC_RELAXED);
  for (int i = 0; i < first_keys; i++) insert_key(&run);
  pthread_t threads[readers];
  for (int i = 0; i < readers; i++) {
    require(pthread_create(&threads[i], NULL, read_words, &run) == 0, "no thread");
  }
  write_words(&run);
  for (int i = 0; i < readers; i++) pthread_join(threads[i], NULL);

  // Also what the collector has taken.
  for (corinth_reclamation counts = {.retired = 1}; counts.destroyed < counts.retired;) {
    corinth_reclaim_all();
    counts = corinth_reclamation_read();
    sched_yield();
  }
  corinth_registry_destroy(run.registry, slot_destroy);
  uint64_t lost = run.made - value(&destroyed);
  printf("%s, sections %s a fence: %" PRIu64 " reads beside %" PRIu64 " overrides of %" PRIu64 " keys, %" PRIu64 " bad; %" PRIu64
         " of %" PRIu64 " objects not destroyed\n",
         name, corinth_thread_attached == NULL ? "with" : "without", run.reads, run.overrides, run.keys, run.bad, lost, run.made);
  return run.bad == 0 && lost == 0;
}

int main(int count, char **arguments) {
  require(count == 3, "table-stress READS OVERRIDES");
  uint64_t reads = strtoull(arguments[1], NULL, 10) / 2;
  uint64_t overrides = strtoull(arguments[2], NULL, 10) / 2;
  bool is_good = is_good_run("by the slot cache", 64, reads, overrides);
  is_good &= is_good_run("by the hash table", cut_fingerprint_bits, reads, overrides);
  return is_good ? 0 : 1;
}
