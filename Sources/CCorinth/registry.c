// SPDX-License-Identifier: MIT
//
// The registry: a slot cache, and ck_ht from fingerprint to slot, insert-only, for slots that
// readers may miss in the cache.
//
// Invariants
//  1. A slot is complete before publication, never changes its key, and lives as long as the
//     registry. The same holds for a cache's array. Readers need no section for either.
//  2. ck_ht holds the first slot of a fingerprint; further slots hang on the first slot's
//     next_colliding chain, which grows at the tail only. The table is made for its first slot.
//  3. The cache holds the slots, each at one of the two entries given by its hash, placed and moved
//     by the writer only. A slot that moves while readers use the cache is first put in the hash
//     table, as is a slot without a place: a reader that misses in the cache looks in the table,
//     and writes nothing. No look in the table is needed (a) when an entry of the key is unused: a
//     slot is placed at its first unused entry, and no entry is ever emptied, as a slot moves to
//     its other entry before the next takes its place; (b) when the version of the cache is even,
//     and equal before and after the look at both entries: no slot has moved behind the reader's
//     back, and none was left out. An insertion ends once its slot is placed, or left out.
//  4. A cache or ck_ht map replaced by growth is parked until the registry dies, since readers may
//     still be inside. A parked cache or map is half as large as its successor, so all parked
//     caches or maps together are smaller than the one in use.
//  5. Until its writer mutex is first taken, a registry shares one empty cache with all such
//     registries and has no internals: no hash table, no mutex, nothing for fork to lock. Internals
//     and a cache of the registry's own come once, together, and stay until the registry ends. A
//     thread keeps the internals of an ended registry for the next one, without writes to a list or
//     heap of all threads: children with registrations may end at the rate of requests.
//  6. A child without internals may show the slots of its parent's cache, as of the child's
//     creation, so that a hit there costs no walk: only corinth_cache_find_plain and
//     corinth_cache_find find such slots. Only a parent with internals shares: a parent without may
//     get a key later, which would shadow a slot in the shown cache of an ancestor. When the
//     parent's cache grows, the child keeps the smaller cache (4). With its first key the child
//     gets a cache of its own (5); corinth_registry_stop_sharing gives the child the empty cache.

#include "corinth_internal.h"

#include <stdlib.h>
#include <string.h>

_Static_assert(sizeof(corinth_slot) == 64, "a slot is one cache line");

enum {
  slots_in_first_slab = 4,
  slots_in_largest_slab = 512,
};

// Slots are allocated in slabs, so that the alignment of a slot costs no second line.
typedef struct slab {
  struct slab *previous;
  size_t capacity;
  _Alignas(sizeof(corinth_slot)) corinth_slot slots[];
} slab;

// The registry's first cache lies behind the internals, in the same allocation, which is not an
// aligned allocation: that takes several times longer.
struct corinth_registry_internals {
  void *memory;
  pthread_mutex_t writer_mutex;
  corinth_table *table;  // NULL at first; accessed atomically
  corinth_slot *newest;
  size_t count;
  slab *slabs;
  size_t slab_used;
  CK_LIST_ENTRY(corinth_registry_internals) others;
  // The first slab is a part of the internals.
  _Alignas(sizeof(corinth_slot)) corinth_slot first_slots[slots_in_first_slab];
};
_Static_assert(
    sizeof(struct corinth_registry_internals) % _Alignof(corinth_cache) == 0
        && _Alignof(struct corinth_registry_internals) == _Alignof(corinth_cache),
    "a cache lies behind this");

// NULL until the writer mutex is first taken. Pairs with the release store in
// internals_make_and_lock.
static struct corinth_registry_internals *internals_of(const corinth_registry *registry) {
  return __atomic_load_n(&registry->internals, __ATOMIC_ACQUIRE);
}

// MARK: - Fingerprints

// ck_ht indexes with the low bits, left badly mixed by the multiplication. ck_ht reserves the keys
// 0 and ~0.
static uint64_t fingerprint(const corinth_registry *registry, uint64_t hash) {
  uint64_t folded = (hash ^ (hash >> 32)) & (UINT64_MAX >> (64 - registry->fingerprint_bits));
  if (folded == 0) return 1;
  return folded == UINT64_MAX ? UINT64_MAX - 1 : folded;
}

// MARK: - Lookup

