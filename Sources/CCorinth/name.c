// SPDX-License-Identifier: MIT
//
// The secrets in the hashes of names.

#include "corinth_internal.h"

#include <unistd.h>
#ifdef __APPLE__
#include <sys/random.h>
#endif

uint64_t corinth_name_secrets[2];

// Before other constructors: a name made before would hash unlike the same name made later.
__attribute__((constructor(101))) static void choose_secrets(void) {
  if (getentropy(corinth_name_secrets, sizeof corinth_name_secrets) != 0) {
    corinth_trap("no random numbers for the hashes of names");
  }
}
