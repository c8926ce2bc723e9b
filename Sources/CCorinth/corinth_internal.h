// SPDX-License-Identifier: MIT
//
// Declarations for the files of the core only.

#pragma once

#define CORINTH_IS_CORE 1

#include "CCorinth.h"

#include <ck_ht.h>
#include <pthread.h>
#include <time.h>

#if defined(__ELF__)
#pragma GCC visibility push(protected)
#endif

// Memory for `what`, uninitialized. Never NULL: an allocation that fails ends the process with a
// message, because the caller would otherwise lose a registration or a retired object.
void *corinth_allocate(size_t alignment, size_t size, const char *what);

// Ends the process with "corinth: <message>".
_Noreturn void corinth_trap(const char *message);

// A failed mutex operation means overwritten memory: trap rather than go on unlocked.
void corinth_mutex_lock(pthread_mutex_t *mutex);
void corinth_mutex_unlock(pthread_mutex_t *mutex);

// Installs the fork handlers, once per process. Any thread.
void corinth_process_initialize(void);

// The mutexes of a part of the core, locked by a fork, and the function that adapts their state.
typedef struct corinth_fork_participant {
  pthread_mutex_t *mutex;
  // Locks or unlocks the part's further mutexes, with `mutex` held. NULL if there are none.
  void (*for_others)(void (*change)(pthread_mutex_t *mutex));
  // In the child, with all mutexes locked, last-locked part first: forgets work of other threads.
  void (*adapt_child)(void);
} corinth_fork_participant;

extern const corinth_fork_participant corinth_fork_of_registries;
extern const corinth_fork_participant corinth_fork_of_limits;
extern const corinth_fork_participant corinth_fork_of_counters;
extern const corinth_fork_participant corinth_fork_of_threads;
extern const corinth_fork_participant corinth_fork_of_reclamation;
extern const corinth_fork_participant corinth_fork_of_locks;

// The mutex of a lock, for a condition.
pthread_mutex_t *corinth_lock_mutex(corinth_lock *lock);

// The epoch of the process, initialized. Any thread.
ck_epoch_t *corinth_epoch(void);

// The newest thread record, which leads to all older records. Any thread.
corinth_thread *corinth_threads(void);

// Any thread; does something the first time.
void corinth_barrier_initialize(void);

// As corinth_barrier_heavy, but may fail: false if a filter of system calls, installed since the
// start, forbids the call. True: light halves are fences, or all threads have passed a barrier.
bool corinth_barrier_for_all(void);

// The place of a thread's stripes: `number` is the number of records made before its record.
corinth_stripe_place corinth_stripe_place_of(size_t number);

// Forgets the stack of a recycled record's former thread: the next check measures the new stack.
void corinth_stack_forget(corinth_thread *thread);

// Whether corinth_barrier_heavy reaches all threads by membarrier(2). Constant once initialized.
extern bool corinth_barrier_is_asymmetric;

// The calling thread's record, or NULL.
corinth_thread *corinth_thread_own(void);

// A reading of a clock, in nanoseconds.
static inline uint64_t corinth_nanoseconds(clockid_t clock) {
  struct timespec now;
  clock_gettime(clock, &now);
  return (uint64_t)now.tv_sec * UINT64_C(1000000000) + (uint64_t)now.tv_nsec;
}

// A span of time, or the reading of a clock after so many nanoseconds.
static inline struct timespec corinth_timespec(uint64_t nanoseconds) {
  return (struct timespec){.tv_sec = (time_t)(nanoseconds / UINT64_C(1000000000)),
                           .tv_nsec = (long)(nanoseconds % UINT64_C(1000000000))};
}

// Whether the calling thread is the only thread with a record: no other thread is inside a section,
// or enters a section without seeing everything unlinked before this call.
bool corinth_thread_is_alone(void);

// The start of a retired object: memory of corinth_allocate, freed once `destroy` has returned.
typedef struct corinth_retired {
  ck_epoch_entry_t entry;
  corinth_destructor destroy;
  void *object;  // the argument of `destroy`
} corinth_retired;

// Retires an object lazily.
void corinth_retire_node(corinth_retired *node);

// Destroys up to `count` objects and returns how many. Fewer than `count`: the rest is still in
// sight of a section, or waits for corinth_reclaim_gather. Not from within a destructor.
size_t corinth_reclaim_at_most(size_t count);

// Hands the retired objects of all threads over to the epoch.
void corinth_reclaim_gather(void);

// Starts the collector's thread; false when the system has no thread left. At most one collector
// exists: the caller has set has_collector.
bool corinth_collector_start(void);

// The number of polls by all threads.
uint64_t corinth_poll_count(void);

// Whether nothing is pending; if so, the collector counts as ended.
bool corinth_collector_may_end(void);

// MARK: - The slot cache (cache.c)

// The hash table of a registry (table.c).
typedef struct corinth_table {
  ck_ht_t slots;
  union corinth_table_block *parked;
} corinth_table;

corinth_table *corinth_table_create(void);
// The caller is the table's last user.
void corinth_table_destroy(corinth_table *table);

// The first slot of a fingerprint, or NULL. Any thread; wait-free.
corinth_slot *corinth_table_find(const corinth_table *table, uint64_t fingerprint);

// Puts the first slot of a fingerprint. The writer mutex is held.
void corinth_table_put(corinth_table *table, uint64_t fingerprint, corinth_slot *slot);

// Makes the hash table find a slot of the registry, for readers that miss the slot in the cache.
// Idempotent. The writer mutex is held.
void corinth_registry_put_in_table(const corinth_registry *registry, corinth_slot *slot, uint64_t hash);

// Frees the internals that a thread has kept for its next registry.
void corinth_registry_release_kept(corinth_thread *thread);

// An empty cache of the smallest size, in memory of that size, aligned as a cache line.
size_t corinth_cache_initial_size(void);
corinth_cache *corinth_cache_make(void *memory, const corinth_registry *owner);

// The slot of `key`, if the cache has it; `seen` gets the slots found instead. Any thread.
const corinth_slot *corinth_cache_find_slot(
    const corinth_registry *registry, const corinth_key *key, uint64_t hash,
    const corinth_slot *seen[2]);

// Stores a new slot in the cache, which grows if need be. `count`: the number of the registry's
// slots, the new slot included. The writer mutex is held.
void corinth_cache_insert(
    corinth_registry *registry, corinth_slot *slot, uint64_t hash, size_t count);

// Whether the slot has the key. Compares names, and so may run user code.
bool corinth_slot_has_key(
    const corinth_registry *registry, const corinth_slot *slot, const corinth_key *key);

#if defined(__ELF__)
#pragma GCC visibility pop
#endif