// Skips the slots in `seen`, without comparing names.
static corinth_slot *find_in_table(
    const corinth_registry *registry, const corinth_key *key, uint64_t hash,
    const corinth_slot *const seen[2]) {
  // Pairs with the release store in corinth_registry_put_in_table.
  const corinth_table *table = __atomic_load_n(&internals_of(registry)->table, __ATOMIC_ACQUIRE);
  if (table == NULL) return NULL;
  corinth_slot *slot = corinth_table_find(table, fingerprint(registry, hash));
  while (slot != NULL
         && (slot == seen[0] || slot == seen[1] || !corinth_slot_has_key(registry, slot, key))) {
    // Pairs with the release store in corinth_registry_put_in_table.
    slot = __atomic_load_n(&slot->next_colliding, __ATOMIC_ACQUIRE);
  }
  return slot;
}

// Out of line: a miss decided by the cache alone saves no registers.
static __attribute__((noinline)) corinth_slot *find_among_all(
    const corinth_registry *registry, const corinth_key *key, uint64_t hash) {
  const corinth_slot *seen[2] = {NULL, NULL};
  const corinth_slot *cached = corinth_cache_find_slot(registry, key, hash, seen);
  return cached != NULL ? (corinth_slot *)cached : find_in_table(registry, key, hash, seen);
}

corinth_slot *corinth_registry_find_spmc(
    const corinth_registry *registry, const corinth_key *key, uint64_t hash) {
  // Without internals the registry has no slots, and shows its parent's cache.
  if (internals_of(registry) == NULL) return NULL;
  if (corinth_cache_lacks(registry, hash, key->product, key->name_hash, key->arguments)) return NULL;
  return find_among_all(registry, key, hash);
}

corinth_slot *corinth_registry_slots(const corinth_registry *registry) {
  const struct corinth_registry_internals *internals = internals_of(registry);
  // Pairs with the release store in insert_assuming_writer_mutex_held.
  return internals == NULL ? NULL : __atomic_load_n(&internals->newest, __ATOMIC_ACQUIRE);
}

size_t corinth_registry_count(const corinth_registry *registry) {
  const struct corinth_registry_internals *internals = internals_of(registry);
  // Pairs with the release store in insert_assuming_writer_mutex_held.
  return internals == NULL ? 0 : __atomic_load_n(&internals->count, __ATOMIC_ACQUIRE);
}

// MARK: - Insertion

static corinth_slot *slot_allocate(struct corinth_registry_internals *internals) {
  if (internals->count < slots_in_first_slab) return &internals->first_slots[internals->count];
  slab *newest = internals->slabs;
  if (newest == NULL || internals->slab_used == newest->capacity) {
    size_t capacity = 2 * (newest == NULL ? (size_t)slots_in_first_slab : newest->capacity);
    if (capacity > slots_in_largest_slab) capacity = slots_in_largest_slab;
    slab *fresh = corinth_allocate(
        _Alignof(slab), sizeof *fresh + capacity * sizeof fresh->slots[0], "slots");
    fresh->previous = newest;
    fresh->capacity = capacity;
    internals->slabs = fresh;
    internals->slab_used = 0;
    newest = fresh;
  }
  return &newest->slots[internals->slab_used++];
}

void corinth_registry_put_in_table(const corinth_registry *registry, corinth_slot *slot, uint64_t hash) {
  struct corinth_registry_internals *internals = internals_of(registry);
  if (internals->table == NULL) {
    // Pairs with the acquire load in find_in_table.
    __atomic_store_n(&internals->table, corinth_table_create(), __ATOMIC_RELEASE);
  }
  uint64_t print = fingerprint(registry, hash);
  corinth_slot *last = corinth_table_find(internals->table, print);
  if (last == NULL) {
    corinth_table_put(internals->table, print, slot);
    return;
  }
  while (last != slot && last->next_colliding != NULL) last = last->next_colliding;
  // Pairs with the acquire load in find_in_table. Unless the slot is there already.
  if (last != slot) __atomic_store_n(&last->next_colliding, slot, __ATOMIC_RELEASE);
}

