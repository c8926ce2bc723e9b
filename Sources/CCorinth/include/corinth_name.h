// SPDX-License-Identifier: MIT
//
// The hash of short names, inlined where a literal becomes a name: there both words are constants.

#pragma once

#include <stdint.h>

// Random, of the process. Written before the program's own code runs, then constant.
extern uint64_t corinth_name_secrets[2];

// Folds the 128-bit product of a multiplication into 64 bits.
static inline uint64_t corinth_name_fold(uint64_t left, uint64_t right) {
  unsigned __int128 product = (unsigned __int128)left * right;
  return (uint64_t)(product >> 64) ^ (uint64_t)product;
}

// The hash of two words.
static inline uint64_t corinth_name_hash(uint64_t first, uint64_t second) {
  return corinth_name_fold(first ^ corinth_name_secrets[0], second ^ corinth_name_secrets[1]);
}

// The hash of a text continued by two words, from the hash of the text before.
static inline uint64_t corinth_name_hash_next(uint64_t hash, uint64_t first, uint64_t second) {
  return corinth_name_fold(first ^ hash, second ^ corinth_name_secrets[1]);
}
