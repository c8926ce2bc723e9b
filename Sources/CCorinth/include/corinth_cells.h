// SPDX-License-Identifier: MIT
//
// The cells of a request scope, a word for each instance. Included by CCorinth.h only, in its
// place. Note 24 describes the meaning of a word, and who may change the word.

#pragma once

enum : uint32_t {
  CORINTH_CELLS_OF_BLOCK = 16,
  CORINTH_CELL_BLOCKS = 8,  // at most: a longer search would take as long as in the store
  CORINTH_CELL_USERS = 4,
};

// The low bits of a cell's word, beside an address. The word is 0 without an instance, and just
// CORINTH_CELL_SEALED if the cell never gets an instance.
enum : uintptr_t {
  CORINTH_CELL_BUILDING = 1,   // the construction that builds the instance, at +0
  CORINTH_CELL_SEALED = 2,     // the scope has been closed
  CORINTH_CELL_LEFT = 4,       // beside BUILDING: the cells have been emptied, all but this one
  CORINTH_CELL_CONTENDED = 8,  // beside BUILDING: a resolve joins, under the mutex of the waits
  CORINTH_CELL_DIRECT = 8,     // without BUILDING: the instance itself, no box
  CORINTH_CELL_STATES = 3,
  CORINTH_CELL_FLAGS = 15,
};

enum : uintptr_t {
  CORINTH_CELL_CLOSED = 1,  // instead of an owner, and of the next block: the scope has been closed
  CORINTH_CELL_END = 2,     // instead of an owner: the end of a block
};

// All accessed atomically; a word or owner to be followed is loaded, and taken out, in sequentially
// consistent order: invariant 1 of cells.c.
typedef struct corinth_cell {
  // The registration of the cell's instance, at +1; cells are used in order.
  uintptr_t owner;
  // At the end of a block: the first cell of the next block, 0, or CORINTH_CELL_CLOSED for good.
  uintptr_t word;
  // The number of a disposable instance stored without a box, in the order of completion. At the
  // end of a block: the number of the block.
  uint64_t completion;
} corinth_cell;

typedef struct corinth_cell_block {
  corinth_cell cells[CORINTH_CELLS_OF_BLOCK];
  corinth_cell end;
  struct corinth_cell_block *previous;
} corinth_cell_block;

typedef struct corinth_cells {
  // The threads that read words and owners. Whoever gives up the objects behind words and owners
  // does so through the epoch, unless it is the only user. The last entry is CORINTH_CELL_CLOSED if
  // there are more users than entries.
  uintptr_t users[CORINTH_CELL_USERS];
  corinth_cell_block first;
} corinth_cells;

// Whether cells are used at all: CORINTH_CELLS is not "off" in the environment. Constant.
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