static corinth_slot *insert_assuming_writer_mutex_held(
    corinth_registry *registry, const corinth_key *key, uint64_t hash) {
  struct corinth_registry_internals *internals = internals_of(registry);
  corinth_slot *slot = slot_allocate(internals);
  *slot = (corinth_slot){.word = CORINTH_WORD_ABSENT, .key = *key, .next = internals->newest};
  // Cache first, list second: a slot found in the list must also be found by key (invariant 3).
  corinth_cache_insert(registry, slot, hash, internals->count + 1);
  // Pairs with the acquire load in corinth_registry_slots.
  __atomic_store_n(&internals->newest, slot, __ATOMIC_RELEASE);
  // Pairs with the acquire load in corinth_registry_count.
  __atomic_store_n(&internals->count, internals->count + 1, __ATOMIC_RELEASE);
  return slot;
}

// The newest slot from `slot` on, newer than `end`, for which only the name is left to compare with
// the key; `end` when there is none.
static corinth_slot *slot_to_compare(
    corinth_slot *slot, const corinth_slot *end, const corinth_key *key) {
  while (slot != end
         && !corinth_slot_has_key_but_for_name(
             slot, key->product, key->name_hash, key->arguments)) {
    slot = slot->next;
  }
  return slot;
}

static void writer_mutex_lock(corinth_registry *registry);

// Optimistic: names are compared without the mutex, and the search only counts if no further slot
// to compare has been made by the time the mutex is taken. A retry looks at new slots alone, so
// that every name is compared once, and a comparison that makes slots itself does not keep the
// search from ending.
corinth_slot *corinth_registry_insert_and_lock(
    corinth_registry *registry, const corinth_key *key, uint64_t hash, bool *inserted) {
  // Before the search, which compares names.
  corinth_registry_check_image(registry);
  *inserted = false;
  // Slots from here on are already searched.
  corinth_slot *searched = corinth_registry_slots(registry);
  corinth_slot *slot = corinth_registry_find_spmc(registry, key, hash);
  while (true) {
    writer_mutex_lock(registry);
    if (slot != NULL) return slot;
    corinth_slot *newest = corinth_registry_slots(registry);
    corinth_slot *compared = slot_to_compare(newest, searched, key);
    if (compared == searched) {
      *inserted = true;
      return insert_assuming_writer_mutex_held(registry, key, hash);
    }
    corinth_registry_unlock(registry);
    while (compared != searched && !corinth_slot_has_key(registry, compared, key)) {
      compared = slot_to_compare(compared->next, searched, key);
    }
    if (compared != searched) slot = compared;
    searched = newest;
  }
}

// MARK: - Internals

// The internals of all registries, and the internals kept by threads, so that fork can lock the
// writer mutexes.
static pthread_mutex_t all_internals_mutex = PTHREAD_MUTEX_INITIALIZER;
static CK_LIST_HEAD(, corinth_registry_internals) all_internals = CK_LIST_HEAD_INITIALIZER(all_internals);

static struct corinth_registry_internals *internals_create(void) {
  size_t alignment = _Alignof(struct corinth_registry_internals);
  size_t size = alignment - 1 + sizeof(struct corinth_registry_internals) + corinth_cache_initial_size();
  char *memory = corinth_allocate(_Alignof(max_align_t), size, "a registry");
  struct corinth_registry_internals *internals =
      (struct corinth_registry_internals *)(memory + (-(uintptr_t)memory & (alignment - 1)));
  *internals = (struct corinth_registry_internals){
      .memory = memory, .writer_mutex = PTHREAD_MUTEX_INITIALIZER};
  corinth_mutex_lock(&all_internals_mutex);
  CK_LIST_INSERT_HEAD(&all_internals, internals, others);
  corinth_mutex_unlock(&all_internals_mutex);
  return internals;
}

static void internals_free(struct corinth_registry_internals *internals) {
  corinth_mutex_lock(&all_internals_mutex);
  CK_LIST_REMOVE(internals, others);
  corinth_mutex_unlock(&all_internals_mutex);
  pthread_mutex_destroy(&internals->writer_mutex);
  free(internals->memory);
}

// Internals without slots, listed: kept by the thread, or new.
static struct corinth_registry_internals *internals_take(void) {
  corinth_thread *thread = corinth_thread_own();
  if (thread == NULL || thread->internals == NULL) return internals_create();
  struct corinth_registry_internals *kept = thread->internals;
  thread->internals = NULL;
  return kept;
}

