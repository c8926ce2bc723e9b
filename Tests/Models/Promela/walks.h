// SPDX-License-Identifier: MIT
//
// A part of claim-and-end.pml: how the end of a scope walks over its cells.

inline seal_cells() {
  enter();
  admit();
  i = 0;
  do
  :: i == CELLS -> break
  :: else ->
    r = owner[i];
    if
    :: r == CLOSED -> break
    :: r == 0 ->
#ifdef LEAVE_OWNERS_OPEN
      break
#else
      compare_exchange(owner[i], 0, CLOSED, is_done);
      if :: is_done -> break :: else fi
#endif
    :: else ->
      r = r - 2;
      use(r);
      do
      :: found = word[i];
        if
        :: IS_SEALED(found) -> break
#ifdef LEAVE_EMPTY_UNSEALED
        :: found == EMPTY -> break
#else
#ifdef SEAL_BY_STORE
        :: found == EMPTY -> word[i] = SEALED; break
#endif
#endif
        :: else ->
          if
          :: IS_BUILDING(found) -> compare_exchange(word[i], found, (found | SEALING), is_done)
          :: found == BUILT -> compare_exchange(word[i], found, SEALED_BUILT, is_done)
          :: found == EMPTY -> compare_exchange(word[i], found, SEALED, is_done)
          fi;
          if :: is_done -> break :: else fi
        fi
      od;
      i++
    fi
  od;
  leave()
}

// forEachSealedCell
inline take_kept(keeps_constructions) {
  enter();
  admit();
  i = 0;
  do
  :: i == CELLS -> break
  :: else ->
    r = owner[i];
    if
    :: r <= CLOSED -> break
    :: else ->
      r = r - 2;
      use(r);
      // keptState, with the mutex held.
      atomic {
        found = word[i];
        if
        :: keeps_constructions && IS_BUILDING(found) ->
          is_kept[BUILDER(found)] = true;
          kept[BUILDER(found)] = r + 1;
#ifndef KEEP_WITHOUT_MARK
          word[i] = found | MARK
#endif
        :: else
        fi
      }
      if
      :: HOLDS_INSTANCE(found) && has_disposers[r] ->
        expect_number(i, r);
        claim_end(r)
      :: else
      fi;
      i++
    fi
  od;
  leave();
  i = 0
}

// Two closers take something out each, or one takes all.
inline take_out() {
  i = 0;
  do
  :: i < CELLS && owner[i] > CLOSED -> i++
  :: else -> break
  od;
  do
  :: i > 0 ->
    i--;
    is_done = false;
#ifndef EMPTY_WHILE_BUILDING
    do
    :: found = word[i];
      if
      :: IS_BUILDING(found) ->
        compare_exchange(word[i], found, (found | LEFT), is_done);
        if :: is_done -> break :: else fi
      :: else -> break
      fi
    od;
#endif
    if
    :: is_done
    :: else ->
      atomic {
        exchange(word[i], SEALED, found);
        if :: HOLDS_INSTANCE(found) -> given_up++ :: else fi
      }
      exchange(owner[i], CLOSED, r);
      if :: r > CLOSED -> r = r - 2; give_up_owner(r) :: else fi
    fi
  :: else -> break
  od;
  i = 0
}
