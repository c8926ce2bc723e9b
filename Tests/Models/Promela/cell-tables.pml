// SPDX-License-Identifier: MIT
//
// The tables of a scope's cells: resolves find or take the cell of a registration, tables are added, and a closer refuses
// further owners and walks over the owned cells.
//
// The block has one cell, and so has the first table, which all registrations may have. Each registration has a cell for
// itself in the second table. Two threads ask for the first registration, one thread each for two further registrations.
//
//   place              corinth_cells_place, place_in_tables, search_table (cells.c)
//   extend             extend (cells.c)
//   closer             corinth_cells_seal, seal_tables, corinth_cells_of_tables (cells.c)
//
// Properties
//  1. A registration has one cell: the threads that ask for it get the same one, or none after the closing.
//  2. The walk of the closer finds each registration that has a cell, or will ever have one.
//
// Memory model: sequentially consistent. Searches read owners in relaxed order: a search may miss an owner, which the
// exchange that follows shows.
//
// Not modeled: the words of the cells (cell.pml), and the release of what the cells hold (close-and-hit.pml).
//
// Mutations: CLAIM_BY_STORE GO_ON_AFTER_LOSS EXTEND_BY_STORE WALK_FIRST LEAVE_CELLS LEAVE_LINKS

#include "words.h"

#define THREADS 4
#define NONE 0
#define CLOSED 1
#define OWNER(thread) ((thread) < 2 -> 2 : 1 + (thread))

// The cells: of the block 0, of the first table 1, of two tables that may become the second one 2 to 4, 5 to 7.
#define CELLS 8
byte owner[CELLS];
// Behind the block, the first table and the second one: the number of the next table, or CLOSED.
byte next_table[3];
byte spares = 2;                // the tables not made yet
byte got[THREADS];              // 1 and the cell, 0 for none
bool has_walked;
bool is_found[5];               // an owner, by the walk

// The cell of an owner in a table: 2 is the first one, 3 and 4 are those that may become the second one.
#define FIRST_CELL(table) (3 * (table) - 7)
#define CELL(table, an_owner) ((table) == 2 -> 1 : FIRST_CELL(table) + (an_owner) - 2)

// `table`: the one found or made, CLOSED, or 0 for none made yet.
inline extend(level) {
  atomic { table = next_table[level] };
  if
  :: table == NONE ->
    if
    :: level == 0 -> made = 2
    :: else -> atomic { spares > 0 -> made = 2 + spares; spares-- }
    fi;
#ifdef EXTEND_BY_STORE
    next_table[level] = made;
#else
    compare_exchange(next_table[level], NONE, made, is_exchanged);
#endif
    table = next_table[level]
  :: else
  fi
}

proctype resolve(byte me) {
  byte at, level, seen, table, made;
  bool is_exchanged;
  do
  :: atomic { seen = owner[at] };
    if
    :: seen > CLOSED && !(seen == OWNER(me)) -> skip
    :: true -> if :: seen > CLOSED -> seen = NONE :: else fi
    :: else
    fi;
    if
    :: seen == OWNER(me) -> got[me] = 1 + at; break
    :: seen == CLOSED -> break
    :: seen == NONE ->
#ifdef CLAIM_BY_STORE
      if
      :: owner[at] == NONE -> owner[at] = OWNER(me); is_exchanged = true
      :: else -> is_exchanged = false
      fi;
#else
      compare_exchange(owner[at], NONE, OWNER(me), is_exchanged);
#endif
      if
      :: is_exchanged -> got[me] = 1 + at; break
#ifdef GO_ON_AFTER_LOSS
      :: else -> seen = 9
#else
      // Loaded again: the winner may have the same owner.
      :: else -> atomic { seen = owner[at] };
        if
        :: seen == OWNER(me) -> got[me] = 1 + at; break
        :: seen == CLOSED -> break
        :: else
        fi
#endif
      fi
    :: else
    fi;
    extend(level);
    if
    :: table == CLOSED -> break
    :: else -> at = CELL(table, OWNER(me)); level++; table = 0
    fi
  od
}

inline close_cell(cell) {
#ifndef LEAVE_CELLS
  compare_exchange(owner[cell], NONE, CLOSED, is_exchanged)
#else
  skip
#endif
}

inline walk() {
  d_step {
    cell = 0;
    do
    :: cell < CELLS -> if :: owner[cell] > CLOSED -> is_found[owner[cell]] = true :: else fi; cell++
    :: else -> break
    od;
    has_walked = true
  }
}

proctype closer() {
  byte cell, table;
  bool is_exchanged;
#ifdef WALK_FIRST
  walk();
#endif
  close_cell(0);
  compare_exchange(next_table[0], NONE, CLOSED, is_exchanged);
  table = next_table[0];
  if
  :: table == CLOSED
  :: else ->
    close_cell(1);
#ifndef LEAVE_LINKS
    compare_exchange(next_table[1], NONE, CLOSED, is_exchanged);
#endif
    table = next_table[1];
    if
    :: table <= CLOSED
    :: else ->
      close_cell(FIRST_CELL(table));
      close_cell(FIRST_CELL(table) + 1);
      close_cell(FIRST_CELL(table) + 2)
    fi
  fi;
#ifndef WALK_FIRST
  walk();
#endif
  skip
}

init {
  byte first, second;
  atomic { run resolve(0); run resolve(1); run resolve(2); run resolve(3); run closer() };
  (_nr_pr == 1);
  // 1. A thread that got none came after the closing.
  first = got[0];
  second = got[1];
  assert(first == 0 || second == 0 || first == second);
  // 2.
  first = 0;
  do
  :: first < THREADS ->
    assert(got[first] == 0 || is_found[OWNER(first)]);
    first++
  :: else -> break
  od;
  // 1. In the tables in use.
  second = 0;
  if :: owner[0] == 2 -> second++ :: else fi;
  if :: owner[1] == 2 -> second++ :: else fi;
  if :: next_table[1] > CLOSED && owner[FIRST_CELL(next_table[1])] == 2 -> second++ :: else fi;
  assert(second <= 1)
}