// Empties internals without other users, and keeps the internals for the thread's next registry.
static void internals_give(struct corinth_registry_internals *internals) {
  for (slab *each = internals->slabs, *previous; each != NULL; each = previous) {
    previous = each->previous;
    free(each);
  }
  if (internals->table != NULL) corinth_table_destroy(internals->table);
  size_t first = offsetof(struct corinth_registry_internals, table);
  memset(&internals->table, 0, offsetof(struct corinth_registry_internals, others) - first);
  corinth_thread *thread = corinth_thread_own();
  if (thread != NULL && thread->internals == NULL && corinth_thread_keeps_spares()) {
    thread->internals = internals;
  } else {
    internals_free(internals);
  }
}

void corinth_registry_release_kept(corinth_thread *thread) {
  if (thread->internals != NULL) internals_free(thread->internals);
  thread->internals = NULL;
}

// Several threads may make internals for one registry. The first to exchange the cache wins, and
// holds the writer mutex from before the cache is seen until the internals are seen. The other
// threads wait for the mutex, as a fork does.
static void internals_make_and_lock(corinth_registry *registry) {
  struct corinth_registry_internals *made = internals_take();
  corinth_cache *cache = corinth_cache_make(made + 1, registry);
  corinth_mutex_lock(&made->writer_mutex);
  corinth_cache *present = __atomic_load_n(&registry->cache, __ATOMIC_ACQUIRE);
  while (present->owner != registry) {
    // The cache first: a reader that finds the internals looks into the cache, and a writer fills
    // the cache. Fails if corinth_registry_stop_sharing comes between. The release pairs with the
    // acquire loads in corinth_cache_find and above.
    if (__atomic_compare_exchange_n(
            &registry->cache, &present, cache, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)) {
      // Pairs with the acquire load in internals_of.
      __atomic_store_n(&registry->internals, made, __ATOMIC_RELEASE);
      return;
    }
  }
  corinth_mutex_unlock(&made->writer_mutex);
  internals_give(made);
  // The first cache lies behind the internals.
  while (present->previous != NULL) present = present->previous;
  corinth_mutex_lock(&((struct corinth_registry_internals *)present - 1)->writer_mutex);
}

static void writer_mutex_lock(corinth_registry *registry) {
  struct corinth_registry_internals *internals = internals_of(registry);
  if (internals == NULL) {
    internals_make_and_lock(registry);
  } else {
    corinth_mutex_lock(&internals->writer_mutex);
  }
}

void corinth_registry_lock(corinth_registry *registry) {
  corinth_registry_check_image(registry);
  writer_mutex_lock(registry);
}

void corinth_registry_unlock(corinth_registry *registry) {
  corinth_mutex_unlock(&internals_of(registry)->writer_mutex);
}

// All mutexes at once, in one order for all callers, the order of a fork: the mutex of the list
// comes first, and is held while waiting for writers. So callers with several registries wait for
// each other at the list.
void corinth_registries_lock(corinth_registry *const *registries, size_t count) {
  // New internals take the mutex of the list.
  for (size_t i = 0; i < count; i++) {
    corinth_registry_check_image(registries[i]);
    if (internals_of(registries[i]) != NULL) continue;
    internals_make_and_lock(registries[i]);
    corinth_registry_unlock(registries[i]);
  }
  corinth_mutex_lock(&all_internals_mutex);
  for (size_t i = 0; i < count; i++) corinth_mutex_lock(&internals_of(registries[i])->writer_mutex);
  // Unlocked at once: a fork may hold the list and wait for a writer, who needs no further mutex.
  corinth_mutex_unlock(&all_internals_mutex);
}

void corinth_registries_unlock(corinth_registry *const *registries, size_t count) {
  for (size_t i = 0; i < count; i++) corinth_registry_unlock(registries[i]);
}

// MARK: - Life

// Invariant 6. Pairs with the releases in corinth_cache_insert and internals_make_and_lock.
static corinth_cache *cache_to_share(const corinth_registry *parent) {
  if (internals_of(parent) == NULL) return (corinth_cache *)&corinth_empty_cache;
  return __atomic_load_n(&parent->cache, __ATOMIC_ACQUIRE);
}

// A registry with cells, in a single allocation.
typedef struct registry_with_cells {
  corinth_registry registry;
  corinth_cells cells;
} registry_with_cells;

