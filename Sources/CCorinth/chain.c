// SPDX-License-Identifier: MIT
//
// Releases a chain of objects, each of which holds the next, without a stack frame for each.
//
// The loop notes the address of an object and releases it. If that was the last reference, the object's
// destructor runs within, finds its address noted, and hands over its own next object instead of releasing it.

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
  // Either the start of a chain, or another chain that ends inside of a destructor, or the second of a holder.
  corinth_chain chain = {.next = object};
  thread->chain = &chain;
  while (chain.next != NULL) {
    chain.released = chain.next;
    chain.next = NULL;
    swift_release((void *)chain.released);
  }
  thread->chain = outer;
}
