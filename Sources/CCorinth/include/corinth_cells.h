// SPDX-License-Identifier: MIT
//
// The cells of a request scope: its first instances, one word each. Included by CCorinth.h only, in its place. Note 24
// describes what the words mean, and who may change them.

#pragma once

enum : uint32_t {
  CORINTH_CELLS = 16,
  CORINTH_CELL_USERS = 4,
  CORINTH_CELL_NONE = UINT32_MAX,  // instead of a number
};

// The low bits of a cell's word, beside an address. The word is 0 without an instance, and CORINTH_CELL_SEALED alone for
// one that never gets any.
enum : uintptr_t {
  CORINTH_CELL_BUILDING = 1,   // the construction that builds the instance, at +0
  CORINTH_CELL_SEALED = 2,     // the scope has been closed
  CORINTH_CELL_HANDED_OVER = 4,   // the scope's store has the state of the instance
  CORINTH_CELL_CONTENDED = 8,  // beside BUILDING: the construction is being joined, under the mutex of the waits
  CORINTH_CELL_DIRECT = 8,     // without BUILDING: the instance itself, no box
  CORINTH_CELL_STATES = 7,
  CORINTH_CELL_FLAGS = 15,
};

// Instead of an owner: the scope has been closed.
enum : uintptr_t { CORINTH_CELL_CLOSED = 1 };

// All accessed atomically.
typedef struct corinth_cells {
  // The threads that read words and owners: whoever gives up what these lead to does it through the epoch if there are
  // others than itself. The last one is CORINTH_CELL_CLOSED if there are more.
  uintptr_t users[CORINTH_CELL_USERS];
  // The registration whose instance a cell is for, at +1; the cells are used in their order.
  uintptr_t owners[CORINTH_CELLS];
  uintptr_t words[CORINTH_CELLS];
  // The numbers of instances without a box that are going to be disposed of, in the order of their completion.
  uint64_t completions[CORINTH_CELLS];
} corinth_cells;

// Whether cells are used at all: the variable CORINTH_CELLS is not "off" in the environment. Constant.
bool corinth_cells_are_enabled(void);

// The cell of an owner; if there is none, the first one that may be its cell. CORINTH_CELLS if all have others. Wait-free.
static inline uint32_t corinth_cells_search(const corinth_cells *cells, uintptr_t owner) {
  uint32_t i = 0;
  for (; i < CORINTH_CELLS; i++) {
    uintptr_t found = __atomic_load_n(&cells->owners[i], __ATOMIC_RELAXED);
    if (found == owner || found <= CORINTH_CELL_CLOSED) break;
  }
  return i;
}

// The cell of an owner, or CORINTH_CELL_NONE. Wait-free. A loop of its own: a hit through the search above takes eight
// instructions more.
static inline uint32_t corinth_cells_find(const corinth_cells *cells, uintptr_t owner) {
  for (uint32_t i = 0; i < CORINTH_CELLS; i++) {
    uintptr_t found = __atomic_load_n(&cells->owners[i], __ATOMIC_RELAXED);
    if (found == owner) return i;
    if (found <= CORINTH_CELL_CLOSED) break;
  }
  return CORINTH_CELL_NONE;
}

static inline uintptr_t corinth_cells_owner(const corinth_cells *cells, uint32_t index) {
  return __atomic_load_n(&cells->owners[index], __ATOMIC_SEQ_CST);
}

// Gives an owner the first cell without one; false if another owner has come first, or the closer.
static inline bool corinth_cells_claim_owner(corinth_cells *cells, uint32_t index, uintptr_t owner) {
  uintptr_t none = 0;
  return __atomic_compare_exchange_n(
      &cells->owners[index], &none, owner, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
}

// The same in a section in which the calling thread, whose record this is, has found the owner in its slot: the cell has a
// reference to it then.
__attribute__((always_inline)) static inline bool corinth_cells_take(
    corinth_cells *cells, uint32_t index, uintptr_t owner, corinth_thread *thread) {
  corinth_reference_take(thread, (void *)owner);
  if (corinth_cells_claim_owner(cells, index, owner)) return true;
  // Not the last one: the slot has another.
  corinth_reference_give(thread, (void *)owner);
  return false;
}

static inline uintptr_t corinth_cells_load(const corinth_cells *cells, uint32_t index) {
  return __atomic_load_n(&cells->words[index], __ATOMIC_SEQ_CST);
}

static inline bool corinth_cells_exchange(
    corinth_cells *cells, uint32_t index, uintptr_t expected, uintptr_t word) {
  return __atomic_compare_exchange_n(
      &cells->words[index], &expected, word, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
}

static inline uint64_t corinth_cells_completion(const corinth_cells *cells, uint32_t index) {
  return __atomic_load_n(&cells->completions[index], __ATOMIC_RELAXED);
}

// By the thread whose construction the cell leads to, before the exchange that publishes the instance.
static inline void corinth_cells_set_completion(
    corinth_cells *cells, uint32_t index, uint64_t number) {
  __atomic_store_n(&cells->completions[index], number, __ATOMIC_RELAXED);
}

// Whether the thread is one of the users. The one that has made the cells is the first.
static inline bool corinth_cells_know(const corinth_cells *cells, const corinth_thread *thread) {
  for (uint32_t i = 0; i < CORINTH_CELL_USERS; i++) {
    // Before the load of a word. Pairs with the exchange in corinth_cells_admit.
    uintptr_t user = __atomic_load_n(&cells->users[i], __ATOMIC_ACQUIRE);
    if (CORINTH_LIKELY(user == (uintptr_t)thread) || user == CORINTH_CELL_CLOSED) return true;
  }
  return false;
}

// Makes the thread one of the users, inside of a section and before it loads the word or owner that it will follow.
void corinth_cells_admit(corinth_cells *cells, const corinth_thread *thread);

// Lets go of what the cells hold: first of the boxes and instances, the newest first, then of the owners. At once if the caller
// is the only user, else by corinth_retire_lazily. No cell is building. Any thread; no lock of
// the core is held, as destructors run in this call.
void corinth_cells_empty(corinth_cells *cells);

// Cells whose first user is the calling thread; never null. Freed by corinth_cells_free, which wants them empty.
corinth_cells *corinth_cells_create(void);
void corinth_cells_free(corinth_cells *cells);

// As corinth_cells_empty, for cells that only the caller can reach, the thread that has made them. They are then as they were
// when they were made.
void corinth_cells_empty_unshared(corinth_cells *cells);

// Makes cells that are empty, and not used any more, as they were when they were made, but for their users.
static inline void corinth_cells_reset(corinth_cells *cells) {
  for (uint32_t i = 1; i < CORINTH_CELL_USERS; i++) cells->users[i] = 0;
  for (uint32_t i = 0; i < CORINTH_CELLS && cells->owners[i] != 0; i++) {
    cells->owners[i] = 0;
    cells->words[i] = 0;
    cells->completions[i] = 0;
  }
}

// Counts a construction that has begun and ended in a cell, on the calling thread, whose record this is.
static inline void corinth_cells_tally(corinth_thread *thread) {
  __atomic_store_n(&thread->built_in_cells, thread->built_in_cells + 1, __ATOMIC_RELAXED);
}

// The sum of these over all threads that there ever were.
uint64_t corinth_cells_tallied(void);