// Only the cells are initialized.
static corinth_registry *allocate(bool has_cells) {
  if (!has_cells) {
    corinth_registry *registry =
        corinth_allocate(_Alignof(corinth_registry), sizeof *registry, "a registry");
    registry->cells = NULL;
    return registry;
  }
  registry_with_cells *made =
      corinth_allocate(_Alignof(registry_with_cells), sizeof *made, "a request scope");
  corinth_cells_initialize(&made->cells);
  made->cells.ending = &made->registry.ending;
  made->registry.cells = &made->cells;
  return &made->registry;
}

static corinth_registry *begin_child(corinth_registry *registry, const corinth_registry *parent) {
  corinth_registry_check_image(parent);
  corinth_cells *cells = registry->cells;
  *registry = (corinth_registry){
      // Never written to: a writer first makes internals, and with the internals a cache.
      .cache = cache_to_share(parent),
      .path_tracking_threshold = parent->path_tracking_threshold,
      .names_equal = parent->names_equal,
      .fingerprint_bits = parent->fingerprint_bits,
      .image = parent->image,
      .cells = cells,
  };
  if (cells != NULL) corinth_cells_set_first_user(cells);
  return registry;
}

corinth_registry *corinth_registry_create_child(const corinth_registry *parent, bool has_cells) {
  return begin_child(allocate(has_cells), parent);
}

corinth_registry *corinth_registry_create(
    corinth_names_equal names_equal, unsigned int fingerprint_bits, bool has_cells) {
  corinth_process_initialize();
  corinth_registry *registry = allocate(has_cells);
  *registry = (corinth_registry){
      .cache = (corinth_cache *)&corinth_empty_cache,
      .path_tracking_threshold = &registry->path_tracking_threshold_of_root,
      .names_equal = names_equal,
      .fingerprint_bits = (uint16_t)fingerprint_bits,
      .image = corinth_image_number,
      .path_tracking_threshold_of_root = CORINTH_PATH_TRACKING_THRESHOLD,
      .cells = registry->cells,
  };
  if (has_cells) corinth_cells_set_first_user(registry->cells);
  return registry;
}

void corinth_registry_use_again(corinth_registry *registry, const corinth_registry *parent) {
  if (registry->cells != NULL) corinth_cells_reset(registry->cells);
  begin_child(registry, parent);
}

void corinth_registry_end(corinth_registry *registry, corinth_slot_destroy destroy) {
  struct corinth_registry_internals *internals = internals_of(registry);
  if (internals == NULL) return;
  for (corinth_slot *slot = internals->newest; slot != NULL; slot = slot->next) destroy(slot);
  // The first cache is a part of the internals.
  for (corinth_cache *each = registry->cache, *previous; (previous = each->previous) != NULL;
       each = previous) {
    free(each);
  }
  registry->internals = NULL;
  internals_give(internals);
}

void corinth_registry_destroy(corinth_registry *registry, corinth_slot_destroy destroy) {
  corinth_registry_end(registry, destroy);
  if (registry->cells != NULL) corinth_cells_free_tables(registry->cells);
  free(registry);
}

// A cache of the registry's own stays: the loaded cache names its owner. The presence of internals
// says less, since a first writer publishes a cache before the internals.
void corinth_registry_stop_sharing(corinth_registry *registry) {
  corinth_fence_after_exchange();
  corinth_registry_check_image(registry);
  corinth_cache *shared = __atomic_load_n(&registry->cache, __ATOMIC_ACQUIRE);
  if (shared->owner == registry) return;
  // Fails if a writer has made a cache meanwhile. The address is not used again: a parent's caches
  // live as long as the parent. Pairs with corinth_cache_find and internals_make_and_lock.
  __atomic_compare_exchange_n(
      &registry->cache, &shared, (corinth_cache *)&corinth_empty_cache, false, __ATOMIC_SEQ_CST,
      __ATOMIC_ACQUIRE);
}

void corinth_registry_track_all_paths(corinth_registry *registry) {
  __atomic_store_n(registry->path_tracking_threshold, 0, __ATOMIC_RELAXED);
}

// MARK: - Fork

static void for_each_writer_mutex(void (*change)(pthread_mutex_t *mutex)) {
  struct corinth_registry_internals *each;
  CK_LIST_FOREACH(each, &all_internals, others) change(&each->writer_mutex);
}

const corinth_fork_participant corinth_fork_of_registries = {
    .mutex = &all_internals_mutex, .for_others = for_each_writer_mutex};
