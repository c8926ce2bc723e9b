// SPDX-License-Identifier: MIT

#include "corinth_internal.h"

corinth_class_line corinth_class_lines[1 << CORINTH_CLASS_LINES_LOG];

void corinth_class_note(uintptr_t type, uintptr_t class_of_type) {
  corinth_class_line *line = corinth_class_line_of(type);
  for (int i = 0; i < CORINTH_CLASSES_OF_LINE; i++) {
    corinth_class *each = &line->classes[i];
    uintptr_t found = 0;
    if (__atomic_compare_exchange_n(
            &each->type, &found, type, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
      // Pairs with the acquire load in corinth_class_find, which finds 0 until then.
      __atomic_store_n(&each->class_of_type, class_of_type, __ATOMIC_RELEASE);
      return;
    }
    if (found == type) return;
  }
}
