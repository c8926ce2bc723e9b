// SPDX-License-Identifier: MIT
//
// Included by the models: atomic operations on words. Each is one step, and all see the steps in
// one order. Where the code needs more than a sequentially consistent access for that, the model
// that uses it says so.

inline compare_exchange(a_word, an_expected, a_desired, a_result) {
  atomic {
    if
    :: a_word == (an_expected) -> a_word = (a_desired); a_result = true
    :: else -> a_result = false
    fi
  }
}

inline exchange(a_word, a_desired, a_result) {
  atomic { a_result = a_word; a_word = (a_desired) }
}

inline lock(a_mutex) { atomic { !a_mutex -> a_mutex = true } }
inline unlock(a_mutex) { a_mutex = false }
