// SPDX-License-Identifier: MIT
//
// Resolves that claim a cell and build in it, against the end of the scope: two closers, or its deinit. The registrations
// may be overridden meanwhile, so that the scope alone keeps them alive.
//
//   Builder            resolveInScope (SlowResolution.swift), place (ScopeCells.swift), claimCell and build
//                      (RegistrationRecord+Cells.swift), publish and reportIfDropped (Construction.swift, DropReports.swift)
//   hand_over          state(of:insteadOf:), join and hand (InstanceKeeper.swift), state (RegistrationRecord.swift)
//   seal_cells         sealCells, by forEachOwnedCell (InstanceKeeper.swift)
//   move_all           moveFromCells, in the same way
//   take_out           corinth_cells_empty (cells.c)
//   dispose_of_cells   takeKeptStates (ContainerCore+Closing.swift) and disposeFromCells (ContainerCore+ClosingCells.swift),
//                      by forEachDisposableCell
//   Closer             sealForDisposal, close, takeKeptStates, settle and letInstancesGo (ContainerCore+Closing.swift)
//   Dropper            endOfContainer (ContainerCore+Registration.swift), dropScopedInstances (DropReports.swift)
//   Overrider          publish (ContainerCore+Registration.swift), RetiredRegistration.swift
//
// Properties
//  1. Nothing is built in a cell that is emptied, so no claim comes after the seal.
//  2. An instance with disposers that has been built is accounted for exactly once: disposed of, or reported as dropped. Who
//     disposes of it knows its number in the order of completion.
//  3. What a cell holds is given up exactly once, and in the end no reference to a registration is left.
//  4. A registration that a thread uses has a reference.
//  5. No closer and no resolve waits for ever.
//
// Memory model: all is sequentially consistent, as words and owners of cells, the ends of states and the marks of what is
// dropped are in the code. expectDisposal is a release, before the exchange that claims the cell; the closer reads what it
// says after its own exchange of that word.
//
// Two mutations are faults that the model has found in the code:
//  - REGISTRATION_AFTER_EXCHANGE: build and giveBack use the registration after the exchange that ends the construction. The
//    cell's reference may have been taken out and released by then, by another thread or by a deinit on this one. Here the
//    mark of a dropped registration is read before it, and a construction that finds it ends as an ordinary one.
//  - MOVE_WITHOUT_CLOSING: a cell that is claimed between moveFromCells of a dropped scope, and its sealCells, may hold an
//    instance of which nobody is told.
//
// Not modeled: waits (cell.pml; here a thread waits for a state to change), users and sections in detail
// (close-and-hit.pml), more registrations than cells, asynchronous closers, disposers that are added later, cores that are
// not closed at all.
//
// Instances in cells have no boxes: claimEnd decides between those who have the box that a state holds, and nobody decides
// between the state and the cell but the closer's order of steps.
//
// Mutations: REGISTRATION_AFTER_EXCHANGE MOVE_WITHOUT_CLOSING LEAVE_EMPTY_UNSEALED LEAVE_OWNERS_OPEN SEAL_BY_STORE
// Mutations: LEAVE_CELLS LOOK_AT_CELLS_FIRST DISPOSE_OF_BOTH NUMBER_AFTER_EXCHANGE SEAL_STORE_FIRST JOIN_WITHOUT_REFERENCE CLOSE_WITHOUT_SETTLING END_BY_STORE

#include "words.h"

#define BUILDERS 2
#define CELLS 2
#define REGISTRATIONS 2

// Words of cells, and of states in the store.
#define EMPTY 0
#define BUILT 1
#define SEALED 2
#define SEALED_BUILT 3      // of a cell
#define HANDED_OVER 4       // of a cell
#define HANDED_OVER_BUILT 5 // of a cell: it holds the instance all the same
#define BUILDING(thread) (8 + (thread))
#define IS_BUILDING(w) ((w) >= 8)
#define BUILDER(w) ((w) & 7)
#define HOLDS_INSTANCE(w) ((w) == BUILT || (w) == SEALED_BUILT || (w) == HANDED_OVER_BUILT)

