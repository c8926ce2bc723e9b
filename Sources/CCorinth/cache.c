// SPDX-License-Identifier: MIT
//
// The slot cache in front of a registry's hash table. Only the writer fills it; see registry.c for
// the invariants.

#include "corinth_internal.h"

#include <stdlib.h>

enum {
  initial_bits = 5,      // 32 entries: a small container's cache is four lines
  entries_per_slot = 4,  // a quarter full at most: most slots are at their first entry
  entries_per_slot_at_most = 32,  // the bound of the search for a place
  moves_at_most = 64,    // far above the need: twenty were never seen
};

const corinth_slot corinth_no_slot;

// The cache of registries without internals that show no parent's slots (registry.c, invariant 6).
// Two entries, since a hit probes two; one entry would need a shift by 64, which C does not define.
const corinth_cache corinth_empty_cache = {.shift = 63, .entries = {&corinth_no_slot, &corinth_no_slot}};

static size_t size_of_cache(unsigned int bits) {
  return sizeof(corinth_cache) + ((size_t)1 << bits) * sizeof(corinth_slot *);
}

static corinth_cache *cache_make(
    void *memory, unsigned int bits, corinth_cache *previous, const corinth_registry *owner) {
  corinth_cache *cache = memory;
  cache->previous = previous;
  cache->owner = owner;
  cache->shift = 64 - bits;
  cache->version = 0;
  for (size_t left = (size_t)1 << bits; left-- > 0;) cache->entries[left] = &corinth_no_slot;
  return cache;
}

static uint64_t hash_of_slot(const corinth_slot *slot) {
  return corinth_hash(
      corinth_product_type(slot->key.product), slot->key.name_hash, slot->key.arguments);
}

// Called by the writer only, or before the cache is published.
static const corinth_slot *slot_at(const corinth_cache *cache, size_t entry) {
  return __atomic_load_n(&cache->entries[entry], __ATOMIC_RELAXED);
}

// Pairs with the acquire loads of the searching functions.
static void cache_store(corinth_cache *cache, size_t entry, const corinth_slot *slot) {
  __atomic_store_n(&cache->entries[entry], slot, __ATOMIC_RELEASE);
}

// The cache of a registry, for the registry's writer. Atomic: corinth_registry_stop_sharing may
// exchange the cache that the registry had before its own cache.
static corinth_cache *cache_of(const corinth_registry *registry) {
  return __atomic_load_n(&registry->cache, __ATOMIC_RELAXED);
}

// Stores the slot at an entry, moves the slot found there to its other entry, and so on up to an
// unused entry. False, and nothing has changed, if no unused entry can be reached.
//
// The last slot of the chain moves first: no slot is ever at neither of its entries. A reader may
// look at one entry before a move and at the other after it, and miss the slot: the hash table has
// the slot by then, and for corinth_cache_lacks the version is odd, or changes during the look.
static bool cache_place_at(
    const corinth_registry *registry, corinth_cache *cache, size_t entry, corinth_slot *slot) {
  size_t path[moves_at_most];
  size_t length = 0;
  for (const corinth_slot *each; (each = slot_at(cache, entry)) != &corinth_no_slot;) {
    if (length == moves_at_most) return false;
    path[length++] = entry;
    entry = corinth_cache_other_entry(cache, hash_of_slot(each), entry);
  }
  if (length > 0 && cache == cache_of(registry)) {
    for (size_t i = 0; i < length; i++) {
      corinth_slot *moved = (corinth_slot *)slot_at(cache, path[i]);
      corinth_registry_put_in_table(registry, moved, hash_of_slot(moved));
    }
  }
  uint32_t version = cache->version;
  bool moves = length > 0 && version % 2 == 0;
  // Seen by readers that acquire a store below.
  if (moves) __atomic_store_n(&cache->version, version + 1, __ATOMIC_RELAXED);
  for (; length > 0; entry = path[length]) {
    cache_store(cache, entry, slot_at(cache, path[--length]));
  }
  cache_store(cache, entry, slot);
  // Pairs with the acquire load in corinth_cache_lacks.
  if (moves) __atomic_store_n(&cache->version, version + 2, __ATOMIC_RELEASE);
  return true;
}

