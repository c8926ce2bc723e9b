// SPDX-License-Identifier: MIT
//
// The users of a scope's cells.
//
// Invariants
//  1. A thread enters a section, becomes a user, then loads a word or owner to follow. Whoever
//     takes a word or owner out exchanges it, then reads the users. All are sequentially
//     consistent: a reader finds the word gone, or is found as a user, for whom the epoch waits.
//  2. Whether a user is inside a section could only be told after a barrier for all threads, which
//     takes longer than a request scope. The epoch shares one barrier among many objects.
//  3. The record of a thread is never freed. A new thread that gets the record is a user from the
//     start: at worst, objects are retired needlessly.

#include "corinth_internal.h"

#include <stdlib.h>
#include <string.h>

static bool are_enabled;

__attribute__((constructor)) static void read_environment(void) {
  const char *value = getenv("CORINTH_CELLS");
  are_enabled = value == NULL || strcmp(value, "off") != 0;
}

bool corinth_cells_are_enabled(void) { return are_enabled; }

void corinth_cells_admit(corinth_cells *cells, const corinth_thread *thread) {
  for (uint32_t i = 1; i < CORINTH_CELL_USERS; i++) {
    uintptr_t user = 0;
    if (__atomic_compare_exchange_n(
            &cells->users[i], &user, (uintptr_t)thread, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST)
        || user == (uintptr_t)thread) {
      return;
    }
  }
  // Pairs with the load in has_other_users.
  __atomic_store_n(
      &cells->users[CORINTH_CELL_USERS - 1], (uintptr_t)CORINTH_CELL_CLOSED, __ATOMIC_SEQ_CST);
}

// The first user made the cells; further users follow in order. Pairs with corinth_cells_admit.
static bool has_other_users(const corinth_cells *cells) {
  corinth_fence_after_exchange();
  return __atomic_load_n(&cells->users[0], __ATOMIC_SEQ_CST) != (uintptr_t)corinth_thread_current()
      || __atomic_load_n(&cells->users[1], __ATOMIC_SEQ_CST) != 0;
}

// First the contents, then the owners.
static void release_taken(
    void *const contents[], uint32_t content_count, void *const owners[], uint32_t owner_count) {
  for (uint32_t i = 0; i < content_count; i++) swift_release(contents[i]);
  corinth_thread *thread = corinth_thread_current();
  for (uint32_t i = 0; i < owner_count; i++) corinth_reference_give(thread, owners[i]);
}

// Contents and owners that concurrent threads may still follow.
typedef struct taken_cells {
  corinth_retired retired;
  uint32_t contents;
  uint32_t owners;
  void *taken[];
} taken_cells;

static void release_retired(void *object) {
  taken_cells *cells = object;
  release_taken(cells->taken, cells->contents, cells->taken + cells->contents, cells->owners);
}

// Out of line, to keep the ends of scopes short.
__attribute__((noinline)) static void retire_taken(
    void *const contents[], uint32_t content_count, void *const owners[], uint32_t owner_count) {
  taken_cells *cells = corinth_allocate(
      _Alignof(taken_cells), sizeof *cells + (content_count + owner_count) * sizeof cells->taken[0],
      "what is left of a scope");
  *cells = (taken_cells){
      .retired = {.destroy = release_retired, .object = cells},
      .contents = content_count,
      .owners = owner_count,
  };
  memcpy(cells->taken, contents, content_count * sizeof cells->taken[0]);
  memcpy(cells->taken + content_count, owners, owner_count * sizeof cells->taken[0]);
  corinth_retire_node(&cells->retired);
}

static corinth_cell_block *last_block(corinth_cells *cells) {
  corinth_cell_block *block = &cells->first;
  for (corinth_cell *next; (next = corinth_cell_next_block(&block->end)) != NULL;) {
    block = (corinth_cell_block *)next;
  }
  return block;
}

// The first unowned cell of a block. Out of line: inlined, later loops would keep more counters.
__attribute__((noinline)) static corinth_cell *end_of_owned(corinth_cell_block *block) {
  corinth_cell *cell = block->cells;
  while (corinth_cell_owner(cell) > CORINTH_CELL_END) cell++;
  return cell;
}

