// SPDX-License-Identifier: MIT
//
// Releases a chain of objects, in which an object holds the next, without a stack frame per object.
//
// The loop notes an object's address and releases the object. If the reference was the last, the
// destructor runs within, finds the address noted, and hands the next object over unreleased.

#include "corinth_internal.h"

struct corinth_chain {
  const void *released;  // the object that the loop is releasing
  void *next;            // handed over by its destructor
};

void corinth_chain_release(const void *holder, void *object) {
  corinth_thread *thread = corinth_thread_current();
  corinth_chain *outer = thread->chain;
  if (outer != NULL && outer->released == holder && outer->next == NULL) {
    outer->next = object;
    return;
  }
  // The start of a chain, or a chain that ends inside a destructor, or a holder's second chain.
  corinth_chain chain = {.next = object};
  thread->chain = &chain;
  while (chain.next != NULL) {
    chain.released = chain.next;
    chain.next = NULL;
    swift_release((void *)chain.released);
  }
  thread->chain = outer;
}
