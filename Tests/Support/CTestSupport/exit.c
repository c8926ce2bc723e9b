// SPDX-License-Identifier: MIT

#include "CTestSupport.h"

#include <stdlib.h>
#include <unistd.h>

static corinth_test_child last_handler;
static void *last_handler_context;

static void run_last_handler(void) {
  if (last_handler != NULL) _exit(last_handler(last_handler_context));
}

// Registered before any other, as the destructors of static objects are, and run after all others.
__attribute__((constructor)) static void register_last_handler(void) { atexit(run_last_handler); }

void corinth_test_exit(corinth_test_child handler, void *context) {
  last_handler = handler;
  last_handler_context = context;
  exit(EXIT_FAILURE);
}
