// SPDX-License-Identifier: MIT

#include "CTestSupport.h"

#include <CCorinth.h>
#include <ck_epoch.h>
#include <stdlib.h>
#include <string.h>

struct corinth_test_epoch {
  ck_epoch_t epoch;
  ck_epoch_record_t readers[corinth_test_epoch_readers];
  ck_epoch_record_t writer;
  ck_epoch_entry_t entry;
};

// Only one epoch of a test has an entry at a time.
static bool has_called;

static void note_call(ck_epoch_entry_t *entry) {
  (void)entry;
  has_called = true;
}

corinth_test_epoch *corinth_test_epoch_make(void) {
  corinth_test_epoch *made = NULL;
  if (posix_memalign((void **)&made, _Alignof(corinth_test_epoch), sizeof *made) != 0) abort();
  memset(made, 0, sizeof *made);
  ck_epoch_init(&made->epoch);
  for (size_t i = 0; i < corinth_test_epoch_readers; i++) {
    ck_epoch_register(&made->epoch, &made->readers[i], NULL);
  }
  ck_epoch_register(&made->epoch, &made->writer, NULL);
  has_called = false;
  return made;
}

void corinth_test_epoch_destroy(corinth_test_epoch *epoch) { free(epoch); }

void corinth_test_epoch_begin(corinth_test_epoch *epoch, size_t reader) {
  ck_epoch_begin(&epoch->readers[reader], NULL);
}

void corinth_test_epoch_end(corinth_test_epoch *epoch, size_t reader) {
  ck_epoch_end(&epoch->readers[reader], NULL);
}

unsigned int corinth_test_epoch_count(const corinth_test_epoch *epoch, size_t reader) {
  return epoch->readers[reader].active;
}

void corinth_test_epoch_decrement(corinth_test_epoch *epoch, size_t reader) {
  __atomic_fetch_sub(&epoch->readers[reader].active, 1, __ATOMIC_RELEASE);
}

void corinth_test_epoch_retire(corinth_test_epoch *epoch) {
  ck_epoch_call(&epoch->writer, &epoch->entry, note_call);
}

bool corinth_test_epoch_polls_return(corinth_test_epoch *epoch, size_t polls) {
  for (size_t i = 0; i < polls; i++) {
    ck_stack_t returned = CK_STACK_INITIALIZER;
    ck_epoch_poll_deferred(&epoch->writer, &returned);
    if (returned.head != NULL) return true;
  }
  return false;
}

bool corinth_test_epoch_has_called(void) { return has_called; }
