// SPDX-License-Identifier: MIT
//
// The cells of a request scope or resolution, a word for each instance. Included by CCorinth.h
// only, in its place. Note 24 describes the meaning of a word, and who may change the word.

#pragma once

enum : uint32_t {
  CORINTH_CELLS_OF_BLOCK = 16,  // searched in order
  CORINTH_CELLS_OF_TABLE = 32,  // of the first table, hashed: below malloc's slow sizes
  CORINTH_CELL_PROBES = 8,      // the cells of a table in which an owner may be
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
  CORINTH_CELL_CLOSED = 1,  // instead of an owner, and of the next table: the scope has been closed
  CORINTH_CELL_END = 2,     // instead of an owner: the end of the block
};

// All accessed atomically; a word or owner to be followed is loaded, and taken out, in sequentially
// consistent order: invariant 1 of cells.c.
typedef struct corinth_cell {
  // The registration of the cell's instance, at +1. A cell never loses its owner before the end.
  // Aligned so that owner and word can be exchanged together.
  _Alignas(2 * sizeof(uintptr_t)) uintptr_t owner;
  // At the end of the block: the first table, 0, or CORINTH_CELL_CLOSED for good.
  uintptr_t word;
  // The number of a disposable instance stored without a box, in the order of completion. At the
  // end of the block: how many cells of tables have got an owner.
  uint64_t completion;
  // In a table: the number of the cell in the order of the claims, from 1; 0 until the claimer has
  // numbered the cell.
  uint32_t claim;
  // In the first cell of a table: how many cells there are.
  uint32_t capacity;
} corinth_cell;

_Static_assert(
    _Alignof(corinth_cell) == 16 && offsetof(corinth_cell, word) == 8 && sizeof(uintptr_t) == 8,
    "owner and word are exchanged together");

typedef struct corinth_cells {
  // The thread that has made the cells. Accessed atomically.
  uintptr_t first_user;
  // Whether further threads read words and owners: CORINTH_ENDING_SHARED in `ending` of the scope's
  // registry, or in `own_ending`. Whoever gives up the objects behind words and owners does so
  // through the epoch, unless it is the only user.
  uintptr_t *ending;
  uintptr_t own_ending;
  corinth_cell block[CORINTH_CELLS_OF_BLOCK + 1];  // used in order; the last one is the end
} corinth_cells;

static inline corinth_cell *corinth_cells_first(corinth_cells *cells) { return cells->block; }

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
// has found the owner in its slot. On success the cell has a reference to the owner. `word`: 0, or
// a construction, which begins by the same exchange. ThreadSanitizer sees no exchange of two words.
__attribute__((always_inline)) static inline bool corinth_cell_take(
    corinth_cell *cell, uintptr_t owner, corinth_thread *thread, uintptr_t word) {
  corinth_reference_take(thread, (void *)owner);
#if defined(CORINTH_TSAN)
  if (corinth_cell_claim_owner(cell, owner)) return corinth_cell_exchange(cell, 0, word);
#else
  if (corinth_words_compare_exchange(
          &cell->owner, (uintptr_t[]){0, 0}, (uintptr_t[]){owner, word})) {
    return true;
  }
#endif
  // Not the last reference: the slot has a reference too.
  corinth_reference_give(thread, (void *)owner);
  return false;
}

