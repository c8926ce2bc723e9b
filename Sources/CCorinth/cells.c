// SPDX-License-Identifier: MIT
//
// The users of a scope's cells.
//
// Invariants
//  1. A thread enters a section, is a user, and then loads a word or an owner that it follows. Whoever takes one of these
//     out exchanges it, and then reads the users and whether they are inside of sections. All of these are sequentially
//     consistent, and the entry of a section is a full barrier. So the reader finds the word taken out, or is found.
//  2. A user that has left its section since does not follow any more; one that has entered another counts all the same.
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
  // Pairs with the load in corinth_cells_are_watched.
  __atomic_store_n(
      &cells->users[CORINTH_CELL_USERS - 1], (uintptr_t)CORINTH_CELL_CLOSED, __ATOMIC_SEQ_CST);
}

// Most sections are over after some loads.
static bool is_inside(const corinth_thread *thread) {
  for (int attempts = 0; attempts < 64; attempts++) {
    // Pairs with the release fence of ck_epoch_end: what the thread has done in its section comes before this.
    if (__atomic_load_n(&thread->record.active, __ATOMIC_ACQUIRE) == 0) return false;
    ck_pr_stall();
  }
  return true;
}

static bool are_watched_by_others(const corinth_cells *cells) {
  const corinth_thread *self = corinth_thread_current();
  // On x86 the caller's exchanges were full barriers.
#if !defined(__x86_64__)
  __atomic_thread_fence(__ATOMIC_SEQ_CST);
#endif
  for (uint32_t i = 0; i < CORINTH_CELL_USERS; i++) {
    uintptr_t user = __atomic_load_n(&cells->users[i], __ATOMIC_SEQ_CST);
    if (user == CORINTH_CELL_CLOSED) return true;
    if (user == 0 || user == (uintptr_t)self) continue;
    if (is_inside((const corinth_thread *)user)) return true;
  }
  // The sections that were found over come before what the caller does now.
  CORINTH_TSAN_ACQUIRE(&corinth_sections_tsan);
  return false;
}

// First the contents, then the owners.
static void release_taken(void *taken[], uint32_t contents, uint32_t count) {
  for (uint32_t i = 0; i < contents; i++) swift_release(taken[i]);
  corinth_thread *thread = corinth_thread_current();
  for (uint32_t i = contents; i < count; i++) corinth_reference_give(thread, taken[i]);
}

void corinth_cells_empty(corinth_cells *cells) {
  uint32_t owned = 0;
  while (owned < CORINTH_CELLS && corinth_cells_owner(cells, owned) > CORINTH_CELL_CLOSED) owned++;
  if (owned == 0) return;
  void *taken[2 * CORINTH_CELLS];
  uint32_t count = 0;
  for (uint32_t i = owned; i-- > 0;) {
    uintptr_t word = __atomic_exchange_n(&cells->words[i], CORINTH_CELL_SEALED, __ATOMIC_SEQ_CST);
    uintptr_t content = word & ~(uintptr_t)CORINTH_CELL_FLAGS;
    if (content != 0) taken[count++] = (void *)content;
  }
  uint32_t contents = count;
  // From the last one on: a search ends at the first that is taken out.
  for (uint32_t i = owned; i-- > 0;) {
    uintptr_t owner = __atomic_exchange_n(&cells->owners[i], CORINTH_CELL_CLOSED, __ATOMIC_SEQ_CST);
    if (owner > CORINTH_CELL_CLOSED) taken[count++] = (void *)owner;
  }
  if (CORINTH_LIKELY(!are_watched_by_others(cells))) {
    release_taken(taken, contents, count);
  } else {
    for (uint32_t i = 0; i < count; i++) corinth_retire(taken[i], swift_release);
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
