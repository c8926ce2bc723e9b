// SPDX-License-Identifier: MIT
//
// Resolves that claim a cell and build in it, against the end of the scope: two closers, or its deinit. The registrations
// may be overridden meanwhile, so that the scope alone keeps them alive.
//
//   Builder            resolveInScope (SlowResolution.swift), place (ScopeCells.swift), claimCell
//                      (RegistrationRecord+CallSites.swift), build and publish (RegistrationRecord+Builder.swift), findOrClaim
//                      (RegistrationRecord+Construction.swift)
//   claim_both         corinth_cell_take (corinth_cells.h)
//   end_in_place       conclude (RegistrationRecord+Builder.swift), store (Construction.swift), exchange (AtomicPlace.swift),
//                      takeOwner (ScopeCells.swift), end (WaitForGraph.swift), and reportIfDropped
//                      (RegistrationRecord+Instances.swift)
//   seal_cells         sealCells, by corinth_cells_seal (cells.c)
//   take_out           corinth_cells_empty (cells.c)
//   take_kept          takeKeptStates and disposeFromCells (ContainerCore+ClosingCells.swift), by forEachPlace and
//                      forEachSealedCell (InstanceKeeper.swift); keptState (WaitForGraph+KeptState.swift)
//   Closer             sealForDisposal, close, settle and letInstancesGo (ContainerCore+Closing.swift), and takeKeptStates
//   Dropper            endOfContainer and dropScopedInstances (ContainerCore+Removal.swift)
//   Overrider          publish (ContainerCore+Registration.swift), RetiredRegistration.swift
//
// Properties
//  1. No construction begins in a cell that is sealed, and one that is under way when the cells are emptied leaves nothing.
//  2. An instance with disposers that has been built is accounted for exactly once: disposed of, or reported as dropped. Who
//     disposes of it knows its number in the order of completion.
//  3. What a cell holds is given up exactly once, and in the end no reference to a registration is left.
//  4. A registration that a thread uses has a reference.
//  5. No closer and no resolve waits for ever.
//
// Memory model: all is sequentially consistent, as words and owners of cells and the marks of what is dropped are in the code.
// expectDisposal is a release, before the exchange that claims the cell; the closer reads what it says after its own exchange
// of that word. What a closing keeps of a construction is touched with the mutex held: one step here.
//
// Two mutations are faults that the model has found in the code:
//  - REGISTRATION_AFTER_EXCHANGE: publish and conclude use the registration after the exchange that ends the construction. The
//    cell's reference may have been taken out and released by then, by another thread or by a deinit on this one. Here the
//    mark of a dropped registration is read before it, and a construction that finds it takes a reference of its own first.
//  - LOOK_BEFORE_SEAL: a cell that is claimed between the look at the instances of a dropped scope, and its sealCells, may
//    hold an instance of which nobody is told.
//
// Not modeled: waits (cell.pml; here a thread waits for a word to change), users and sections in detail
// (close-and-hit.pml), more registrations than cells, asynchronous closers, disposers that are added later, cores that are
// not closed at all.
//
// Mutations: REGISTRATION_AFTER_EXCHANGE LOOK_BEFORE_SEAL MARK_AFTER_LOOK LEAVE_EMPTY_UNSEALED LEAVE_OWNERS_OPEN SEAL_BY_STORE
// Mutations: LEAVE_CELLS NUMBER_AFTER_EXCHANGE CLOSE_WITHOUT_SETTLING END_BY_STORE
// Mutations: KEEP_WITHOUT_MARK EMPTY_WHILE_BUILDING STORE_IN_LEFT FORGET_OWNER END_WITHOUT_REFERENCE CLAIM_CLOSED

#include "words.h"

#define BUILDERS 2
#define CELLS 2
#define REGISTRATIONS 2