byte word[CELLS];
// 0 for none.
#define CLOSED 1
#define OWNER(r) (2 + (r))
byte owner[CELLS];
// Whether the instance has its number in the order of completion.
bool is_numbered[CELLS];

byte state[REGISTRATIONS];
bool is_entered[REGISTRATIONS];   // the store has the state
bool is_store_sealed;
bool requires_disposal;
bool owns_state[BUILDERS];
bool is_claimed[REGISTRATIONS];   // the end of the instance, in the box that its state holds

#define OPEN 0
#define SEALED_SCOPE 1
#define CLOSING 2
#define ENDED 3
byte scope;
bool is_scope_dropped;

// Registrations: the slot's reference at first.
bool is_in_slot[REGISTRATIONS];
bool is_marked[REGISTRATIONS];
bool has_disposers[REGISTRATIONS];
byte references[REGISTRATIONS];

byte users;
byte open_sections;
// Retired references: that of the slot, and that of a cell.
bool is_slot_retired[REGISTRATIONS];
bool is_cell_retired[REGISTRATIONS];
byte slot_sections[REGISTRATIONS];
byte cell_sections[REGISTRATIONS];

// What the properties are about.
byte built[REGISTRATIONS];
byte accounted[REGISTRATIONS];
byte held;                        // instances that cells have got
byte given_up;                    // and have given up

inline use(r) { assert(references[r] > 0) }

inline enter() { open_sections = open_sections | (1 << me) }

inline leave() {
  d_step {
    open_sections = open_sections & ~(1 << me);
    slot_sections[0] = slot_sections[0] & ~(1 << me);
    slot_sections[1] = slot_sections[1] & ~(1 << me);
    cell_sections[0] = cell_sections[0] & ~(1 << me);
    cell_sections[1] = cell_sections[1] & ~(1 << me)
  }
}

inline admit() { users = users | (1 << me) }

inline account_for(r) { d_step { accounted[r]++; assert(accounted[r] == 1) } }

// claimEnd: of those who have the box, one accounts for the instance.
inline claim_end(r) {
  atomic {
    if
    :: !is_claimed[r] -> is_claimed[r] = true; account_for(r)
    :: else
    fi
  }
}

inline expect_number(i, r) { assert(!has_disposers[r] || is_numbered[i]) }

// MARK: - The store

// The state of a registration's instance, made on first use; fails once the store is sealed.
inline find_state(r) {
  d_step {
    is_done = !is_store_sealed;
    if
    :: is_done && !is_entered[r] ->
      is_entered[r] = true;
      references[r]++;
      if :: has_disposers[r] -> requires_disposal = true :: else fi
    :: else
    fi
  }
}

inline release_entries() {
  d_step {
    is_store_sealed = true;
    if :: is_entered[0] -> is_entered[0] = false; references[0]-- :: else fi;
    if :: is_entered[1] -> is_entered[1] = false; references[1]-- :: else fi
  }
}

// `is_done` says whether there is a state.
inline hand_over(i, r) {
  do
  :: found = word[i];
    if
    :: found == SEALED || found == SEALED_BUILT -> is_done = false; break
    :: else
    fi;
    find_state(r);
    if
    :: !is_done || found == HANDED_OVER || found == HANDED_OVER_BUILT -> break
    :: else
    fi;
    if
    :: IS_BUILDING(found) ->
      // join, with the mutex held. Its steps are in cell.pml.
      atomic {
        if
        :: IS_BUILDING(word[i]) ->
          found = word[i];
          assert(state[r] == EMPTY);
          state[r] = found;
          owns_state[BUILDER(found)] = true;
#ifndef JOIN_WITHOUT_REFERENCE
          use(r);
          references[r]++;
#endif
          word[i] = HANDED_OVER
        :: else
        fi
      }
    :: found == EMPTY -> compare_exchange(word[i], EMPTY, HANDED_OVER, is_done)
    :: found == BUILT ->
      // In a new box, with the number of the instance.
      expect_number(i, r);
      compare_exchange(state[r], EMPTY, BUILT, is_done);
      compare_exchange(word[i], BUILT, HANDED_OVER_BUILT, is_done)
    :: else
    fi
  od
}

// MARK: - Resolves

