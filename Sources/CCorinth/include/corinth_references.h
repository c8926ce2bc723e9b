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
//  3. An entry is changed by its thread, and by withdrawals of its object. The thread takes by a
//     plain store: by 1 and 2, the object is not withdrawn before the section ends. The thread
//     gives by a plain store in a section in which nothing was found to be withdrawn: objects
//     retired later are withdrawn after the section. All other changes are exchanges.

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

// The number of objects gathered for destruction and not destroyed yet, whose references in stock
// may be withdrawn at any moment. Raised before the barrier for all threads that precedes the look
// at sections: a section that reads 0 is seen there, or began before the object was gathered.
extern uint64_t corinth_withdrawals;

// The entry with the object; NULL without one. `found`: the value of the entry.
__attribute__((always_inline)) static inline uint64_t *corinth_reference_entry(
    corinth_thread *thread, const void *object, uint64_t *found) {
  uint64_t *entries = corinth_reference_entries(thread, object);
#pragma clang loop unroll(disable)
  for (uint32_t i = 0; i < CORINTH_STOCK_WAYS; i++) {
    // Pairs with withdraw.
    *found = __atomic_load_n(&entries[i], __ATOMIC_ACQUIRE);
    if ((*found & CORINTH_REFERENCE_ADDRESS) == (uintptr_t)object) return &entries[i];
  }
  return NULL;
}

// Takes many references at once, and gives a single reference to the caller.
void corinth_reference_take_many(corinth_thread *thread, void *object);

// A reference to an object which the caller has found in its slot, in an open section. Lock-free.
__attribute__((always_inline)) static inline void corinth_reference_take(
    corinth_thread *thread, void *object) {
  uint64_t found;
  uint64_t *entry = corinth_reference_entry(thread, object, &found);
  if (CORINTH_LIKELY(entry != NULL && found >= CORINTH_REFERENCE)) {
    __atomic_store_n(entry, found - CORINTH_REFERENCE, __ATOMIC_RELAXED);
  } else {
    corinth_reference_take_many(thread, object);
  }
}

// As corinth_reference_give, beside withdrawals.
void corinth_reference_give_slowly(corinth_thread *thread, void *object);

// Gives up a reference to any object, as swift_release does. Lock-free, but for a deinit.
static inline void corinth_reference_give(corinth_thread *thread, void *object) {
  corinth_section_begin(thread);
  uint64_t found = 0;
  // Pairs with the count in gather_assuming_mutex_held.
  uint64_t *entry = __atomic_load_n(&corinth_withdrawals, __ATOMIC_ACQUIRE) == 0
      ? corinth_reference_entry(thread, object, &found)
      : NULL;
  bool is_given =
      entry != NULL && found < CORINTH_REFERENCES_AT_MOST * CORINTH_REFERENCE;
  // Pairs with withdraw: the caller's uses of the object precede the deinit.
  if (is_given) __atomic_store_n(entry, found + CORINTH_REFERENCE, __ATOMIC_RELEASE);
  corinth_section_leave(thread);
  if (!CORINTH_LIKELY(is_given)) corinth_reference_give_slowly(thread, object);
}

// Takes the references to an object out of the stocks of all threads. The slot no longer holds the
// object, and no section can see it. Any thread; no lock of the core is held, as a deinit may run.
void corinth_reference_withdraw(void *object);

// Withdraws the stocks and gives up the slot's reference. A destructor for corinth_retire.
void corinth_reference_release_last(void *object);

// Gives up the calling thread's stock. Deinits run in this call.
void corinth_references_release(corinth_thread *thread);
