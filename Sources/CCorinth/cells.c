// SPDX-License-Identifier: MIT
//
// The cells of a scope or resolution: their tables, their users, and their end.
//
// Invariants
//  1. A thread enters a section, becomes a user, then loads a word or owner to follow. Whoever
//     takes a word or owner out exchanges it, then reads the users. All are sequentially
//     consistent: a reader finds the word gone, or is found as a user, for whom the epoch waits.
//  2. Whether a user is inside a section could only be told after a barrier for all threads, which
//     takes longer than a request scope. The epoch shares one barrier among many objects.
//  3. Lone closing. A thread that is no user may search, but becomes a user before a claim, and
//     before following an address. `ending` decides between the first further user and a first user
//     that closes alone, by compare-and-exchange. A thread not admitted touches neither a word nor
//     an owner, but to compare; so the lone closer takes all out by plain stores.
//  4. The record of a thread is never freed. A new thread that gets the record of the first user is
//     the first user.

#include "corinth_internal.h"

#include <stdlib.h>
#include <string.h>

bool corinth_cells_admit(corinth_cells *cells) {
  uintptr_t found = corinth_word_load(cells->ending);
  do {
    if ((found & CORINTH_ENDING_ALONE) != 0) return false;
  } while (!__atomic_compare_exchange_n(
      cells->ending, &found, found | CORINTH_ENDING_SHARED, false, __ATOMIC_SEQ_CST,
      __ATOMIC_SEQ_CST));
  return true;
}

