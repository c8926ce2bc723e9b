// SPDX-License-Identifier: MIT
//
// The box class of a product's type, cached: the runtime's lookup takes ten times as long.

#pragma once

#include <stdint.h>

// A type and its class; both 0 at first, written once, and accessed atomically.
typedef struct corinth_class {
  uintptr_t type;
  uintptr_t class_of_type;
} corinth_class;

enum { CORINTH_CLASSES_OF_LINE = 4, CORINTH_CLASS_LINES_LOG = 8 };

// A cache line for types with equal upper bits of the hash.
typedef struct corinth_class_line {
  _Alignas(64) corinth_class classes[CORINTH_CLASSES_OF_LINE];
} corinth_class_line;

extern corinth_class_line corinth_class_lines[1 << CORINTH_CLASS_LINES_LOG];

static inline corinth_class_line *corinth_class_line_of(uintptr_t type) {
  return &corinth_class_lines[corinth_hash(type, 0, 0) >> (64 - CORINTH_CLASS_LINES_LOG)];
}

// The class of a type, 0 if unknown. Any thread; wait-free.
static inline uintptr_t corinth_class_find(uintptr_t type) {
  const corinth_class_line *line = corinth_class_line_of(type);
  for (int i = 0; i < CORINTH_CLASSES_OF_LINE; i++) {
    if (__atomic_load_n(&line->classes[i].type, __ATOMIC_RELAXED) == type) {
      // Pairs with the release store in corinth_class_note.
      return __atomic_load_n(&line->classes[i].class_of_type, __ATOMIC_ACQUIRE);
    }
  }
  return 0;
}

// Notes the class of a type, unless the line is full. Any thread.
void corinth_class_note(uintptr_t type, uintptr_t class_of_type);
