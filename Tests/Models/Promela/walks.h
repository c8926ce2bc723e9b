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
        :: found == BUILT ->
          compare_exchange(word[i], BUILT, SEALED_BUILT, is_done);
          if :: is_done -> break :: else fi
        :: found == EMPTY ->
#ifdef LEAVE_EMPTY_UNSEALED
          break
#else
#ifdef SEAL_BY_STORE
          word[i] = SEALED;
          break
#else
          compare_exchange(word[i], EMPTY, SEALED, is_done);
          if :: is_done -> break :: else fi
#endif
#endif
        :: else -> hand_over(i, r); break
        fi
      od;
      i++
    fi
  od;
  leave()
}

// forEachDisposableCell. Nothing comes into a state any more: one that has no instance now leaves
// it to the cell.
inline dispose_of_cells() {
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
      if
#ifdef DISPOSE_OF_BOTH
      :: word[i] == SEALED_BUILT && has_disposers[r] ->
#else
      :: word[i] == SEALED_BUILT && has_disposers[r] && !(is_entered[r] && state[r] == BUILT) ->
#endif
        expect_number(i, r);
        account_for(r)
      :: else
      fi;
      i++
    fi
  od;
  leave()
}

// moveFromCells
inline move_all() {
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
#ifdef MOVE_WITHOUT_CLOSING
      break
#else
      compare_exchange(owner[i], 0, CLOSED, is_done);
      if :: is_done -> break :: else fi
#endif
    :: else ->
      r = r - 2;
      use(r);
      hand_over(i, r);
      i++
    fi
  od;
  leave()
}

// Two closers take something out each, or one takes all.
inline take_out() {
  i = 0;
  do
  :: i < CELLS && owner[i] > CLOSED ->
    atomic {
      exchange(word[i], SEALED, found);
      assert(!IS_BUILDING(found));
      if :: HOLDS_INSTANCE(found) -> given_up++ :: else fi
    }
    i++
  :: else -> break
  od;
  do
  :: i > 0 ->
    i--;
    exchange(owner[i], CLOSED, r);
    if
    :: r > CLOSED ->
      // The look at the users.
      d_step {
        r = r - 2;
        if
        :: (users & open_sections & ~(1 << me)) != 0 -> is_cell_retired[r] = true; cell_sections[r] = open_sections
        :: else -> references[r]--
        fi
      }
    :: else
    fi
  :: else -> break
  od;
  i = 0
}
