// SPDX-License-Identifier: MIT

#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// Bytes that the process has allocated and not freed; 0 where the C library does not tell.
size_t scale_heap_bytes(void);

/// Runs a program and counts the instructions between its calls of `scale_mark`, by executing them one at a time.
///
/// The program calls `scale_begin` before the first mark and `scale_end` after the last; outside of these it runs at
/// full speed, and so do its other threads.
///
/// @param counts gets the instructions from each mark to the next one.
/// @return how many there are; -1 where this is not possible, or if the program fails.
long scale_count(char *const arguments[], uint32_t *counts, size_t capacity);

void scale_begin(void);
void scale_mark(void);
void scale_end(void);
