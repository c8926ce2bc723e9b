// SPDX-License-Identifier: MIT
//
// Batched counts: references that threads have in stock (corinth_references.h).

#include "corinth_internal.h"

// One change of the shared count for so many references handed out.
static const uint32_t taken_at_once = 256;

static void release_entry(uint64_t entry) {
  uint32_t count = (uint32_t)(entry / CORINTH_REFERENCE);
  if (count != 0) swift_release_n((void *)(uintptr_t)(entry & CORINTH_REFERENCE_ADDRESS), count);
}

// An entry with the object, or an entry with an empty stock, or else an entry to displace.
static uint64_t *entry_to_fill(corinth_thread *thread, const void *object) {
  uint64_t *entries = corinth_reference_entries(thread, object);
  for (uint32_t i = 0; i < CORINTH_STOCK_WAYS; i++) {
    uint64_t found = __atomic_load_n(&entries[i], __ATOMIC_RELAXED);
    if ((found & CORINTH_REFERENCE_ADDRESS) == (uintptr_t)object) return &entries[i];
  }
  for (uint32_t i = 0; i < CORINTH_STOCK_WAYS; i++) {
    if (__atomic_load_n(&entries[i], __ATOMIC_RELAXED) < CORINTH_REFERENCE) return &entries[i];
  }
  return &entries[(uintptr_t)object >> 5 & (CORINTH_STOCK_WAYS - 1)];
}

void corinth_reference_take_many(corinth_thread *thread, void *object) {
  if ((uintptr_t)object > CORINTH_REFERENCE_ADDRESS) {
    swift_retain(object);
    return;
  }
  swift_retain_n(object, taken_at_once);
  uint64_t stocked = (uint64_t)(uintptr_t)object | (taken_at_once - 1) * CORINTH_REFERENCE;
  // The references to a displaced object are given up. Pairs with withdraw.
  release_entry(__atomic_exchange_n(entry_to_fill(thread, object), stocked, __ATOMIC_ACQ_REL));
}

void corinth_reference_give_slowly(corinth_thread *thread, void *object) {
  uint64_t found;
  uint64_t *entry = corinth_reference_entry(thread, object, &found);
  if (entry == NULL || found >= CORINTH_REFERENCES_AT_MOST * CORINTH_REFERENCE
      // Pairs with withdraw: the caller's uses of the object precede the deinit.
      || !__atomic_compare_exchange_n(
          entry, &found, found + CORINTH_REFERENCE, false, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED)) {
    swift_release(object);
  }
}

static void withdraw(uint64_t *entry, const void *object) {
  uint64_t found = __atomic_load_n(entry, __ATOMIC_ACQUIRE);
  while ((found & CORINTH_REFERENCE_ADDRESS) == (uintptr_t)object) {
    if (__atomic_compare_exchange_n(entry, &found, 0, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)) {
      release_entry(found);
      return;
    }
  }
}

void corinth_reference_withdraw(void *object) {
  for (corinth_thread *thread = corinth_threads(); thread != NULL; thread = thread->next) {
    uint64_t *entries = corinth_reference_entries(thread, object);
    for (uint32_t i = 0; i < CORINTH_STOCK_WAYS; i++) withdraw(&entries[i], object);
  }
}

void corinth_reference_release_last(void *object) {
  corinth_reference_withdraw(object);
  swift_release(object);
}

void corinth_references_release(corinth_thread *thread) {
  for (uint32_t i = 0; i < CORINTH_STOCK; i++) {
    release_entry(__atomic_exchange_n(&thread->stock[i], 0, __ATOMIC_ACQ_REL));
  }
}