inline run_factory(r) {
  use(r);
  if
  :: atomic { true -> built[r]++; assert(built[r] == 1); is_built = true }
  :: is_built = false
  fi
}

// publish, or drop
inline end_in_state(r) {
  assert(owns_state[me]);
  owns_state[me] = false;
  assert(BUILDER(state[r]) == me && IS_BUILDING(state[r]));
  if
  :: is_built ->
    state[r] = BUILT;
    use(r);
    if
    :: has_disposers[r] && (is_marked[r] || is_scope_dropped) -> claim_end(r)
    :: else
    fi
  :: else -> state[r] = EMPTY
  fi
}

inline end_in_cell(r) {
  is_done = true;
#ifndef NUMBER_AFTER_EXCHANGE
  is_numbered[i] = is_built;
#endif
#ifndef REGISTRATION_AFTER_EXCHANGE
  // isDropped, or the error that names the registration. An instance that is dropped after this is built before: the
  // scope disposes of it.
  use(r);
  if
  :: is_built && is_marked[r] -> is_done = false
  :: else
  fi;
#endif
  if
  :: is_built -> desired = BUILT
  :: else -> desired = EMPTY
  fi;
  if
  :: is_done ->
#ifdef END_BY_STORE
    word[i] = desired
#else
    compare_exchange(word[i], BUILDING(me), desired, is_done)
#endif
  :: else
  fi;
  desired = 0;
  if
  :: is_done ->
    if :: is_built -> held++ :: else fi;
#ifdef NUMBER_AFTER_EXCHANGE
    is_numbered[i] = is_built;
#endif
#ifdef REGISTRATION_AFTER_EXCHANGE
    use(r);
    if
    :: is_built && is_marked[r] && has_disposers[r] ->
      hand_over(i, r);
      if
      :: is_done && state[r] == BUILT -> claim_end(r)
      :: else
      fi
    :: else
    fi
#endif
  :: else ->
    hand_over(i, r);
    end_in_state(r);
    // What the joiner has left, which may be this thread.
    atomic { use(r); references[r]-- }
  fi
}

inline resolve_in_store(r) {
  hand_over(i, r);
  do
  :: !is_done -> break
  :: else ->
    if
    :: state[r] == BUILT || state[r] == SEALED -> break
    :: IS_BUILDING(state[r]) -> !IS_BUILDING(state[r])
    :: state[r] == EMPTY ->
      compare_exchange(state[r], EMPTY, BUILDING(me), is_done);
      if
      :: is_done ->
        owns_state[me] = true;
        run_factory(r);
        end_in_state(r);
        break
      :: else -> is_done = true
      fi
    fi
  od
}

proctype Builder(byte me; byte r) {
  byte i, found, desired;
  bool is_done, is_built;
  enter();
  if
  :: !is_in_slot[r] -> leave(); goto over
  :: else
  fi;
  do
  :: owner[i] == OWNER(r) -> break
  :: owner[i] == CLOSED -> leave(); goto over
  :: owner[i] == 0 ->
    atomic { use(r); references[r]++ };
    compare_exchange(owner[i], 0, OWNER(r), is_done);
    if
    :: is_done -> break
    :: else -> references[r]--
    fi
  :: owner[i] > CLOSED && owner[i] != OWNER(r) -> i++
  od;
  is_done = false;
  found = word[i];
  if
  :: found == EMPTY ->
    if :: has_disposers[r] -> requires_disposal = true :: else fi;
    compare_exchange(word[i], EMPTY, BUILDING(me), is_done)
  :: else
  fi;
  if
  :: is_done ->
    leave();
    run_factory(r);
    end_in_cell(r)
  :: else ->
    atomic { use(r); references[r]++ };
    leave();
    if
    :: found == BUILT
    // Also a resolve that needs a box.
    :: resolve_in_store(r)
    fi;
    references[r]--
  fi;
over:
  skip
}

// MARK: - The end

#include "walks.h"