// Begins a construction in a free cell, which gets the owner, or in an empty cell of the owner's.
__attribute__((always_inline)) static inline bool corinth_cell_begin(
    corinth_cell *cell, uintptr_t owner, corinth_thread *thread, uintptr_t word) {
  uintptr_t found = corinth_cell_owner(cell);
  if (CORINTH_LIKELY(found == 0)) return corinth_cell_take(cell, owner, thread, word);
  return found == owner && corinth_cell_exchange(cell, 0, word);
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

// Where a search has ended: at the owner's cell, or at the first free cell of the block, or at the
// end of the block.
typedef struct corinth_cell_search {
  corinth_cell *cell;
  bool is_found;
} corinth_cell_search;

// The first cell of the block with the owner, or unowned, or the end. `found`: the owner there.
__attribute__((always_inline)) static inline const corinth_cell *corinth_cells_search_block(
    const corinth_cells *cells, uintptr_t owner, uintptr_t *found) {
  const corinth_cell *cell = cells->block;
  while ((*found = __atomic_load_n(&cell->owner, __ATOMIC_RELAXED)) > CORINTH_CELL_END
         && *found != owner) {
    cell++;
  }
  return cell;
}

// Continues in the tables after `end`. Out of line: most scopes have none.
corinth_cell_search corinth_cells_search_tables(const corinth_cell *end, uintptr_t owner);

// Wait-free.
static inline corinth_cell_search corinth_cells_search(const corinth_cells *cells, uintptr_t owner) {
  uintptr_t found;
  const corinth_cell *cell = corinth_cells_search_block(cells, owner, &found);
  if (found == CORINTH_CELL_END) return corinth_cells_search_tables(cell, owner);
  return (corinth_cell_search){(corinth_cell *)cell, found > CORINTH_CELL_END};
}

// The cell of an owner, taken over on first use with a reference to the owner; NULL if the cells
// are closed. `start`: the end of a search, or NULL. `thread`: the calling thread, in a section
// in which the thread has found the owner in its slot; NULL if that section has ended. Lock-free.
corinth_cell *corinth_cells_place(
    corinth_cells *cells, corinth_cell *start, uintptr_t owner, corinth_thread *thread);

// Ends resolving in the cells: refuses further owners, and seals the words. Any number of callers.
void corinth_cells_seal(corinth_cells *cells);

// The cells of the tables that have an owner, the oldest first; NULL without tables. The caller
// frees the list. `end`: the end of the block.
corinth_cell **corinth_cells_of_tables(const corinth_cell *end, uint32_t *count);

void corinth_cells_free_list(corinth_cell **cells);

static inline void corinth_cells_set_first_user(corinth_cells *cells) {
  __atomic_store_n(&cells->first_user, (uintptr_t)corinth_thread_current(), __ATOMIC_RELAXED);
}

static inline bool corinth_cells_is_first_user(const corinth_cells *cells) {
  return __atomic_load_n(&cells->first_user, __ATOMIC_RELAXED) == (uintptr_t)corinth_thread_current();
}

// Whether the thread is one of the users.
static inline bool corinth_cells_know(const corinth_cells *cells, const corinth_thread *thread) {
  // Before the load of a word. Pairs with the exchange in corinth_cells_admit.
  return CORINTH_LIKELY(
             __atomic_load_n(&cells->first_user, __ATOMIC_ACQUIRE) == (uintptr_t)thread)
      || (corinth_word_load(cells->ending) & CORINTH_ENDING_SHARED) != 0;
}

// Makes the calling thread a user, inside a section and before the load of a word or owner to
// follow, and before a claim. False if the first user has closed the cells alone: nothing is there
// any more.
bool corinth_cells_admit(corinth_cells *cells);

// Lets go of the contents: first of the boxes and instances, the newest first, then of the owners.
// At once if the caller is the only user, otherwise by corinth_retire. A cell that is building is
// left, with the owner, to the builder, who stores nothing there. Any thread; no lock of the core
// is held, as destructors run in this call.
void corinth_cells_empty(corinth_cells *cells);

// Whether the calling thread, the first user, can close the cells alone: there is no further user
// yet, no table, and no construction under way.
bool corinth_cells_are_lone(const corinth_cells *cells);

// As corinth_cells_seal and corinth_cells_empty, for cells that were found lone and whose `ending`
// the caller has moved from CORINTH_ENDING_OPEN to a value with CORINTH_ENDING_ALONE since. No need
// to seal before emptying.
void corinth_cells_seal_alone(corinth_cells *cells);
void corinth_cells_empty_alone(corinth_cells *cells);

// Cells with the calling thread as first user; never NULL. To be emptied before corinth_cells_free.
corinth_cells *corinth_cells_create(void);
void corinth_cells_free(corinth_cells *cells);

// As corinth_cells_empty, for cells that only the calling thread, the maker of the cells, can
// reach. Afterwards the cells are as new.
void corinth_cells_empty_unshared(corinth_cells *cells);

// Frees the tables of empty cells that only the caller can reach.
void corinth_cells_free_tables(corinth_cells *cells);

// Leaves the cells the first user and the block.
static inline void corinth_cells_shrink(corinth_cells *cells) {
  cells->own_ending = CORINTH_ENDING_OPEN;
  if (cells->block[CORINTH_CELLS_OF_BLOCK].word != 0) corinth_cells_free_tables(cells);
}

// Makes empty cells, which only the caller can reach, as new, except for the first user. A fork may
// have left a construction in a cell, for good.
static inline void corinth_cells_reset(corinth_cells *cells) {
  corinth_cell *cell = cells->block;
  for (; (cell->owner | CORINTH_CELL_END) != CORINTH_CELL_END; cell++) *cell = (corinth_cell){};
  corinth_cells_shrink(cells);
}

// Cells in memory of the caller's, without a user.
static inline void corinth_cells_initialize(corinth_cells *cells) {
  memset(cells, 0, sizeof *cells);
  cells->ending = &cells->own_ending;
  cells->block[CORINTH_CELLS_OF_BLOCK].owner = CORINTH_CELL_END;
}