// Pairs with corinth_cells_admit.
static bool has_other_users(const corinth_cells *cells) {
  corinth_fence_after_exchange();
  return (corinth_word_load(cells->ending) & CORINTH_ENDING_SHARED) != 0 || !corinth_cells_is_first_user(cells);
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

// The first unowned cell of the block. Out of line: inlined, later loops would keep more counters.
__attribute__((noinline)) static corinth_cell *end_of_owned(corinth_cells *cells) {
  corinth_cell *cell = cells->block;
  while (corinth_cell_owner(cell) > CORINTH_CELL_END) cell++;
  return cell;
}

typedef struct taken_lists {
  void **contents;
  void **owners;
  uint32_t content_count;
  uint32_t owner_count;
} taken_lists;

// Exchanges: invariant 1. A construction under way keeps its cell, with the owner.
__attribute__((always_inline)) static inline void take_out(corinth_cell *cell, taken_lists *taken) {
  uintptr_t word;
  while (((word = corinth_cell_load(cell)) & CORINTH_CELL_BUILDING) != 0) {
    if (corinth_cell_exchange(cell, word, word | CORINTH_CELL_LEFT)) return;
  }
  word = __atomic_exchange_n(&cell->word, CORINTH_CELL_SEALED, __ATOMIC_SEQ_CST);
  uintptr_t content = word & ~(uintptr_t)CORINTH_CELL_FLAGS;
  if (content != 0) taken->contents[taken->content_count++] = (void *)content;
  uintptr_t owner = corinth_cell_take_owner(cell);
  if (owner > CORINTH_CELL_CLOSED) taken->owners[taken->owner_count++] = (void *)owner;
}

__attribute__((always_inline)) static inline void let_go(
    const corinth_cells *cells, const taken_lists *taken) {
  // A concurrent closer that has taken an owner out has taken the content before.
  if (taken->content_count + taken->owner_count == 0) return;
  if (CORINTH_LIKELY(!has_other_users(cells))) {
    release_taken(taken->contents, taken->content_count, taken->owners, taken->owner_count);
  } else {
    retire_taken(taken->contents, taken->content_count, taken->owners, taken->owner_count);
  }
}

__attribute__((noinline)) static void empty_tables(corinth_cells *cells) {
  uint32_t count;
  corinth_cell **owned = corinth_cells_of_tables(&cells->block[CORINTH_CELLS_OF_BLOCK], &count);
  if (count == 0) return free(owned);
  void **lists = corinth_allocate(
      _Alignof(void *), 2 * count * sizeof lists[0], "the contents of a scope's tables");
  taken_lists taken = {.contents = lists, .owners = lists + count};
  while (count > 0) take_out(owned[--count], &taken);
  free(owned);
  let_go(cells, &taken);
  free(lists);
}

void corinth_cells_empty(corinth_cells *cells) {
  // First: the instances in tables are the newest.
  if (corinth_cell_load(&cells->block[CORINTH_CELLS_OF_BLOCK]) > CORINTH_CELL_CLOSED) {
    empty_tables(cells);
  }
  void *contents[CORINTH_CELLS_OF_BLOCK];
  void *owners[CORINTH_CELLS_OF_BLOCK];
  taken_lists taken = {.contents = contents, .owners = owners};
  // Most scopes own a few cells: more of the loop at once takes longer. From the last cell on: a
  // search ends at the first removed owner.
#pragma clang loop unroll(disable)
  for (corinth_cell *cell = end_of_owned(cells); cell != cells->block;) take_out(--cell, &taken);
  let_go(cells, &taken);
}

bool corinth_cells_are_lone(const corinth_cells *cells) {
  if (!corinth_cells_is_first_user(cells) || corinth_word_load(cells->ending) != CORINTH_ENDING_OPEN) return false;
  const corinth_cell *cell = cells->block;
  for (; corinth_cell_owner(cell) > CORINTH_CELL_END; cell++) {
    if ((corinth_cell_load(cell) & CORINTH_CELL_STATES) != 0) return false;
  }
  // At the end of the block, the word is the first table.
  return corinth_cell_owner(cell) != CORINTH_CELL_END || corinth_cell_load(cell) == 0;
}

// Relaxed stores: a thread that is no user may be comparing owners.
static void clear(corinth_cell *cell, uintptr_t owner) {
  __atomic_store_n(&cell->owner, owner, __ATOMIC_RELAXED);
  __atomic_store_n(&cell->word, 0, __ATOMIC_RELAXED);
  __atomic_store_n(&cell->completion, 0, __ATOMIC_RELAXED);
}

void corinth_cells_seal_alone(corinth_cells *cells) {
  corinth_cell *cell = cells->block;
  for (; cell->owner > CORINTH_CELL_END; cell++) {
    __atomic_store_n(&cell->word, cell->word | CORINTH_CELL_SEALED, __ATOMIC_RELAXED);
  }
  if (cell->owner == 0) clear(cell, CORINTH_CELL_CLOSED);
}

void corinth_cells_empty_alone(corinth_cells *cells) {
  void *contents[CORINTH_CELLS_OF_BLOCK];
  void *owners[CORINTH_CELLS_OF_BLOCK];
  uint32_t content_count = 0;
  uint32_t owner_count = 0;
  corinth_cell *end = end_of_owned(cells);
  // Sealed before.
  if (end->owner == CORINTH_CELL_CLOSED) clear(end, 0);
#pragma clang loop unroll(disable)
  for (corinth_cell *cell = end; cell != cells->block;) {
    cell--;
    uintptr_t content = cell->word & ~(uintptr_t)CORINTH_CELL_FLAGS;
    if (content != 0) contents[content_count++] = (void *)content;
    owners[owner_count++] = (void *)cell->owner;
    clear(cell, 0);
  }
  // Resolves of this thread, in deinits, find the cells closed.
  clear(cells->block, CORINTH_CELL_CLOSED);
  release_taken(contents, content_count, owners, owner_count);
}

corinth_cells *corinth_cells_create(void) {
  corinth_cells *cells =
      corinth_allocate(_Alignof(corinth_cells), sizeof *cells, "the cells of a resolution");
  corinth_cells_initialize(cells);
  corinth_cells_set_first_user(cells);
  return cells;
}

void corinth_cells_free(corinth_cells *cells) {
  corinth_cells_free_tables(cells);
  free(cells);
}

static void release_unshared(corinth_cell *cell) {
  uintptr_t content = cell->word & ~(uintptr_t)CORINTH_CELL_FLAGS;
  cell->word = 0;
  if (content != 0) swift_release((void *)content);
}

// Destructors running meanwhile cannot reach the cells.
void corinth_cells_empty_unshared(corinth_cells *cells) {
  corinth_thread *thread = corinth_thread_current();
  corinth_cell *end = end_of_owned(cells);
  uint32_t count = 0;
  corinth_cell **owned = NULL;
  if (end->owner == CORINTH_CELL_END) {
    owned = corinth_cells_of_tables(end, &count);
    for (uint32_t i = count; i > 0; i--) release_unshared(owned[i - 1]);
  }
  for (corinth_cell *cell = end; cell != cells->block;) release_unshared(--cell);
  for (uint32_t i = count; i > 0; i--) corinth_reference_give(thread, (void *)owned[i - 1]->owner);
  free(owned);
  for (corinth_cell *cell = end; cell != cells->block;) {
    cell--;
    corinth_reference_give(thread, (void *)cell->owner);
    cell->owner = 0;
  }
  corinth_cells_shrink(cells);
}

// MARK: - Tables

// A table: further cells, as many as a power of two, hashed by owner, and a link behind them to the
// next table; 0, or CORINTH_CELL_CLOSED for good, without one. An owner has the first cell that was
// free among CORINTH_CELL_PROBES cells of the first table with a free one: two threads meet.

// Behind the cells, and not before: the first table would have one of malloc's slow sizes.
static uintptr_t *link_of(corinth_cell *table) { return (uintptr_t *)&table[table->capacity]; }

static corinth_cell *next_table(const uintptr_t *link) {
  uintptr_t next = __atomic_load_n(link, __ATOMIC_SEQ_CST);
  return next > CORINTH_CELL_CLOSED ? (corinth_cell *)next : NULL;
}

// The owner's cell, or the first unowned or closed cell within the owner's reach; NULL without such
// a cell. Fibonacci hashing, as in corinth_hash: an address's low bits are 0.
__attribute__((always_inline)) static inline corinth_cell *search_table(
    const corinth_cell *table, uintptr_t owner, uintptr_t *found) {
  uint32_t first = (uint32_t)(((uint64_t)(owner >> 4) * 0x9E3779B97F4A7C15u) >> 32);
  for (uint32_t i = 0; i < CORINTH_CELL_PROBES; i++) {
    const corinth_cell *cell = &table[(first + i) & (table->capacity - 1)];
    *found = __atomic_load_n(&cell->owner, __ATOMIC_RELAXED);
    if (*found == owner || *found <= CORINTH_CELL_CLOSED) return (corinth_cell *)cell;
  }
  return NULL;
}

corinth_cell_search corinth_cells_search_tables(const corinth_cell *end, uintptr_t owner) {
  const uintptr_t *link = &end->word;
  for (corinth_cell *table; (table = next_table(link)) != NULL; link = link_of(table)) {
    uintptr_t found;
    corinth_cell *cell = search_table(table, owner, &found);
    if (cell == NULL) continue;
    if (found == owner) return (corinth_cell_search){cell, true};
    break;
  }
  return (corinth_cell_search){(corinth_cell *)end, false};
}

// A next table, made here or meanwhile, with as many cells as all tables before; NULL if the cells
// are closed.
__attribute__((noinline)) static corinth_cell *extend(uintptr_t *link, uint32_t capacity) {
  if (capacity == 0) capacity = CORINTH_CELLS_OF_TABLE;
  if (__atomic_load_n(link, __ATOMIC_SEQ_CST) == CORINTH_CELL_CLOSED) return NULL;
  size_t size = capacity * sizeof(corinth_cell) + sizeof(uintptr_t);
  corinth_cell *table = corinth_allocate(_Alignof(corinth_cell), size, "more cells of a scope");
  memset(table, 0, size);
  table->capacity = capacity;
  uintptr_t none = 0;
  if (__atomic_compare_exchange_n(
          link, &none, (uintptr_t)table, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST)) {
    return table;
  }
  free(table);
  return next_table(link);
}

__attribute__((always_inline)) static inline bool take(
    corinth_cell *cell, uintptr_t owner, corinth_thread *thread) {
  if (thread != NULL) return corinth_cell_take(cell, owner, thread, 0);
  swift_retain((void *)owner);
  if (corinth_cell_claim_owner(cell, owner)) return true;
  // Not the last reference: the caller has a reference too.
  swift_release((void *)owner);
  return false;
}

static corinth_cell *place_in_tables(
    corinth_cell *end, uintptr_t owner, corinth_thread *thread) {
  uintptr_t *link = &end->word;
  uint32_t capacity = 0;
  while (true) {
    corinth_cell *table = next_table(link);
    if (table == NULL && (table = extend(link, capacity)) == NULL) return NULL;
    capacity += table->capacity;
    uintptr_t found;
    corinth_cell *cell = search_table(table, owner, &found);
    if (cell == NULL) {
      link = link_of(table);
    } else if (found == owner) {
      return cell;
    } else if (found == CORINTH_CELL_CLOSED) {
      return NULL;
    } else if (take(cell, owner, thread)) {
      uint64_t number = __atomic_add_fetch(&end->completion, 1, __ATOMIC_RELAXED);
      __atomic_store_n(&cell->claim, (uint32_t)number, __ATOMIC_RELAXED);
      return cell;
    }
  }
}

corinth_cell *corinth_cells_place(
    corinth_cells *cells, corinth_cell *start, uintptr_t owner, corinth_thread *thread) {
  if (start != NULL && corinth_cell_owner(start) == CORINTH_CELL_END) {
    return place_in_tables(start, owner, thread);
  }
  while (true) {
    uintptr_t found;
    corinth_cell *cell = (corinth_cell *)corinth_cells_search_block(cells, owner, &found);
    if (found == CORINTH_CELL_END) return place_in_tables(cell, owner, thread);
    if (found == owner) return cell;
    if (found == CORINTH_CELL_CLOSED) return NULL;
    if (take(cell, owner, thread)) return cell;
  }
}

static void seal(corinth_cell *cell) {
  uintptr_t word = corinth_cell_load(cell);
  while ((word & CORINTH_CELL_SEALED) == 0
         && !corinth_cell_exchange(cell, word, word | CORINTH_CELL_SEALED)) {
    word = corinth_cell_load(cell);
  }
}

// Cells first: a resolve adds a table only after a look at each cell of the owner's.
static void seal_tables(corinth_cell *end) {
  uintptr_t *link = &end->word;
  for (corinth_cell *table; (table = next_table(link)) != NULL; link = link_of(table)) {
    for (corinth_cell *cell = table; cell < table + table->capacity; cell++) {
      if (corinth_cell_owner(cell) != 0 || !corinth_cell_claim_owner(cell, CORINTH_CELL_CLOSED)) {
        seal(cell);
      }
    }
    uintptr_t none = 0;
    __atomic_compare_exchange_n(
        link_of(table), &none, CORINTH_CELL_CLOSED, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
  }
}

void corinth_cells_seal(corinth_cells *cells) {
  for (corinth_cell *cell = cells->block;;) {
    uintptr_t owner = corinth_cell_owner(cell);
    if (owner > CORINTH_CELL_END) {
      seal(cell++);
    } else if (owner == CORINTH_CELL_END) {
      // Fails if there is a table, or a closer was faster.
      if (!corinth_cell_exchange(cell, 0, CORINTH_CELL_CLOSED)) seal_tables(cell);
      return;
    } else if (owner == CORINTH_CELL_CLOSED || corinth_cell_claim_owner(cell, CORINTH_CELL_CLOSED)) {
      return;
    }
  }
}

corinth_cell **corinth_cells_of_tables(const corinth_cell *end, uint32_t *count) {
  *count = 0;
  size_t capacity = 0;
  const uintptr_t *link = &end->word;
  for (corinth_cell *table; (table = next_table(link)) != NULL; link = link_of(table)) {
    capacity += table->capacity;
  }
  if (capacity == 0) return NULL;
  corinth_cell **owned =
      corinth_allocate(_Alignof(corinth_cell *), capacity * sizeof owned[0], "a scope's cells");
  memset(owned, 0, capacity * sizeof owned[0]);
  // The place of a cell without a number: the last free place.
  size_t last = capacity;
  size_t left = capacity;
  link = &end->word;
  for (corinth_cell *table; left > 0 && (table = next_table(link)) != NULL; link = link_of(table)) {
    left -= table->capacity;
    for (corinth_cell *cell = table; cell < table + table->capacity; cell++) {
      if (corinth_cell_owner(cell) <= CORINTH_CELL_CLOSED) continue;
      size_t index = __atomic_load_n(&cell->claim, __ATOMIC_RELAXED) - (size_t)1;
      if (index >= capacity || owned[index] != NULL) {
        while (owned[--last] != NULL) {}
        index = last;
      }
      owned[index] = cell;
    }
  }
  for (size_t i = 0; i < capacity; i++) {
    if (owned[i] != NULL) owned[(*count)++] = owned[i];
  }
  return owned;
}

void corinth_cells_free_list(corinth_cell **cells) { free(cells); }

void corinth_cells_free_tables(corinth_cells *cells) {
  corinth_cell *end = &cells->block[CORINTH_CELLS_OF_BLOCK];
  corinth_cell *next = next_table(&end->word);
  end->word = 0;
  while (next != NULL) {
    corinth_cell *table = next;
    next = next_table(link_of(table));
    free(table);
  }
}
