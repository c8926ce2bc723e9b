// SPDX-License-Identifier: MIT
//
// Batched counts: references that threads have in stock. Included by CCorinth.h only, in its place.
//
// All requests use the same few registrations: single references would make all threads write to
// the same counts. So a thread takes many references to an object at once, and hands references out
// and takes them back without touching the object's count. This is a cache of reference counts (A.
// Clements et al., "RadixVM", 2013: Refcache), but of real references: an object in stock is alive.
//
// Invariants
//  1. A thread takes a reference from stock in a section that has found the object in the slot.
//  2. The slot's reference is given up after all stocks are withdrawn, once no section sees the
//     object (corinth_reference_release_last). Stocks do not refill: withdrawn entries never match.
//  3. An entry changes by exchange or compare-and-exchange: by its thread, and by withdrawals.

#pragma once

// An entry: the address of an object, and above the address the number of references in stock.
enum : uint64_t {
  CORINTH_REFERENCE = (uint64_t)1 << 48,
  CORINTH_REFERENCE_ADDRESS = CORINTH_REFERENCE - 1,
  CORINTH_REFERENCES_AT_MOST = 0x7fff,
};

// The first of the entries that the object may use.
static inline uint64_t *corinth_reference_entries(corinth_thread *thread, const void *object) {
  uint64_t hash = (uint64_t)(uintptr_t)object * 0x9E3779B97F4A7C15u;
  return &thread->stock[CORINTH_STOCK_WAYS
                        * (hash >> (64 - CORINTH_STOCK_BITS + CORINTH_STOCK_WAY_BITS))];
}

// Adds `change` references to the object's entry; false if there is no entry, or the number in the
// entry is outside of the bounds. Pairs with withdraw.
static inline bool corinth_reference_change(
    corinth_thread *thread, const void *object, uint64_t change, uint64_t at_least, uint64_t below) {
  uint64_t *entries = corinth_reference_entries(thread, object);
#pragma clang loop unroll(disable)
  for (uint32_t i = 0; i < CORINTH_STOCK_WAYS; i++) {
    uint64_t found = __atomic_load_n(&entries[i], __ATOMIC_RELAXED);
    if ((found & CORINTH_REFERENCE_ADDRESS) != (uintptr_t)object) continue;
    return found >= at_least && found < below
        && __atomic_compare_exchange_n(
            &entries[i], &found, found + change, false, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED);
  }
  return false;
}

// Takes many references at once, and gives a single reference to the caller.
void corinth_reference_take_many(corinth_thread *thread, void *object);

// A reference to an object which the caller has found in its slot, in an open section. Lock-free.
static inline void corinth_reference_take(corinth_thread *thread, void *object) {
  if (!CORINTH_LIKELY(corinth_reference_change(
          thread, object, -CORINTH_REFERENCE, CORINTH_REFERENCE, UINT64_MAX))) {
    corinth_reference_take_many(thread, object);
  }
}

// Gives up a reference to any object, as swift_release does. Lock-free, but for a deinit. Pairs
// with the withdrawal: the caller's uses of the object precede the deinit.
static inline void corinth_reference_give(corinth_thread *thread, void *object) {
  if (!CORINTH_LIKELY(corinth_reference_change(
          thread, object, CORINTH_REFERENCE, 0, CORINTH_REFERENCES_AT_MOST * CORINTH_REFERENCE))) {
    swift_release(object);
  }
}

// Takes the references to an object out of the stocks of all threads. The slot no longer holds the
// object, and no section can see it. Any thread; no lock of the core is held, as a deinit may run.
void corinth_reference_withdraw(void *object);

// Withdraws the stocks and gives up the slot's reference. A destructor for corinth_retire.
void corinth_reference_release_last(void *object);

// Gives up the calling thread's stock. Deinits run in this call.
void corinth_references_release(corinth_thread *thread);