// Words of cells.
#define EMPTY 0
#define BUILT 1
#define SEALED 2
#define SEALED_BUILT 3
#define BUILDING(thread) (8 + (thread))
#define IS_BUILDING(w) (((w) & 8) != 0)
#define BUILDER(w) ((w) & 7)
// Beside BUILDING.
#define SEALING 32
#define LEFT 64
#define MARK 128
#define IS_SEALED(w) ((w) == SEALED || (w) == SEALED_BUILT || ((w) & SEALING) != 0)
#define HOLDS_INSTANCE(w) ((w) == BUILT || (w) == SEALED_BUILT)

byte word[CELLS];
// 0 for none.
#define CLOSED 1
#define OWNER(r) (2 + (r))
byte owner[CELLS];
// Whether the instance has its number in the order of completion.
bool is_numbered[CELLS];

bool requires_disposal;
bool is_claimed[REGISTRATIONS];   // the end of the instance, in its box

// Of a construction: whether a closing keeps it, and what the closing has got.
bool is_kept[BUILDERS];
bool is_over[BUILDERS];
bool kept_instance[BUILDERS];

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

// Of a cell. Nobody else has taken the owner out. The look at the users.
inline give_up_owner(r) {
  d_step {
    if
    :: (users & open_sections & ~(1 << me)) != 0 -> is_cell_retired[r] = true; cell_sections[r] = open_sections
    :: else -> references[r]--
    fi
  }
}

inline expect_number(i, r) { assert(!has_disposers[r] || is_numbered[i]) }

// MARK: - Resolves

inline run_factory(r) {
  use(r);
  if
  :: atomic { true -> built[r]++; assert(built[r] == 1); is_built = true }
  :: is_built = false
  fi
}

// Of a construction that owns its place.
inline end_in_place(r) {
#ifndef END_WITHOUT_REFERENCE
  atomic { use(r); references[r]++ };
#endif
  is_numbered[i] = is_built;
  do
  :: found = word[i];
    assert(IS_BUILDING(found) && BUILDER(found) == me);
    if
#ifndef STORE_IN_LEFT
    :: (found & LEFT) != 0 -> desired = SEALED
#endif
#ifdef STORE_IN_LEFT
    :: (found & SEALING) != 0 -> desired = (is_built -> SEALED_BUILT : SEALED)
#else
    :: (found & LEFT) == 0 && (found & SEALING) != 0 -> desired = (is_built -> SEALED_BUILT : SEALED)
#endif
    :: (found & SEALING) == 0 -> desired = (is_built -> BUILT : EMPTY)
    fi;
    atomic {
      compare_exchange(word[i], found, desired, is_done);
      if :: is_done && HOLDS_INSTANCE(desired) -> held++ :: else fi
    }
    if :: is_done -> break :: else fi
  od;
#ifndef FORGET_OWNER
  if
  :: (found & LEFT) != 0 ->
    exchange(owner[i], CLOSED, desired);
    if :: desired > CLOSED -> give_up_owner(desired - 2) :: else fi
  :: else
  fi;
#endif
  use(r);
  if
  :: is_built && has_disposers[r] && (is_marked[r] || is_scope_dropped) -> claim_end(r)
  :: else
  fi;
  if
  :: (found & MARK) != 0 -> atomic { is_over[me] = true; kept_instance[me] = is_kept[me] && is_built }
  :: else
  fi;
#ifndef END_WITHOUT_REFERENCE
  atomic { use(r); references[r]-- };
#endif
  desired = 0;
  is_done = true
}

inline end_in_cell(r) {
  is_done = true;
#ifndef REGISTRATION_AFTER_EXCHANGE
  // isDropped, or the error that names the registration. An instance that is dropped after this is built before: the
  // scope disposes of it.
  use(r);
  if
  :: is_built && is_marked[r] -> is_done = false
  :: else
  fi;
#endif
#ifndef NUMBER_AFTER_EXCHANGE
  is_numbered[i] = is_built && is_done;
#endif
  desired = (is_built -> BUILT : EMPTY);
  if
  :: is_done ->
#ifdef END_BY_STORE
    word[i] = desired;
#else
    compare_exchange(word[i], BUILDING(me), desired, is_done);
#endif
    if :: is_done && is_built -> held++ :: else fi
  :: else
  fi;
  desired = 0;
  if
  :: is_done ->
#ifdef NUMBER_AFTER_EXCHANGE
    is_numbered[i] = is_built;
#endif
#ifdef REGISTRATION_AFTER_EXCHANGE
    use(r)
#endif
  :: else -> end_in_place(r)
  fi
}

