// SPDX-License-Identifier: MIT
//
// Deferred destruction of what sections may see. Included by CCorinth.h only, in its place. Note 3 describes it.

#pragma once

typedef void (*corinth_destructor)(void *object);

typedef enum corinth_urgency : uint32_t {
  CORINTH_AWAITED,
  // The destruction is not awaited. If there have been many barriers lately, the object waits for others to share one with:
  // until the thread has 32 such objects, at most. No mutex is taken then.
  CORINTH_LAZY,
  // The same, but the caller retires another one next, on this thread: many objects share one barrier.
  CORINTH_WITH_NEXT,
} corinth_urgency;

// Destroys `object` once every section that may see it has ended: in this call when no section is
// open, otherwise in a later call of corinth_retire by any thread, or of corinth_reclaim by this one, or by the
// collector's, within a second of the end of the last such section and of the last such call. The
// object must have been unlinked by a sequentially consistent exchange. No lock of the core may be held:
// the destructor may run at once and do anything, retiring included. Takes the reclamation mutex, unless the thread is the only
// one that has a record. Costs a barrier for all threads, and a poll, which visits one record for each thread of the largest
// number that existed at one time. That is if the destruction is awaited.
void corinth_retire(void *object, corinth_destructor destroy, corinth_urgency urgency);

// Whether an object that has been unlinked by now may be destroyed without being retired: no section can see it.
bool corinth_retire_is_immediate(void);

// If the thread has retired something that was not free yet: destroys retired objects that have become free, a thousand at
// most, unless the thread is running a destructor, is inside of a section, or in a construction while little is pending. Cheap
// otherwise, and never costs a barrier: what waits to share one goes on waiting. Same rules as above.
void corinth_reclaim(void);

// The same, and has what waits take part.
void corinth_reclaim_all(void);

// Objects handed to corinth_retire, and those of them destroyed, since the process began. Objects
// that are neither destroyed nor pending are being destroyed.
typedef struct corinth_reclamation {
  uint64_t retired;
  uint64_t destroyed;
  uint64_t pending;
} corinth_reclamation;
corinth_reclamation corinth_reclamation_read(void);

// The number of thread records, in use or waiting for a thread.
size_t corinth_thread_records(void);
