// SPDX-License-Identifier: MIT
//
// Giving up a chain of objects, each of which holds the next, without a stack frame for each.
//
// The loop releases one object and notes which. If that was the last reference, the object's destructor runs
// within, finds itself noted, and hands over its own next object instead of releasing it.

#include "corinth_internal.h"

struct corinth_chain {
  const void *released;  // the object that the loop is releasing
  void *next;            // what its destructor handed over
};

void corinth_chain_release(const void *holder, void *object, corinth_destructor release) {
  corinth_thread *thread = corinth_thread_current();
  corinth_chain *outer = thread->chain;
  if (outer != NULL && outer->released == holder) {
    outer->next = object;
    return;
  }
  // Either the start of a chain, or one that is given up by what a destructor of another runs.
  corinth_chain chain = {.next = object};
  thread->chain = &chain;
  while (chain.next != NULL) {
    chain.released = chain.next;
    chain.next = NULL;
    release((void *)chain.released);
  }
  thread->chain = outer;
}
