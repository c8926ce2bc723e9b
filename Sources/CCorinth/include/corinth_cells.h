// SPDX-License-Identifier: MIT
//
// The cells of a request scope, one word for each instance. Included by CCorinth.h only, in its place. Note 24 describes what
// the words mean, and who may change them.

#pragma once

enum : uint32_t {
  CORINTH_CELLS_OF_BLOCK = 16,
  CORINTH_CELL_BLOCKS = 8,  // at most: a search in more takes as long as one in the store
  CORINTH_CELL_USERS = 4,
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

enum : uintptr_t {
  CORINTH_CELL_CLOSED = 1,  // instead of an owner, and of the next block: the scope has been closed
  CORINTH_CELL_END = 2,     // instead of an owner: the end of a block
};

// All accessed atomically.
typedef struct corinth_cell {
  // The registration whose instance the cell is for, at +1; cells are used in their order.
  uintptr_t owner;
  // At the end of a block: the first cell of the next one, 0, or CORINTH_CELL_CLOSED if there will be none.
  uintptr_t word;
  // The number of an instance without a box that is going to be disposed of, in the order of completion. At the end of a block:
  // the number of that.
  uint64_t completion;
} corinth_cell;

typedef struct corinth_cell_block {
  corinth_cell cells[CORINTH_CELLS_OF_BLOCK];
  corinth_cell end;
  struct corinth_cell_block *previous;
} corinth_cell_block;

typedef struct corinth_cells {
  // The threads that read words and owners: whoever gives up what these lead to does it through the epoch if there are
  // others than itself. The last one is CORINTH_CELL_CLOSED if there are more.
  uintptr_t users[CORINTH_CELL_USERS];
  corinth_cell_block first;
} corinth_cells;

// Whether cells are used at all: the variable CORINTH_CELLS is not "off" in the environment. Constant.
bool corinth_cells_are_enabled(void);

static inline corinth_cell *corinth_cells_first(corinth_cells *cells) {
  return cells->first.cells;
}

static inline uintptr_t corinth_cell_owner(const corinth_cell *cell) {
  return __atomic_load_n(&cell->owner, __ATOMIC_SEQ_CST);
}

static inline uintptr_t corinth_cell_load(const corinth_cell *cell) {
  return __atomic_load_n(&cell->word, __ATOMIC_SEQ_CST);
}

static inline bool corinth_cell_exchange(corinth_cell *cell, uintptr_t expected, uintptr_t word) {
  return __atomic_compare_exchange_n(
      &cell->word, &expected, word, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
}

// Gives a cell without an owner one; false if another owner has come first, or the closer.
static inline bool corinth_cell_claim_owner(corinth_cell *cell, uintptr_t owner) {
  uintptr_t none = 0;
  return __atomic_compare_exchange_n(
      &cell->owner, &none, owner, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
}

// The same in a section in which the calling thread, whose record this is, has found the owner in its slot: the cell has a
// reference to it then.
__attribute__((always_inline)) static inline bool corinth_cell_take(
    corinth_cell *cell, uintptr_t owner, corinth_thread *thread) {
  corinth_reference_take(thread, (void *)owner);
  if (corinth_cell_claim_owner(cell, owner)) return true;
  // Not the last one: the slot has another.
  corinth_reference_give(thread, (void *)owner);
  return false;
}

// The first cell of the block after the one that ends here; NULL if there is none.
static inline corinth_cell *corinth_cell_next_block(const corinth_cell *end) {
  uintptr_t next = __atomic_load_n(&end->word, __ATOMIC_SEQ_CST);
  return next > CORINTH_CELL_CLOSED ? (corinth_cell *)next : NULL;
}

// The same, which it makes if need be; NULL if the scope has been closed, or has CORINTH_CELL_BLOCKS.
corinth_cell *corinth_cell_extend(corinth_cell *end);

// Keeps further owners out, from a cell that has none or the end of the last block; false if there are more by now.
static inline bool corinth_cell_close(corinth_cell *cell) {
  if (corinth_cell_owner(cell) != CORINTH_CELL_END) {
    return corinth_cell_claim_owner(cell, CORINTH_CELL_CLOSED);
  }
  return corinth_cell_exchange(cell, 0, CORINTH_CELL_CLOSED)
      || corinth_cell_load(cell) == CORINTH_CELL_CLOSED;
}

static inline uint64_t corinth_cell_completion(const corinth_cell *cell) {
  return __atomic_load_n(&cell->completion, __ATOMIC_RELAXED);
}

// By the thread whose construction the cell leads to, before the exchange that publishes the instance.
static inline void corinth_cell_set_completion(corinth_cell *cell, uint64_t number) {
  __atomic_store_n(&cell->completion, number, __ATOMIC_RELAXED);
}

// Where a search has ended: at the cell of the owner, or at the first that may be.
typedef struct corinth_cell_search {
  corinth_cell *cell;
  bool is_found;
} corinth_cell_search;

// The first cell of a block that has the owner, or none, or is the end of the block: `found` is what it has.
__attribute__((always_inline)) static inline const corinth_cell *corinth_cells_search_block(
    const corinth_cell *cell, uintptr_t owner, uintptr_t *found) {
  while ((*found = __atomic_load_n(&cell->owner, __ATOMIC_RELAXED)) > CORINTH_CELL_END
         && *found != owner) {
    cell++;
  }
  return cell;
}

// Goes on in the blocks after the one that ends here. Out of line: most scopes have one.
corinth_cell_search corinth_cells_search_further(const corinth_cell *end, uintptr_t owner);

// Wait-free.
static inline corinth_cell_search corinth_cells_search(const corinth_cells *cells, uintptr_t owner) {
  uintptr_t found;
  const corinth_cell *cell = corinth_cells_search_block(cells->first.cells, owner, &found);
  if (found == CORINTH_CELL_END) return corinth_cells_search_further(cell, owner);
  return (corinth_cell_search){(corinth_cell *)cell, found > CORINTH_CELL_END};
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
// is the only user, else by corinth_retire. No cell is building. Any thread; no lock of
// the core is held, as destructors run in this call.
void corinth_cells_empty(corinth_cells *cells);

// Cells whose first user is the calling thread; never null. Freed by corinth_cells_free, which wants them empty.
corinth_cells *corinth_cells_create(void);
void corinth_cells_free(corinth_cells *cells);

// As corinth_cells_empty, for cells that only the caller can reach, the thread that has made them. They are then as they were
// when they were made.
void corinth_cells_empty_unshared(corinth_cells *cells);

// Frees all blocks but the first, of cells that are empty and that only the caller can reach.
void corinth_cells_free_further(corinth_cells *cells);

// Leaves them no users but the first, and one block.
static inline void corinth_cells_shrink(corinth_cells *cells) {
  for (uint32_t i = 1; i < CORINTH_CELL_USERS; i++) cells->users[i] = 0;
  if (cells->first.end.word != 0) corinth_cells_free_further(cells);
}

// Makes cells that are empty, and that only the caller can reach, as they were when they were made, but for the first user.
static inline void corinth_cells_reset(corinth_cells *cells) {
  corinth_cell *cell = cells->first.cells;
  for (; cell->owner == CORINTH_CELL_CLOSED; cell++) *cell = (corinth_cell){};
  corinth_cells_shrink(cells);
}

// Cells in memory of the caller's, without a user.
static inline void corinth_cells_initialize(corinth_cells *cells) {
  memset(cells, 0, sizeof *cells);
  cells->first.end.owner = CORINTH_CELL_END;
}