inline take_ordinary_steps(r) {
  do
  :: found = word[i];
    if
    :: HOLDS_INSTANCE(found) || IS_SEALED(found) -> break
    :: IS_BUILDING(found) && !IS_SEALED(found) -> word[i] != found
    :: found == EMPTY ->
      if :: has_disposers[r] -> requires_disposal = true :: else fi;
      compare_exchange(word[i], EMPTY, BUILDING(me), is_done);
      if
      :: is_done ->
        run_factory(r);
        end_in_place(r);
        break
      :: else
      fi
    fi
  od
}

inline claim_both(r) {
  d_step {
#ifdef CLAIM_CLOSED
    is_done = owner[i] <= CLOSED && word[i] == EMPTY;
#else
    is_done = owner[i] == 0 && word[i] == EMPTY;
#endif
    if
    :: is_done -> owner[i] = OWNER(r); word[i] = BUILDING(me)
    :: else
    fi
  }
}

proctype Builder(byte me; byte r) {
  byte i, found, desired;
  bool is_done, is_built, begins;
  enter();
  if
  :: !is_in_slot[r] -> leave(); goto over
  :: else
  fi;
  do
  :: owner[i] == OWNER(r) -> break
  :: owner[i] == CLOSED -> leave(); goto over
  :: owner[i] == 0 ->
    if :: has_disposers[r] -> requires_disposal = true :: else fi;
    atomic { use(r); references[r]++ };
    if
    // Owner and word together, by a call site.
    :: claim_both(r); begins = is_done
    :: compare_exchange(owner[i], 0, OWNER(r), is_done)
    fi;
    if
    :: is_done -> break
    :: else -> references[r]--
    fi
  :: owner[i] > CLOSED && owner[i] != OWNER(r) -> i++
  od;
  is_done = begins;
  found = word[i];
  if
  :: found == EMPTY && !begins ->
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
    :: take_ordinary_steps(r)
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
  // By construction, its registration and one.
  byte kept[BUILDERS];
  bool is_done;
  atomic {
    if
    :: scope == OPEN -> scope = SEALED_SCOPE
    :: scope == ENDED -> goto over
    :: else
    fi
  };
  seal_cells();
  d_step { i = 0; r = 0; found = 0; is_done = false };
  if
  :: !requires_disposal ->
    compare_exchange(scope, SEALED_SCOPE, ENDED, is_done);
    if
    :: is_done -> take_out()
    :: else
    fi
  :: else ->
    compare_exchange(scope, SEALED_SCOPE, CLOSING, is_done);
    if
    :: is_done ->
#ifndef LEAVE_CELLS
      take_kept(true);
#endif
      // settle
      i = 0;
      do
      :: i < BUILDERS ->
        if
        :: kept[i] > 0 ->
#ifndef CLOSE_WITHOUT_SETTLING
          is_over[i];
#endif
          if
          :: kept_instance[i] && has_disposers[kept[i] - 1] -> claim_end(kept[i] - 1)
          :: else
          fi
        :: else
        fi;
        i++
      :: else -> break
      od;
      i = 0;
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
  byte kept[BUILDERS];
  bool is_done;
  scope = SEALED_SCOPE;
#ifndef MARK_AFTER_LOOK
  is_scope_dropped = true;
#endif
#ifndef LOOK_BEFORE_SEAL
  seal_cells();
  d_step { i = 0; r = 0; found = 0; is_done = false };
#endif
  take_kept(false);
#ifdef MARK_AFTER_LOOK
  is_scope_dropped = true;
#endif
#ifdef LOOK_BEFORE_SEAL
  seal_cells();
  d_step { i = 0; r = 0; found = 0; is_done = false };
#endif
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