// Claims a cell without an owner; false if another owner or the closer was faster.
static inline bool corinth_cell_claim_owner(corinth_cell *cell, uintptr_t owner) {
  uintptr_t none = 0;
  return __atomic_compare_exchange_n(
      &cell->owner, &none, owner, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
}

// As corinth_cell_claim_owner, in a section in which the calling thread (of the record `thread`)
// has found the owner in its slot. On success the cell has a reference to the owner.
__attribute__((always_inline)) static inline bool corinth_cell_take(
    corinth_cell *cell, uintptr_t owner, corinth_thread *thread) {
  corinth_reference_take(thread, (void *)owner);
  if (corinth_cell_claim_owner(cell, owner)) return true;
  // Not the last reference: the slot has a reference too.
  corinth_reference_give(thread, (void *)owner);
  return false;
}

// The first cell of the block after the block that ends here; NULL at the last block.
static inline corinth_cell *corinth_cell_next_block(const corinth_cell *end) {
  uintptr_t next = __atomic_load_n(&end->word, __ATOMIC_SEQ_CST);
  return next > CORINTH_CELL_CLOSED ? (corinth_cell *)next : NULL;
}

// As corinth_cell_next_block, but makes a missing block; NULL if the scope has been closed, or has
// CORINTH_CELL_BLOCKS already.
corinth_cell *corinth_cell_extend(corinth_cell *end);

// Refuses further owners, at an unowned cell or the last block's end; false if an owner was faster.
static inline bool corinth_cell_close(corinth_cell *cell) {
  if (corinth_cell_owner(cell) != CORINTH_CELL_END) {
    return corinth_cell_claim_owner(cell, CORINTH_CELL_CLOSED);
  }
  return corinth_cell_exchange(cell, 0, CORINTH_CELL_CLOSED)
      || corinth_cell_load(cell) == CORINTH_CELL_CLOSED;
}

// The owner, for the caller to give up; CORINTH_CELL_CLOSED if a different caller has taken it.
static inline uintptr_t corinth_cell_take_owner(corinth_cell *cell) {
  return __atomic_exchange_n(&cell->owner, CORINTH_CELL_CLOSED, __ATOMIC_SEQ_CST);
}

static inline uint64_t corinth_cell_completion(const corinth_cell *cell) {
  return __atomic_load_n(&cell->completion, __ATOMIC_RELAXED);
}

// Called by the builder of the cell's instance, before the exchange that publishes the instance.
static inline void corinth_cell_set_completion(corinth_cell *cell, uint64_t number) {
  __atomic_store_n(&cell->completion, number, __ATOMIC_RELAXED);
}

// Where a search has ended: at the owner's cell, or at the first cell that the owner may get.
typedef struct corinth_cell_search {
  corinth_cell *cell;
  bool is_found;
} corinth_cell_search;

// The first cell with the owner, or unowned, or the end of the block. `found`: the owner there.
__attribute__((always_inline)) static inline const corinth_cell *corinth_cells_search_block(
    const corinth_cell *cell, uintptr_t owner, uintptr_t *found) {
  while ((*found = __atomic_load_n(&cell->owner, __ATOMIC_RELAXED)) > CORINTH_CELL_END
         && *found != owner) {
    cell++;
  }
  return cell;
}

// Continues in the blocks after `end`. Out of line: most scopes have a single block.
corinth_cell_search corinth_cells_search_further(const corinth_cell *end, uintptr_t owner);

// Wait-free.
static inline corinth_cell_search corinth_cells_search(const corinth_cells *cells, uintptr_t owner) {
  uintptr_t found;
  const corinth_cell *cell = corinth_cells_search_block(cells->first.cells, owner, &found);
  if (found == CORINTH_CELL_END) return corinth_cells_search_further(cell, owner);
  return (corinth_cell_search){(corinth_cell *)cell, found > CORINTH_CELL_END};
}

// Whether the thread is one of the users. The maker of the cells is the first user.
static inline bool corinth_cells_know(const corinth_cells *cells, const corinth_thread *thread) {
  for (uint32_t i = 0; i < CORINTH_CELL_USERS; i++) {
    // Before the load of a word. Pairs with the exchange in corinth_cells_admit.
    uintptr_t user = __atomic_load_n(&cells->users[i], __ATOMIC_ACQUIRE);
    if (CORINTH_LIKELY(user == (uintptr_t)thread) || user == CORINTH_CELL_CLOSED) return true;
  }
  return false;
}

// Makes the thread a user, inside a section and before the load of a word or owner to follow.
void corinth_cells_admit(corinth_cells *cells, const corinth_thread *thread);

// Lets go of the contents: first of the boxes and instances, the newest first, then of the owners.
// At once if the caller is the only user, otherwise by corinth_retire. A cell that is building is
// left, with its owner, to the builder, who stores nothing there. Any thread; no lock of the core
// is held, as destructors run in this call.
void corinth_cells_empty(corinth_cells *cells);

// Cells with the calling thread as first user; never NULL. To be emptied before corinth_cells_free.
corinth_cells *corinth_cells_create(void);
void corinth_cells_free(corinth_cells *cells);

// As corinth_cells_empty, for cells that only the calling thread, the maker of the cells, can
// reach. Afterwards the cells are as new.
void corinth_cells_empty_unshared(corinth_cells *cells);

// Frees all blocks but the first, of empty cells that only the caller can reach.
void corinth_cells_free_further(corinth_cells *cells);

// Leaves the cells the first user and one block.
static inline void corinth_cells_shrink(corinth_cells *cells) {
  for (uint32_t i = 1; i < CORINTH_CELL_USERS; i++) cells->users[i] = 0;
  if (cells->first.end.word != 0) corinth_cells_free_further(cells);
}

// Makes empty cells, which only the caller can reach, as new, except for the first user. A fork may
// have left a construction in a cell, for good.
static inline void corinth_cells_reset(corinth_cells *cells) {
  corinth_cell *cell = cells->first.cells;
  for (; (cell->owner | CORINTH_CELL_END) != CORINTH_CELL_END; cell++) *cell = (corinth_cell){};
  corinth_cells_shrink(cells);
}

// Cells in memory of the caller's, without a user.
static inline void corinth_cells_initialize(corinth_cells *cells) {
  memset(cells, 0, sizeof *cells);
  cells->first.end.owner = CORINTH_CELL_END;
}
