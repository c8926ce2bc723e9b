// SPDX-License-Identifier: MIT
//
// The C functions of tests: fork, memory that runs out, and a stress of the core's reclamation.

#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// The sanitizer with which this code was built.
typedef enum corinth_test_sanitizer {
  corinth_test_sanitizer_none,
  corinth_test_sanitizer_address,
  corinth_test_sanitizer_thread,
} corinth_test_sanitizer;
corinth_test_sanitizer corinth_test_sanitizer_in_use(void);

// MARK: - Fork

// Runs in the child. Its result, 0 to 255, becomes the child's exit status.
typedef int (*corinth_test_child)(void *context);

typedef struct corinth_test_outcome {
  bool timed_out;      // the child was killed because it took too long
  int exit_status;     // -1 when a signal ended the child
  int signal;          // that signal, 0 when there was none
  char *error_output;  // what the child wrote to stderr; never NULL
} corinth_test_outcome;

// Forks, and waits for the child until `timeout_milliseconds` have passed. Any thread. The child
// leaves by _exit: neither exit handlers nor the tests that follow run in it. The caller owns the
// outcome. Traps when the machine cannot fork.
corinth_test_outcome corinth_test_fork(
    corinth_test_child child, void *context, unsigned int timeout_milliseconds);

void corinth_test_outcome_destroy(corinth_test_outcome *outcome);

// Forks in the middle of what the calling thread does: returns the child's id in the parent and 0
// in the child, which must end by _exit, and is killed after minutes. Traps when the machine
// cannot fork.
int corinth_test_fork_here(void);

// Waits for a child of corinth_test_fork_here. Its exit status, -1 when a signal ended it.
int corinth_test_wait(int child);

// Ends a child by exit. `handler` runs after the other exit handlers, and its result becomes the
// exit status.
_Noreturn void corinth_test_exit(corinth_test_child handler, void *context);

// MARK: - The epoch of libck

enum { corinth_test_epoch_readers = 2 };

// An epoch of libck, which the core knows nothing of, with two readers and a writer; all functions
// by one thread.
typedef struct corinth_test_epoch corinth_test_epoch;
corinth_test_epoch *corinth_test_epoch_make(void);
void corinth_test_epoch_destroy(corinth_test_epoch *epoch);

void corinth_test_epoch_begin(corinth_test_epoch *epoch, size_t reader);
void corinth_test_epoch_end(corinth_test_epoch *epoch, size_t reader);
// The count of the reader's sections; and a decrement of the count, which calls nothing of libck.
unsigned int corinth_test_epoch_count(const corinth_test_epoch *epoch, size_t reader);
void corinth_test_epoch_decrement(corinth_test_epoch *epoch, size_t reader);

// Retires the one entry of the epoch. Once, until polls have returned the entry.
void corinth_test_epoch_retire(corinth_test_epoch *epoch);
// Whether one of some polls returns the entry.
bool corinth_test_epoch_polls_return(corinth_test_epoch *epoch, size_t polls);
// Whether libck has called the entry's function itself since the last epoch was made.
bool corinth_test_epoch_has_called(void);

// MARK: - Memory

// From here on the core gets `allocations` pieces of memory, and then none. For a forked child: not
// synchronized, and there is no way back.
void corinth_test_memory_fail_after(size_t allocations);

// The bytes that the allocator has given out; 0 where the allocator does not say.
size_t corinth_test_memory_in_use(void);

// MARK: - Barriers

// The function in the place of membarrier(2).
typedef enum corinth_test_barrier {
  corinth_test_barrier_real,     // itself
  corinth_test_barrier_slow,     // itself, and 20 microseconds
  corinth_test_barrier_missing,  // nothing: threads pass no barrier
  corinth_test_barrier_failing,  // what a filter of system calls makes of it
} corinth_test_barrier;

// From here on barriers are counted, and are of this kind. Not synchronized.
void corinth_test_barriers_become(corinth_test_barrier kind);

// How many there were since then, by all threads. Always none where the machine has no
// membarrier(2).
uint64_t corinth_test_barriers(void);

// Whether the process has asymmetric barriers.
bool corinth_test_has_barriers(void);

// Has the kernel refuse membarrier(2) to the calling thread, and to the threads that the caller
// starts, from now on. False if the kernel has no filters.
bool corinth_test_forbid_barriers(void);

// MARK: - Images

// From here on this copy is one that was loaded beside another one. For a forked child: there is no
// way back.
void corinth_test_image_becomes_later(void);

// Whether sections of the calling thread begin without a look at its copy's number.
bool corinth_test_thread_is_attached(void);

// MARK: - Tasks

// Whether jobs of tasks are looked at from here on as they are enqueued. The count begins at 0. Not
// synchronized.
void corinth_test_enqueues_are_observed(bool are_observed);

// How many of these were enqueued by a thread that held a lock of the core: an executor may be the
// user's.
uint64_t corinth_test_enqueues_with_locks(void);

// MARK: - Holds

// Has the calling thread stop within the end of a hold, before the first look at the counter.
void corinth_test_stop_within_end(const void *counter);

// MARK: - Poison

// The fault of a run of the stress.
typedef enum corinth_test_fault {
  corinth_test_fault_none,
  corinth_test_fault_no_section,    // readers look at objects outside of a section
  corinth_test_fault_no_retirement, // writers destroy what they have replaced at once
  corinth_test_fault_no_barrier,    // writers pass none before they look for sections
} corinth_test_fault;

typedef struct corinth_test_poisoning {
  uint64_t exchanges;    // objects replaced by writers
  uint64_t reads;        // objects looked at by readers
  // of these, by readers behind stores, those since whose forerunner a writer had run
  uint64_t accompanied;
  uint64_t poisoned;     // of these, the ones that had been destroyed
  uint64_t destroyed;    // objects destroyed in the end, the last one included
} corinth_test_poisoning;

// Writers exchange the word of one slot and retire what they replace; destruction poisons an
// object. Readers look for the poison. Without a fault, objects are freed when they are destroyed,
// and the run ends after `exchanges` exchanges and a quarter as many reads. With one, their memory
// is kept until the end, so that reading it is defined, and the run ends when poison has been seen,
// or after a minute.
corinth_test_poisoning corinth_test_poison_stress(
    corinth_test_fault fault, unsigned int readers, unsigned int writers, uint64_t exchanges);

// The stress with readers that store to memory far away just before each section: the remaining
// processors see the section's beginning late. Without the stores, even a missing barrier is not
// seen. `lazily`: replaced objects are retired lazily.
corinth_test_poisoning corinth_test_store_buffer_stress(
    corinth_test_fault fault, unsigned int readers, bool lazily, uint64_t exchanges);

// The number of processors available to the process.
unsigned int corinth_test_processor_count(void);

#ifdef __cplusplus
}
#endif
