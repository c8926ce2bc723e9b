// SPDX-License-Identifier: MIT
//
// The word that tells how far the end of a container has come. Included by CCorinth.h only, in its
// place.

#pragma once

// How far the end of a container has come, as far as cells are concerned. ClosingState.swift has
// all values, which include addresses.
enum : uintptr_t {
  CORINTH_ENDING_OPEN = 0,    // open; the cells have one user
  CORINTH_ENDING_SHARED = 4,  // a bit: the cells have further users
  CORINTH_ENDING_ALONE = 8,   // a bit: the one user closes, or has closed. Invariant 3 of cells.c
};

// Sequentially consistent. Returns the value found: `expected` if `desired` has been stored.
static inline uintptr_t corinth_word_compare_exchange(
    uintptr_t *word, uintptr_t expected, uintptr_t desired) {
  __atomic_compare_exchange_n(
      word, &expected, desired, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
  return expected;
}

static inline uintptr_t corinth_word_exchange(uintptr_t *word, uintptr_t value) {
  return __atomic_exchange_n(word, value, __ATOMIC_SEQ_CST);
}

// After an atomic exchange: a thread missed by the loads that follow sees the exchange, and what
// was stored before. On x86 the exchange's locked instruction is a full barrier.
static inline void corinth_fence_after_exchange(void) {
#if !defined(__x86_64__)
  __atomic_thread_fence(__ATOMIC_SEQ_CST);
#endif
}

// Exchanges two neighboring words together, the first aligned to the size of both. As
// corinth_word_compare_exchange; ThreadSanitizer does not see the exchange.
static inline bool corinth_words_compare_exchange(
    void *words, const uintptr_t expected[2], const uintptr_t desired[2]) {
#if defined(__x86_64__)
  uint64_t from[2] = {expected[0], expected[1]}, to[2] = {desired[0], desired[1]}, found[2];
  return ck_pr_cas_64_2_value(words, from, to, found);
#else
  unsigned __int128 from = (unsigned __int128)expected[1] << 64 | expected[0];
  unsigned __int128 to = (unsigned __int128)desired[1] << 64 | desired[0];
  return __atomic_compare_exchange_n(
      (unsigned __int128 *)words, &from, to, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
#endif
}

static inline void corinth_word_clear(uintptr_t *word, uintptr_t bits) {
  __atomic_and_fetch(word, ~bits, __ATOMIC_SEQ_CST);
}

static inline uintptr_t corinth_word_load(const uintptr_t *word) {
  return __atomic_load_n(word, __ATOMIC_SEQ_CST);
}
