// SPDX-License-Identifier: MIT

#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// Bytes that the process has allocated and not freed; 0 where the C library does not tell.
size_t scale_heap_bytes(void);

/// Runs a program, one instruction at a time, and counts the instructions between the program's
/// calls of `scale_mark`.
///
/// The program calls `scale_begin` before the first mark and `scale_end` after the last mark.
/// Before and after these calls the program runs at full speed, and all further threads always do.
///
/// @param counts gets the instructions from each mark to the next mark.
/// @return the number of counts; -1 if tracing is not possible, or if the program fails.
long scale_count(char *const arguments[], uint32_t *counts, size_t capacity);

void scale_begin(void);
void scale_mark(void);
void scale_end(void);
