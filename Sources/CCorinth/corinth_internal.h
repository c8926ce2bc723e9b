// SPDX-License-Identifier: MIT
//
// What the core's files share with one another and with nobody else.

#pragma once

#include "CCorinth.h"

#include <pthread.h>

// Memory for `what`, uninitialised. Never NULL: an allocation that fails ends the process with a
// message, because the caller would otherwise lose a registration or a retired object.
void *corinth_allocate(size_t alignment, size_t size, const char *what);

// Ends the process with "corinth: <message>".
_Noreturn void corinth_trap(const char *message);

// A mutex operation that fails means that memory was overwritten: trap rather than go on unlocked.
void corinth_mutex_lock(pthread_mutex_t *mutex);
void corinth_mutex_unlock(pthread_mutex_t *mutex);

// Once per process: the epoch, the thread key, the fork handlers. Idempotent, any thread.
void corinth_process_initialize(void);

// Called by the fork handlers, in this order around fork(); each locks or unlocks one file's state.
void corinth_registries_lock_all(void);
void corinth_registries_unlock_all(void);
void corinth_epoch_lock_all(void);
void corinth_epoch_unlock_all(void);

// In the child of a fork: the other threads are gone, so their sections are over.
void corinth_epoch_forget_other_threads(void);

// Once per process.
void corinth_epoch_initialize(void);
