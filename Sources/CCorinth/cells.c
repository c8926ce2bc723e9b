// SPDX-License-Identifier: MIT
//
// The users of a scope's cells.
//
// Invariants
//  1. A thread enters a section, is a user, and then loads a word or an owner that it follows. Whoever takes one of these
//     out exchanges it, and then reads the users. All of these are sequentially consistent. So the reader finds the word
//     taken out, or is found; and what it may follow is then left to the epoch.
//  2. Whether a user is inside of a section could be told after a barrier for all threads only, which takes longer than a
//     request scope. The epoch has one for many.
//  3. The record of a thread is never freed. Another thread that gets it is a user from the start, which is no more than
//     it has to be.

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

// The first user has made the cells, and the others are there in their order.
static bool has_other_users(const corinth_cells *cells) {
  corinth_fence_after_exchange();
  return __atomic_load_n(&cells->users[0], __ATOMIC_SEQ_CST) != (uintptr_t)corinth_thread_current()
      || __atomic_load_n(&cells->users[1], __ATOMIC_SEQ_CST) != 0;
}

// First the contents, then the owners.
static void release_taken(void *taken[], uint32_t contents, uint32_t count) {
  for (uint32_t i = 0; i < contents; i++) swift_release(taken[i]);
  corinth_thread *thread = corinth_thread_current();
  for (uint32_t i = contents; i < count; i++) corinth_reference_give(thread, taken[i]);
}

// Contents and owners that other threads may still be following.
typedef struct taken_cells {
  corinth_retired retired;
  uint32_t contents;
  uint32_t count;
  void *taken[];
} taken_cells;

static void release_retired(void *object) {
  taken_cells *cells = object;
  release_taken(cells->taken, cells->contents, cells->count);
}

// Out of line, to keep the ends of scopes short.
__attribute__((noinline)) static void retire_taken(void *taken[], uint32_t contents, uint32_t count) {
  size_t size = count * sizeof *taken;
  taken_cells *cells =
      corinth_allocate(_Alignof(taken_cells), sizeof *cells + size, "what is left of a scope");
  *cells = (taken_cells){
      .retired = {.destroy = release_retired, .object = cells}, .contents = contents, .count = count};
  memcpy(cells->taken, taken, size);
  corinth_retire_node(&cells->retired);
}

void corinth_cells_empty(corinth_cells *cells) {
  uint32_t owned = 0;
  while (owned < CORINTH_CELLS && corinth_cells_owner(cells, owned) > CORINTH_CELL_CLOSED) owned++;
  if (owned == 0) return;
  void *taken[2 * CORINTH_CELLS];
  uint32_t count = 0;
  // Most scopes own a few cells: more of a loop at once takes longer.
#pragma clang loop unroll(disable)
  for (uint32_t i = owned; i-- > 0;) {
    uintptr_t word = __atomic_exchange_n(&cells->words[i], CORINTH_CELL_SEALED, __ATOMIC_SEQ_CST);
    uintptr_t content = word & ~(uintptr_t)CORINTH_CELL_FLAGS;
    if (content != 0) taken[count++] = (void *)content;
  }
  uint32_t contents = count;
  // From the last one on: a search ends at the first that is taken out.
#pragma clang loop unroll(disable)
  for (uint32_t i = owned; i-- > 0;) {
    uintptr_t owner = __atomic_exchange_n(&cells->owners[i], CORINTH_CELL_CLOSED, __ATOMIC_SEQ_CST);
    if (owner > CORINTH_CELL_CLOSED) taken[count++] = (void *)owner;
  }
  if (CORINTH_LIKELY(!has_other_users(cells))) {
    release_taken(taken, contents, count);
  } else if (count > 0) {
    retire_taken(taken, contents, count);
  }
}

corinth_cells *corinth_cells_create(void) {
  corinth_cells *cells =
      corinth_allocate(_Alignof(corinth_cells), sizeof *cells, "the cells of a resolution");
  memset(cells, 0, sizeof *cells);
  cells->users[0] = (uintptr_t)corinth_thread_current();
  return cells;
}

void corinth_cells_free(corinth_cells *cells) { free(cells); }

// Destructors that run meanwhile cannot reach the cells.
void corinth_cells_empty_unshared(corinth_cells *cells) {
  uint32_t owned = 0;
  while (owned < CORINTH_CELLS && cells->owners[owned] != 0) owned++;
  for (uint32_t i = owned; i-- > 0;) {
    uintptr_t content = cells->words[i] & ~(uintptr_t)CORINTH_CELL_FLAGS;
    cells->words[i] = 0;
    if (content != 0) swift_release((void *)content);
  }
  corinth_thread *thread = corinth_thread_current();
  for (uint32_t i = owned; i-- > 0;) {
    corinth_reference_give(thread, (void *)cells->owners[i]);
    cells->owners[i] = 0;
  }
  for (uint32_t i = 1; i < CORINTH_CELL_USERS; i++) cells->users[i] = 0;
}