// False if the slot was left out, since there is no place for all: the version then stays odd.
static bool cache_place(
    const corinth_registry *registry, corinth_cache *cache, corinth_slot *slot, uint64_t hash) {
  size_t first = hash >> cache->shift;
  // Most first entries are unused, above all in a new cache.
  if (CORINTH_LIKELY(slot_at(cache, first) == &corinth_no_slot)) {
    cache_store(cache, first, slot);
    return true;
  }
  size_t other = corinth_cache_other_entry(cache, hash, first);
  // An unused entry is taken before a slot is moved: invariant 3 of registry.c.
  bool is_other_better = slot_at(cache, other) == &corinth_no_slot;
  if (!is_other_better && cache_place_at(registry, cache, first, slot)) return true;
  if (cache_place_at(registry, cache, other, slot)) return true;
  __atomic_store_n(&cache->version, cache->version | 1, __ATOMIC_RELAXED);
  corinth_registry_put_in_table(registry, slot, hash);
  return false;
}

const corinth_slot *corinth_cache_find_slot(
    const corinth_registry *registry, const corinth_key *key, uint64_t hash,
    const corinth_slot *seen[2]) {
  const corinth_cache *cache = __atomic_load_n(&registry->cache, __ATOMIC_ACQUIRE);
  size_t entry = hash >> cache->shift;
  for (int i = 0; i < 2; i++) {
    const corinth_slot *slot = __atomic_load_n(&cache->entries[entry], __ATOMIC_ACQUIRE);
    if (corinth_slot_has_key(registry, slot, key)) return slot;
    seen[i] = slot;
    entry = corinth_cache_other_entry(cache, hash, entry);
  }
  return NULL;
}

size_t corinth_cache_initial_size(void) { return size_of_cache(initial_bits); }

corinth_cache *corinth_cache_make(void *memory, const corinth_registry *owner) {
  return cache_make(memory, initial_bits, NULL, owner);
}

// Makes a larger cache: the smallest in which every slot has a place, or the largest allowed.
static corinth_cache *cache_grow(const corinth_registry *registry, corinth_slot *newest, size_t count) {
  corinth_cache *previous = cache_of(registry);
  for (unsigned int bits = 64 - previous->shift + 1;; bits++) {
    corinth_cache *larger = cache_make(
        corinth_allocate(64, size_of_cache(bits), "the slot cache"), bits, previous, registry);
    bool holds_all = true;
    for (corinth_slot *each = newest; each != NULL; each = each->next) {
      holds_all = cache_place(registry, larger, each, hash_of_slot(each)) && holds_all;
    }
    if (holds_all || (size_t)1 << bits >= count * entries_per_slot_at_most) return larger;
    free(larger);
  }
}

void corinth_cache_insert(
    corinth_registry *registry, corinth_slot *slot, uint64_t hash, size_t count) {
  corinth_cache *cache = cache_of(registry);
  size_t size = (size_t)1 << (64 - cache->shift);
  bool is_cut = registry->fingerprint_bits < 64;
  bool is_large_enough = is_cut || count * entries_per_slot <= size;
  if (is_large_enough && cache_place(registry, cache, slot, hash)) return;
  // In search of a place, the cache grows only up to a bound.
  if (is_cut || size >= count * entries_per_slot_at_most) return;
  // Pairs with the acquire load in corinth_cache_find.
  __atomic_store_n(&registry->cache, cache_grow(registry, slot, count), __ATOMIC_RELEASE);
}

// MARK: - Keys

bool corinth_slot_has_key(
    const corinth_registry *registry, const corinth_slot *slot, const corinth_key *key) {
  if (!corinth_slot_has_key_but_for_name(slot, key->product, key->name_hash, key->arguments)) {
    return false;
  }
  if (slot->key.name_bits[0] == key->name_bits[0] && slot->key.name_bits[1] == key->name_bits[1]) {
    return true;
  }
  return registry->names_equal(&slot->key, key);
}