proctype Closer(byte me) {
  byte i, r, found;
  bool is_done;
  atomic {
    if
    :: scope == OPEN -> scope = SEALED_SCOPE
    :: scope == ENDED -> goto over
    :: else
    fi
  };
#ifdef SEAL_STORE_FIRST
  is_store_sealed = true;
#endif
  seal_cells();
  d_step { i = 0; r = 0; found = 0; is_done = false };
  is_store_sealed = true;
  if
  :: !requires_disposal ->
    release_entries();
    take_out();
    compare_exchange(scope, SEALED_SCOPE, ENDED, is_done)
  :: else ->
    compare_exchange(scope, SEALED_SCOPE, CLOSING, is_done);
    if
    :: is_done ->
#ifdef LOOK_AT_CELLS_FIRST
      dispose_of_cells();
#endif
      // KeptState.init
      r = 0;
      do
      :: r < REGISTRATIONS ->
        atomic { if :: is_entered[r] && state[r] == EMPTY -> state[r] = SEALED :: else fi };
        r++
      :: else -> break
      od;
#ifndef LOOK_AT_CELLS_FIRST
#ifndef LEAVE_CELLS
      dispose_of_cells();
#endif
#endif
      r = 0;
      do
      :: r < REGISTRATIONS ->
        if
        :: is_entered[r] ->
          // InstanceState.seal, until nothing is being built.
          do
          :: atomic { state[r] == EMPTY -> state[r] = SEALED; break }
#ifdef CLOSE_WITHOUT_SETTLING
          :: state[r] != EMPTY -> break
#else
          :: state[r] != EMPTY && !IS_BUILDING(state[r]) -> break
#endif
          od;
          if
          :: has_disposers[r] && state[r] == BUILT -> claim_end(r)
          :: else
          fi
        :: else
        fi;
        r++
      :: else -> break
      od;
      release_entries();
      take_out();
      scope = ENDED
    :: else -> scope == ENDED
    fi
  fi;
over:
  skip
}

proctype Dropper(byte me) {
  byte i, r, found;
  bool is_done;
  scope = SEALED_SCOPE;
  is_scope_dropped = true;
  move_all();
  d_step { i = 0; r = 0; found = 0; is_done = false };
  r = 0;
  do
  :: r < REGISTRATIONS ->
    if
    :: is_entered[r] && has_disposers[r] && state[r] == BUILT -> claim_end(r)
    :: else
    fi;
    r++
  :: else -> break
  od;
  seal_cells();
  d_step { i = 0; r = 0; found = 0; is_done = false };
  release_entries();
  take_out();
  scope = ENDED
}

// MARK: - The machine

proctype Overrider() {
  is_in_slot[0] = false;
  is_marked[0] = true;
  d_step { is_slot_retired[0] = true; slot_sections[0] = open_sections }
}

active proctype Epoch() {
end:
  do
  :: d_step { is_slot_retired[0] && slot_sections[0] == 0 -> is_slot_retired[0] = false; references[0]-- }
  :: d_step { is_cell_retired[0] && cell_sections[0] == 0 -> is_cell_retired[0] = false; references[0]-- }
  :: d_step { is_cell_retired[1] && cell_sections[1] == 0 -> is_cell_retired[1] = false; references[1]-- }
  od
}

init {
  byte r;
  atomic {
    do
    :: r < REGISTRATIONS ->
      is_in_slot[r] = true;
      references[r] = 1;
      has_disposers[r] = true;
      r++
    :: else -> break
    od;
    if :: has_disposers[0] = false :: true fi;
    // More at once would take minutes.
    run Builder(0, 0);
    if
    :: run Builder(1, 0); run Closer(2)
    :: run Builder(1, 1); run Closer(2)
    :: run Builder(1, 0); run Dropper(2)
    :: run Builder(1, 1); run Dropper(2)
    :: run Overrider(); run Closer(2); run Closer(3)
    :: run Overrider(); run Dropper(2)
    fi
  }
  (_nr_pr == 2 && !is_slot_retired[0] && !is_cell_retired[0] && !is_cell_retired[1]);
  r = 0;
  do
  :: r < REGISTRATIONS ->
    assert(built[r] == 0 || !has_disposers[r] || accounted[r] == 1);
    assert(references[r] == is_in_slot[r]);
    r++
  :: else -> break
  od;
  assert(held == given_up)
}
