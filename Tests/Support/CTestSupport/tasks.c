// SPDX-License-Identifier: MIT

#include "CTestSupport.h"

#include <CCorinth.h>

// What the Swift runtime calls, once set, for each job of a task that prefers no executor.
typedef __attribute__((swiftcall)) void enqueue(void *job);
typedef __attribute__((swiftcall)) void enqueue_hook(void *job, enqueue *original);
extern enqueue_hook *swift_task_enqueueGlobal_hook;

static uint64_t count;

static __attribute__((swiftcall)) void look_for_locks(void *job, enqueue *original) {
  if (corinth_locks_held() != 0) __atomic_fetch_add(&count, 1, __ATOMIC_RELAXED);
  original(job);
}

void corinth_test_enqueues_are_observed(bool are_observed) {
  __atomic_store_n(&count, 0, __ATOMIC_RELAXED);
  swift_task_enqueueGlobal_hook = are_observed ? look_for_locks : NULL;
}

uint64_t corinth_test_enqueues_with_locks(void) { return __atomic_load_n(&count, __ATOMIC_RELAXED); }