void corinth_cells_empty(corinth_cells *cells) {
  enum { AT_MOST = CORINTH_CELL_BLOCKS * CORINTH_CELLS_OF_BLOCK };
  void *contents[AT_MOST];
  void *owners[AT_MOST];
  uint32_t content_count = 0;
  uint32_t owner_count = 0;
  // From the last block on: a search ends at the first removed owner. Exchanges: invariant 1.
  for (corinth_cell_block *block = last_block(cells); block != NULL; block = block->previous) {
    // Most scopes own a few cells: more of a loop at once takes longer.
#pragma clang loop unroll(disable)
    for (corinth_cell *cell = end_of_owned(block); cell != block->cells;) {
      cell--;
      uintptr_t word;
      while (((word = corinth_cell_load(cell)) & CORINTH_CELL_BUILDING) != 0) {
        if (corinth_cell_exchange(cell, word, word | CORINTH_CELL_LEFT)) break;
      }
      if ((word & CORINTH_CELL_BUILDING) != 0) continue;
      word = __atomic_exchange_n(&cell->word, CORINTH_CELL_SEALED, __ATOMIC_SEQ_CST);
      uintptr_t content = word & ~(uintptr_t)CORINTH_CELL_FLAGS;
      if (content != 0) contents[content_count++] = (void *)content;
      uintptr_t owner = corinth_cell_take_owner(cell);
      if (owner > CORINTH_CELL_CLOSED) owners[owner_count++] = (void *)owner;
    }
  }
  // A concurrent closer that has taken an owner out has taken the content before.
  if (content_count + owner_count == 0) return;
  if (CORINTH_LIKELY(!has_other_users(cells))) {
    release_taken(contents, content_count, owners, owner_count);
  } else {
    retire_taken(contents, content_count, owners, owner_count);
  }
}

corinth_cells *corinth_cells_create(void) {
  corinth_cells *cells =
      corinth_allocate(_Alignof(corinth_cells), sizeof *cells, "the cells of a resolution");
  corinth_cells_initialize(cells);
  cells->users[0] = (uintptr_t)corinth_thread_current();
  return cells;
}

void corinth_cells_free(corinth_cells *cells) {
  corinth_cells_free_further(cells);
  free(cells);
}

// Destructors running meanwhile cannot reach the cells.
void corinth_cells_empty_unshared(corinth_cells *cells) {
  corinth_thread *thread = corinth_thread_current();
  for (corinth_cell_block *block = last_block(cells); block != NULL; block = block->previous) {
    corinth_cell *end = end_of_owned(block);
    for (corinth_cell *cell = end; cell != block->cells;) {
      cell--;
      uintptr_t content = cell->word & ~(uintptr_t)CORINTH_CELL_FLAGS;
      cell->word = 0;
      if (content != 0) swift_release((void *)content);
    }
    for (corinth_cell *cell = end; cell != block->cells;) {
      cell--;
      corinth_reference_give(thread, (void *)cell->owner);
      cell->owner = 0;
    }
  }
  corinth_cells_shrink(cells);
}

// MARK: - Further blocks

corinth_cell_search corinth_cells_search_further(const corinth_cell *end, uintptr_t owner) {
  for (const corinth_cell *next; (next = corinth_cell_next_block(end)) != NULL;) {
    uintptr_t found;
    end = corinth_cells_search_block(next, owner, &found);
    if (found != CORINTH_CELL_END) {
      return (corinth_cell_search){(corinth_cell *)end, found > CORINTH_CELL_END};
    }
  }
  return (corinth_cell_search){(corinth_cell *)end, false};
}

corinth_cell *corinth_cell_extend(corinth_cell *end) {
  uintptr_t next = __atomic_load_n(&end->word, __ATOMIC_SEQ_CST);
  if (next == CORINTH_CELL_CLOSED || end->completion + 1 == CORINTH_CELL_BLOCKS) return NULL;
  if (next != 0) return (corinth_cell *)next;
  corinth_cell_block *block =
      corinth_allocate(_Alignof(corinth_cell_block), sizeof *block, "more cells of a scope");
  memset(block, 0, sizeof *block);
  block->end = (corinth_cell){.owner = CORINTH_CELL_END, .completion = end->completion + 1};
  block->previous = (corinth_cell_block *)(end - CORINTH_CELLS_OF_BLOCK);
  if (corinth_cell_exchange(end, 0, (uintptr_t)block->cells)) return block->cells;
  free(block);
  return corinth_cell_next_block(end);
}

void corinth_cells_free_further(corinth_cells *cells) {
  corinth_cell *next = corinth_cell_next_block(&cells->first.end);
  cells->first.end.word = 0;
  while (next != NULL) {
    corinth_cell_block *block = (corinth_cell_block *)next;
    next = corinth_cell_next_block(&block->end);
    free(block);
  }
}
