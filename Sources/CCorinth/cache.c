// SPDX-License-Identifier: MIT
//
// The slot cache in front of a registry's hash table. Only the writer fills it; see registry.c for the
// invariants.

#include "corinth_internal.h"

enum {
  initial_bits = 5,      // 32 entries: a small container's cache is four lines
  entries_per_slot = 4,  // a quarter full at most: most slots are at their own entry
};

// Equals no key: a product is never 0.
static const corinth_slot no_slot;

// The cache of registries that have no internals and show no other's slots (registry.c, invariant 6). Two entries, since a
// hit probes two; one would also need a shift by 64, which C does not define.
const corinth_cache corinth_empty_cache = {.shift = 63, .entries = {&no_slot, &no_slot}};

static corinth_cache *cache_create(
    unsigned int bits, corinth_cache *previous, const corinth_registry *owner) {
  size_t count = (size_t)1 << bits;
  corinth_cache *cache = corinth_allocate(
      64, sizeof *cache + count * sizeof cache->entries[0], "the slot cache");
  cache->previous = previous;
  cache->owner = owner;
  cache->shift = 64 - bits;
  for (size_t i = 0; i < count; i++) cache->entries[i] = &no_slot;
  return cache;
}

static uint64_t hash_of_slot(const corinth_slot *slot) {
  return corinth_hash(
      corinth_product_type(slot->key.product), slot->key.name_hash, slot->key.arguments);
}

// Stores the slot at its own entry or at another of the same cache line; leaves it out if the
// line is full. Entries are never emptied: a slot that was placed, or left out, has no unused entry in
// front of it. Pairs with the acquire loads of corinth_cache_find and corinth_cache_find_slot.
static void cache_place(corinth_cache *cache, const corinth_slot *slot) {
  size_t home = hash_of_slot(slot) >> cache->shift;
  for (size_t i = 0; i < CORINTH_CACHE_ENTRIES_PER_LINE; i++) {
    const corinth_slot **entry = &cache->entries[home ^ i];
    if (__atomic_load_n(entry, __ATOMIC_RELAXED) == &no_slot) {
      __atomic_store_n(entry, slot, __ATOMIC_RELEASE);
      return;
    }
  }
}

const corinth_slot *corinth_cache_find_slot(
    const corinth_registry *registry, const corinth_key *key, uint64_t hash) {
  const corinth_cache *cache = __atomic_load_n(&registry->cache, __ATOMIC_ACQUIRE);
  size_t home = hash >> cache->shift;
  for (size_t i = 0; i < CORINTH_CACHE_ENTRIES_PER_LINE; i++) {
    const corinth_slot *slot = __atomic_load_n(&cache->entries[home ^ i], __ATOMIC_ACQUIRE);
    if (slot == &no_slot) return NULL;
    if (corinth_slot_has_key(registry, slot, key)) return slot;
  }
  return NULL;
}

corinth_cache *corinth_cache_create(const corinth_registry *owner) {
  return cache_create(initial_bits, NULL, owner);
}

void corinth_cache_insert(
    corinth_registry *registry, corinth_slot *slot, size_t count, corinth_slot *newest) {
  corinth_cache *cache = registry->cache;
  unsigned int bits = 64 - cache->shift;
  bool is_cut = registry->fingerprint_bits < 64;
  if (is_cut || count * entries_per_slot <= (size_t)1 << bits) {
    cache_place(cache, slot);
    return;
  }
  corinth_cache *larger = cache_create(bits + 1, cache, registry);
  for (corinth_slot *each = newest; each != NULL; each = each->next) {
    cache_place(larger, each);
  }
  // Pairs with the acquire load in corinth_cache_find.
  __atomic_store_n(&registry->cache, larger, __ATOMIC_RELEASE);
}

// MARK: - Keys

bool corinth_slot_has_key(
    const corinth_registry *registry, const corinth_slot *slot, const corinth_key *key) {
  if (!corinth_slot_has_key_but_for_name(slot, key)) return false;
  if (slot->key.name_bits[0] == key->name_bits[0] && slot->key.name_bits[1] == key->name_bits[1]) {
    return true;
  }
  return registry->names_equal(&slot->key, key);
}
