// SPDX-License-Identifier: MIT
//
// The hash table of a registry: ck_ht from a fingerprint to its first slot, insert-only.
//
// One writer at a time puts slots, under the registry's writer mutex; any thread finds slots. A map
// replaced by growth is parked for the table's life, as readers may be inside (registry.c, 4).

#include "corinth_internal.h"

#include <stdlib.h>
#include <string.h>

#ifdef CK_HT_PP
#error "Corinth needs libck without pointer packing: its hash table entries have another layout"
#endif
_Static_assert(
    sizeof(ck_ht_entry_t) == 32,
    "Corinth needs libck 0.7.x, whose hash table entries have 32 bytes: this one differs");

enum {
  initial_entries = 8,  // as ck_ht doubles it, the least that pays for its header
};

// In front of the memory of ck_ht.
typedef union corinth_table_block {
  union corinth_table_block *next_parked;
  max_align_t alignment;
} block;

// MARK: - Memory of ck_ht

// ck_ht calls its allocator without a context; growth happens on the writer's thread only.
static _Thread_local corinth_table *growing;

static void *table_malloc(size_t size) {
  block *made =
      corinth_allocate(_Alignof(block), sizeof *made + size, "the registry's hash table");
  return made + 1;
}

static void *table_realloc(void *memory, size_t old_size, size_t new_size, bool may_move) {
  (void)memory, (void)old_size, (void)new_size, (void)may_move;
  corinth_trap("the hash table asked for a reallocation");
}

static void table_free(void *memory, size_t size, bool readers_may_use_it) {
  (void)size;
  block *freed = (block *)memory - 1;
  if (readers_may_use_it) {
    freed->next_parked = growing->parked;
    growing->parked = freed;
  } else {
    free(freed);
  }
}

static struct ck_malloc memory = {table_malloc, table_realloc, table_free};

// Called by ck_ht only for hashes of its own; the registry hands the registry's hashes over.
static void hash_key(ck_ht_hash_t *hash, const void *key, size_t length, uint64_t seed) {
  (void)seed;
  memcpy(&hash->value, key, length);
}

// MARK: - The table

corinth_table *corinth_table_create(void) {
  corinth_table *table = corinth_allocate(_Alignof(corinth_table), sizeof *table, "the registry's hash table");
  table->parked = NULL;
  if (!ck_ht_init(&table->slots, CK_HT_MODE_DIRECT, hash_key, &memory, initial_entries, 0)) {
    corinth_trap("the registry's hash table could not be made");
  }
  return table;
}

void corinth_table_destroy(corinth_table *table) {
  for (block *each = table->parked, *next; each != NULL; each = next) {
    next = each->next_parked;
    free(each);
  }
  ck_ht_destroy(&table->slots);
  free(table);
}

corinth_slot *corinth_table_find(const corinth_table *table, uint64_t print) {
  ck_ht_entry_t entry;
  memset(&entry, 0, sizeof entry);
  ck_ht_entry_key_set_direct(&entry, print);
  // ck_ht takes a mutable table for reads too; ck_ht_get_spmc only loads from it.
  bool found = ck_ht_get_spmc((ck_ht_t *)&table->slots, (ck_ht_hash_t){.value = print}, &entry);
  // Pairs with the release in corinth_table_put.
  CORINTH_TSAN_ACQUIRE(table);
  return found ? (corinth_slot *)ck_ht_entry_value_direct(&entry) : NULL;
}

void corinth_table_put(corinth_table *table, uint64_t print, corinth_slot *slot) {
  ck_ht_entry_t entry;
  memset(&entry, 0, sizeof entry);
  ck_ht_hash_t hash = {.value = print};
  ck_ht_entry_set_direct(&entry, hash, print, (uintptr_t)slot);
  growing = table;
  CORINTH_TSAN_RELEASE(table);
  if (!ck_ht_put_spmc(&table->slots, hash, &entry)) {
    corinth_trap("the registry's hash table refused a key");
  }
  growing = NULL;
}
