// SPDX-License-Identifier: MIT
//
// Deferred destruction (note 3) of what sections see. Included by CCorinth.h only, in its place.

#pragma once

typedef void (*corinth_destructor)(void *object);

typedef enum corinth_urgency : uint32_t {
  CORINTH_AWAITED,
  // The destruction is not awaited. After many barriers in a short time, the object waits to share
  // a barrier with later objects: the thread has at most 32 waiting. No mutex is taken then.
  CORINTH_LAZY,
  // As CORINTH_LAZY; the caller next retires a further object on the thread: one barrier for many.
  CORINTH_WITH_NEXT,
} corinth_urgency;

// Destroys `object` once every section that may see the object has ended: in this call when no
// section is open; otherwise in a later call of corinth_retire by any thread, of corinth_reclaim by
// this thread, or in the collector, within a second of the last such call and of the end of the
// last such section. The object must have been unlinked by a sequentially consistent exchange. No
// lock of the core may be held: the destructor may run at once and do anything, retiring included.
// Unless no other thread has a record or the object waits, takes the reclamation mutex, and costs a
// barrier for all threads and a poll, which visits as many records as threads ever existed at once.
void corinth_retire(void *object, corinth_destructor destroy, corinth_urgency urgency);

// Whether an object unlinked by now may be destroyed without retirement: no section can see it.
bool corinth_retire_is_immediate(void);

// If the thread has retired an object that was not free yet: destroys up to a thousand objects free
// by now, unless the thread is in a destructor, a section, or, while little is pending, in a use or
// construction. Cheap otherwise; never a barrier: waiting objects wait on. No lock may be held.
void corinth_reclaim(void);

// As corinth_reclaim, and includes the objects that wait for a barrier.
void corinth_reclaim_all(void);

// Objects retired, and retired objects destroyed, since the process began. Objects that are neither
// destroyed nor pending are being destroyed.
typedef struct corinth_reclamation {
  uint64_t retired;
  uint64_t destroyed;
  uint64_t pending;
} corinth_reclamation;
corinth_reclamation corinth_reclamation_read(void);

// The number of thread records, in use or waiting for a thread.
size_t corinth_thread_records(void);
