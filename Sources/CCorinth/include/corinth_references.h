// SPDX-License-Identifier: MIT
//
// Counted references that threads have in stock. Included by CCorinth.h only, in its place.
//
// All requests use the same few registrations. If each of them counted its references, all threads would write to the same
// counts. So each thread takes many references to an object at once, and hands them out and takes them back without touching
// the object's count. This is known as a cache of reference counts (A. Clements et al., "RadixVM", 2013: Refcache), here
// with real references in it: an object is alive while a thread has one in stock.
//
// Invariants
//  1. A thread takes a reference from its stock inside of a section in which it has found the object in its slot.
//  2. Whoever gives up the slot's reference has all stocks withdrawn, once no section can see the object any more
//     (corinth_reference_release_last). After that no stock gets one again: an entry that has been withdrawn does not match.
//  3. An entry is changed by compare-and-exchange, or by exchange: by its thread, and by those who withdraw.

#pragma once

// An entry is the address of an object, and above it the number of references to it.
enum : uint64_t {
  CORINTH_REFERENCE = (uint64_t)1 << 48,
  CORINTH_REFERENCE_ADDRESS = CORINTH_REFERENCE - 1,
  CORINTH_REFERENCES_AT_MOST = 0x7fff,
};

// The first of the entries that may be an object's.
static inline uint64_t *corinth_reference_entries(corinth_thread *thread, const void *object) {
  uint64_t hash = (uint64_t)(uintptr_t)object * 0x9E3779B97F4A7C15u;
  return &thread->stock[CORINTH_STOCK_WAYS
                        * (hash >> (64 - CORINTH_STOCK_BITS + CORINTH_STOCK_WAY_BITS))];
}

// Adds `change` references to the object's entry; false if it has none, or not as many.
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

// Takes many references, and gives one of them to the caller.
void corinth_reference_take_many(corinth_thread *thread, void *object);

// A reference to an object that the caller has found in its slot, in a section that is open. Lock-free.
static inline void corinth_reference_take(corinth_thread *thread, void *object) {
  if (!CORINTH_LIKELY(corinth_reference_change(
          thread, object, -CORINTH_REFERENCE, CORINTH_REFERENCE, UINT64_MAX))) {
    corinth_reference_take_many(thread, object);
  }
}

// Gives a reference to any object up, as swift_release does. Lock-free, but for a deinit. Pairs with the withdrawal: what the
// caller has done with the object comes before its deinit.
static inline void corinth_reference_give(corinth_thread *thread, void *object) {
  if (!CORINTH_LIKELY(corinth_reference_change(
          thread, object, CORINTH_REFERENCE, 0, CORINTH_REFERENCES_AT_MOST * CORINTH_REFERENCE))) {
    swift_release(object);
  }
}

// Takes the references to an object out of the stocks of all threads: its slot does not hold it any more, and no section can
// see it. Any thread; no lock of the core is held, as a deinit may run in this call.
void corinth_reference_withdraw(void *object);

// The same, and gives up the reference of the slot. A destructor for corinth_retire.
void corinth_reference_release_last(void *object);

// Gives up what the calling thread has in stock. Deinits run in this call.
void corinth_references_release(corinth_thread *thread);
