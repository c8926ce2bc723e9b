// SPDX-License-Identifier: MIT
//
// The hash of short names, inlined where a literal is made a name: its two words are constants there.

#pragma once

#include <stdint.h>

// Random, of the process. Written before the program's own code runs, then constant.
extern uint64_t corinth_name_secrets[2];

// A multiplication whose product of 128 bits is folded into 64.
static inline uint64_t corinth_name_fold(uint64_t left, uint64_t right) {
  unsigned __int128 product = (unsigned __int128)left * right;
  return (uint64_t)(product >> 64) ^ (uint64_t)product;
}

// The hash of two words.
static inline uint64_t corinth_name_hash(uint64_t first, uint64_t second) {
  return corinth_name_fold(first ^ corinth_name_secrets[0], second ^ corinth_name_secrets[1]);
}

// The hash of a text whose next words these are, given that of what comes before.
static inline uint64_t corinth_name_hash_next(uint64_t hash, uint64_t first, uint64_t second) {
  return corinth_name_fold(first ^ hash, second ^ corinth_name_secrets[1]);
}
