// SPDX-License-Identifier: MIT
//
// The lock-free core of Corinth: a registry of slots (ck_ht), a slot cache in front of it, and
// epoch sections with deferred destruction (ck_epoch).
//
// C knows keys made of words, slots, and opaque pointers with a destructor. The caller owns the
// objects that words point to (registrations, instance boxes).
//
//   reader                                      writer
//   ------                                      ------
//   slot = corinth_cache_find(...)             slot = corinth_registry_insert_and_lock(...)
//     or corinth_registry_find_spmc(...)        (registry's mutex taken)
//   thread = corinth_section_enter()            old = corinth_slot_exchange(slot, word)
//   word = corinth_slot_load(slot)              (mutex released)
//   ... use the object behind the word ...      corinth_retire(old, destroy)
//   corinth_section_leave(thread)
//
// Functions ending in _spmc may run in any number of readers beside one writer.

#pragma once

#include <ck_epoch.h>
#include <ck_queue.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define CORINTH_TSAN 1
#endif
#endif

// ThreadSanitizer does not see the ordering inside ck_ functions; these two name it. Each pair
// shares an address: a release before the ck_ call that publishes, an acquire after the one that
// observes.
#ifdef CORINTH_TSAN
void __tsan_acquire(void *address);
void __tsan_release(void *address);
#define CORINTH_TSAN_ACQUIRE(address) __tsan_acquire((void *)(address))
#define CORINTH_TSAN_RELEASE(address) __tsan_release((void *)(address))
#else
#define CORINTH_TSAN_ACQUIRE(address) ((void)(address))
#define CORINTH_TSAN_RELEASE(address) ((void)(address))
#endif

// The same for Swift.
static inline void corinth_tsan_acquire(const void *address) { CORINTH_TSAN_ACQUIRE(address); }
static inline void corinth_tsan_release(const void *address) { CORINTH_TSAN_RELEASE(address); }

#define CORINTH_LIKELY(condition) __builtin_expect(!!(condition), 1)

// A variable of each thread. initial-exec: one load at a fixed offset from the thread pointer instead of a call.
#if defined(__linux__)
#define CORINTH_THREAD_LOCAL _Thread_local __attribute__((tls_model("initial-exec")))
#else
#define CORINTH_THREAD_LOCAL _Thread_local
#endif

// The core's own files bind to what their image has. Otherwise the dynamic linker could have two images of Corinth in one
// process share the core and not the Swift code above it: image.c.
#if defined(CORINTH_IS_CORE) && defined(__ELF__)
#pragma GCC visibility push(protected)
#endif

// Of the Swift runtime, and so of another image.
#define CORINTH_OF_RUNTIME __attribute__((visibility("default"))) extern

#ifdef __cplusplus
extern "C" {
#endif

// MARK: - Keys and slots

// The product's type in a key: its address, which is aligned as a pointer is, with the lowest bit set if the key has a name
// or arguments, and the next if it has arguments. So one comparison decides for the keys that have neither, and those
// without arguments need none of these.
static inline uintptr_t corinth_product(
    uintptr_t type, bool has_name_or_arguments, bool has_arguments) {
  return type | (has_name_or_arguments ? 1 : 0) | (has_arguments ? 2 : 0);
}

static inline uintptr_t corinth_product_type(uintptr_t product) { return product & ~(uintptr_t)3; }

// The key of a slot. Two keys are equal when product, arguments and name_hash are
// equal and the names are: by their bits, or else by the registry's corinth_names_equal.
typedef struct corinth_key {
  uintptr_t product;      // corinth_product of the product's type, never 0
  uintptr_t arguments;    // identity of the argument types, 0 when there are none
  uint64_t name_hash;     // 0 when there is no name, and only then
  uint64_t name_bits[2];  // the name's value; equal bits mean equal names, not the reverse
} corinth_key;

// One per key and registry. Its key never changes and it is freed with the registry only, so a
// pointer to it needs no protection; the object behind its word needs a section.
// One cache line, aligned to one by its slab (not by its type, which Swift could not import): a hit
// reads the key and the word, an override dirties no other slot's line.
typedef struct corinth_slot {
  uintptr_t word;                      // accessed through corinth_slot_load and _exchange only
  corinth_key key;
  struct corinth_slot *next_colliding; // the next slot with the same fingerprint
  struct corinth_slot *next;           // the slot inserted before this one
} corinth_slot;

// The low bits of a slot's word. The word is 0 (CORINTH_WORD_ABSENT) without a registration.
// Objects behind words are aligned to 16 bytes.
enum : uintptr_t {
  CORINTH_WORD_ABSENT = 0,
  CORINTH_WORD_READY = 1,      // a box that holds the instance
  CORINTH_WORD_TRANSIENT = 2,  // a registration whose factory runs on each resolve
  CORINTH_WORD_REGISTRATION = 3,   // a registration with more than a factory
  CORINTH_WORD_DIVERTED = 4,   // any registration, each resolve of which takes the slow path
  CORINTH_WORD_SCOPED = 5,     // a registration whose instances the cells of request scopes hold
  CORINTH_WORD_GRAPH = 6,      // a registration whose instances the cells of resolutions hold
  CORINTH_WORD_STORED = 7,     // a registration that stores instances which its slot cannot hold
  CORINTH_WORD_TAG_MASK = 7,
};

// Readers: any thread, inside a section for as long as the pointer in the word is used.
// Pairs with the release half of corinth_slot_exchange and corinth_slot_compare_exchange.
static inline uintptr_t corinth_slot_load(const corinth_slot *slot) {
  return __atomic_load_n(&slot->word, __ATOMIC_ACQUIRE);
}

// Publishes `word` and returns the word that it replaces, which the caller then retires. Sequentially
// consistent: this is the unlink that corinth_retire relies on.
static inline uintptr_t corinth_slot_exchange(corinth_slot *slot, uintptr_t word) {
  return __atomic_exchange_n(&slot->word, word, __ATOMIC_SEQ_CST);
}

// Publishes `word` if the slot still holds `expected`; false if another word came first.
static inline bool corinth_slot_compare_exchange(
    corinth_slot *slot, uintptr_t expected, uintptr_t word) {
  return __atomic_compare_exchange_n(
      &slot->word, &expected, word, false, __ATOMIC_SEQ_CST, __ATOMIC_ACQUIRE);
}

// Fibonacci hashing: the multiplier is 2^64 divided by the golden ratio. The upper bits are the
// well-mixed ones; the cache indexes with them. Metadata of types of one shape lie at one distance,
// and some distances are bad for the multiplication alone: the shift breaks their progression.
// Names are hashed by the caller; arguments are rotated so that (A, arguments B) and (B, arguments
// A) differ.
static inline uint64_t corinth_hash(uintptr_t type, uint64_t name_hash, uintptr_t arguments) {
  uint64_t rotated = ((uint64_t)arguments << 23) | ((uint64_t)arguments >> 41);
  uint64_t mixed = (uint64_t)type ^ name_hash ^ rotated;
  mixed ^= mixed >> 5;
  return mixed * UINT64_C(0x9E3779B97F4A7C15);
}

// MARK: - Swift objects

// Of the Swift runtime (swift/Runtime/HeapObject.h): another reference to `object`, or NULL when its
// deinit has begun. An unowned reference must retain its memory.
CORINTH_OF_RUNTIME void *swift_tryRetain(void *object);

// Of the same header: takes references, and gives them up; and whether there is but one, to an object whose deinit has not
// begun.
CORINTH_OF_RUNTIME void *swift_retain(void *object);
CORINTH_OF_RUNTIME void *swift_retain_n(void *object, uint32_t count);
CORINTH_OF_RUNTIME void swift_release(void *object);
CORINTH_OF_RUNTIME void swift_release_n(void *object, uint32_t count);
CORINTH_OF_RUNTIME bool swift_isUniquelyReferenced_nonNull_native(const void *object);

// MARK: - Registry

// Equals no key: a product is never 0.
extern const corinth_slot corinth_no_slot;

// A power-of-two array of slots, probed before the registry's hash table. Each slot is at one of its two entries. Only
// writers fill it and move slots; readers never write a line that they share. An entry is never empty: unused ones hold
// corinth_no_slot.
typedef struct corinth_cache {
  struct corinth_cache *previous;  // smaller, parked: readers may still hold it
  const struct corinth_registry *owner;  // the registry whose slots it holds; NULL for the empty one
  unsigned int shift;              // 64 - log2(number of entries)
  uint32_t version;                // another after slots were moved; odd meanwhile, and once a slot was left out; accessed atomically
  _Alignas(64) const corinth_slot *entries[];  // accessed atomically
} corinth_cache;

// The other entry of a slot with this hash, given one of them: the first is given by the upper bits of the hash, and the
// distance by those of its lower half. They differ.
static inline size_t corinth_cache_other_entry(
    const corinth_cache *cache, uint64_t hash, size_t entry) {
  return entry ^ ((hash << 32 >> cache->shift) | 1);
}

// Whether the names of two keys are equal, their hashes being equal and their bits not. Called from
// any thread.
typedef bool (*corinth_names_equal)(const corinth_key *left, const corinth_key *right);

// Called once for each slot when its registry is destroyed, newest first.
typedef void (*corinth_slot_destroy)(corinth_slot *slot);

// A registry and all its descendants are a tree. A registry is cheap until its writer
// mutex is taken for the first time, an insertion included: only then it gets a cache and a mutex,
// and a hash table if the cache does not do.
typedef struct corinth_registry {
  corinth_cache *cache;  // first, so that a hit reads it at offset 0; accessed atomically
  uint32_t *path_tracking_threshold;  // the root's, for the whole tree; accessed atomically
  struct corinth_registry_internals *internals;  // NULL at first; accessed atomically
  corinth_names_equal names_equal;
  uint16_t fingerprint_bits;
  uint16_t image;  // corinth_image_number of the image that has made the root
  uint32_t path_tracking_threshold_of_root;  // the target of path_tracking_threshold, in a root
  struct corinth_cells *cells;     // those of a request scope, NULL for others; behind this in memory
} corinth_registry;

// The number of this image of Corinth in the process: 0 but for one that is loaded beside another. Constant from its load on.
extern uint16_t corinth_image_number;

// The file of the program or library that an address belongs to; NULL if it belongs to none. It lives as long as that is loaded.
const char *corinth_image_path(const void *address);

// Ends the program with a sentence that names the image of the registry's root and this one.
_Noreturn void corinth_image_refuse(const corinth_registry *registry);

// Ends the program if another image of Corinth has made the registry: its sections are not seen from here, nor the
// other way round. Any thread.
static inline void corinth_registry_check_image(const corinth_registry *registry) {
  if (!CORINTH_LIKELY(registry->image == corinth_image_number)) corinth_image_refuse(registry);
}

// `fingerprint_bits`: the bits of the hash that the hash table uses, 1 to 64. Below 64 the cache stays
// at its smallest size, so that tests reach the collision chains.
// Makes a root. Never NULL: traps when out of memory. The caller owns it.
corinth_registry *corinth_registry_create(
    corinth_names_equal names_equal, unsigned int fingerprint_bits);

// Makes a child, which `parent` outlives. It shares the parent's threshold, and all that the parent was made with. Its cache
// may show its parent's slots: invariant 6 of registry.c. Takes no lock.
corinth_registry *corinth_registry_create_child(const corinth_registry *parent);

// The same for a request scope, with cells.
corinth_registry *corinth_registry_create_scope(const corinth_registry *parent);

// Begins one of a request scope anew that nobody else uses any more, whose writer mutex was never taken, and whose cells are
// empty; its first user is the calling thread.
void corinth_registry_use_again(corinth_registry *registry, const corinth_registry *parent);

// From now on the cache of a child that has no keys of its own shows none of its parent's. Any
// thread; lookups that have begun may still find them.
void corinth_registry_stop_sharing(corinth_registry *registry);

// No other call on this registry may be running or follow, and none on its children but their own
// destruction.
void corinth_registry_destroy(corinth_registry *registry, corinth_slot_destroy destroy);

// The writer mutex: one writer per registry. Not recursive, and a thread takes one at a time, or several by
// corinth_registries_lock; user code never runs under it. The first call traps when out of memory.
void corinth_registry_lock(corinth_registry *registry);
void corinth_registry_unlock(corinth_registry *registry);

// The writer mutexes of several registries. The thread holds no other one, and takes no more.
void corinth_registries_lock(corinth_registry *const *registries, size_t count);
void corinth_registries_unlock(corinth_registry *const *registries, size_t count);

// The slot of `key`, or NULL. Any thread. Wait-free, save for a retry when a growth of the hash
// table overtakes it.
corinth_slot *corinth_registry_find_spmc(
    const corinth_registry *registry, const corinth_key *key, uint64_t hash);

// The slot of `key`, made if there is none; `*inserted` tells. Takes the writer mutex, and leaves it to the caller, but
// compares names without it: that may run user code. Never NULL: traps when out of memory.
corinth_slot *corinth_registry_insert_and_lock(
    corinth_registry *registry, const corinth_key *key, uint64_t hash, bool *inserted);

// The slot inserted last, NULL when there is none; follow `next` for the others. Any thread.
corinth_slot *corinth_registry_slots(const corinth_registry *registry);

// Whether it may have slots. If it has any, the caller that follows on their insertion sees that.
static inline bool corinth_registry_may_have_slots(const corinth_registry *registry) {
  return __atomic_load_n(&registry->internals, __ATOMIC_ACQUIRE) != NULL;
}

// The number of slots. Any thread; exact with the writer mutex held. Slots counted are found.
size_t corinth_registry_count(const corinth_registry *registry);

// Whether `slot` is the one of the key with this type and a name or arguments, the name compared by
// bits alone: true is final, false means that corinth_registry_find_spmc must decide.
static inline bool corinth_slot_matches_key(
    const corinth_slot *slot, uintptr_t type, uint64_t name_hash, uint64_t name_bits0,
    uint64_t name_bits1, uintptr_t arguments) {
  bool has_arguments = arguments != 0;
  return slot->key.product == corinth_product(type, true, has_arguments)
      && slot->key.name_hash == name_hash && slot->key.name_bits[0] == name_bits0
      && slot->key.name_bits[1] == name_bits1
      && (!has_arguments || slot->key.arguments == arguments);
}

// The depth up to which transient resolves nest before their path is recorded to find cycles. Small enough for a
// thread with a stack of 512 KiB in a debug build, beyond what most graphs reach.
enum : uint32_t { CORINTH_PATH_TRACKING_THRESHOLD = 64 };

// That depth for the registry's tree: CORINTH_PATH_TRACKING_THRESHOLD, or 0 for good after
// corinth_registry_track_all_paths. Any thread; a change is seen eventually.
static inline uint32_t corinth_registry_path_tracking_threshold(const corinth_registry *registry) {
  return __atomic_load_n(registry->path_tracking_threshold, __ATOMIC_RELAXED);
}

// Records the paths of all transient resolves in the registry's tree from now on. Any
// thread; idempotent.
void corinth_registry_track_all_paths(corinth_registry *registry);

// The slot of the key with this type, neither name nor arguments, if the cache has it; NULL means that
// corinth_registry_find_spmc must decide. Any thread; wait-free. Pairs with the release stores of
// cache growth and insertion.
static inline const corinth_slot *corinth_cache_find_plain(
    const corinth_registry *registry, uintptr_t type) {
  const corinth_cache *cache = __atomic_load_n(&registry->cache, __ATOMIC_ACQUIRE);
  uint64_t hash = corinth_hash(type, 0, 0);
  size_t entry = hash >> cache->shift;
  uintptr_t product = corinth_product(type, false, false);
  const corinth_slot *slot = __atomic_load_n(&cache->entries[entry], __ATOMIC_ACQUIRE);
  if (CORINTH_LIKELY(slot->key.product == product)) return slot;
  if (slot == &corinth_no_slot) return NULL;
  entry = corinth_cache_other_entry(cache, hash, entry);
  slot = __atomic_load_n(&cache->entries[entry], __ATOMIC_ACQUIRE);
  return slot->key.product == product ? slot : NULL;
}

// The same for a key with a name or arguments.
static inline const corinth_slot *corinth_cache_find(
    const corinth_registry *registry, uint64_t hash, uintptr_t type, uint64_t name_hash,
    uint64_t name_bits0, uint64_t name_bits1, uintptr_t arguments) {
  const corinth_cache *cache = __atomic_load_n(&registry->cache, __ATOMIC_ACQUIRE);
  size_t entry = hash >> cache->shift;
  const corinth_slot *slot = __atomic_load_n(&cache->entries[entry], __ATOMIC_ACQUIRE);
  if (CORINTH_LIKELY(corinth_slot_matches_key(
          slot, type, name_hash, name_bits0, name_bits1, arguments))) {
    return slot;
  }
  if (slot == &corinth_no_slot) return NULL;
  entry = corinth_cache_other_entry(cache, hash, entry);
  slot = __atomic_load_n(&cache->entries[entry], __ATOMIC_ACQUIRE);
  return corinth_slot_matches_key(slot, type, name_hash, name_bits0, name_bits1, arguments)
      ? slot : NULL;
}

// Whether the slot has the key if their names are equal.
static inline bool corinth_slot_has_key_but_for_name(
    const corinth_slot *slot, uintptr_t product, uint64_t name_hash, uintptr_t arguments) {
  return slot->key.product == product && slot->key.name_hash == name_hash
      && slot->key.arguments == arguments;
}

// Whether the cache shows that the registry has no slot of this key, whatever its name's bits are (registry.c,
// invariant 3). False means that corinth_registry_find_spmc must decide. Any thread; wait-free. Pairs as
// corinth_cache_find does.
static inline bool corinth_cache_lacks(
    const corinth_registry *registry, uint64_t hash, uintptr_t product, uint64_t name_hash,
    uintptr_t arguments) {
  const corinth_cache *cache = __atomic_load_n(&registry->cache, __ATOMIC_ACQUIRE);
  // A child may show its parent's.
  if (cache->owner != registry) return false;
  size_t entry = hash >> cache->shift;
  const corinth_slot *slot = __atomic_load_n(&cache->entries[entry], __ATOMIC_ACQUIRE);
  if (slot == &corinth_no_slot) return true;
  // Pairs with the release store in cache_place_at: what was moved before is seen. So this comes before both entries.
  uint32_t version = __atomic_load_n(&cache->version, __ATOMIC_ACQUIRE);
  for (int i = 0; i < 2; i++) {
    slot = __atomic_load_n(&cache->entries[entry], __ATOMIC_ACQUIRE);
    if (slot == &corinth_no_slot) return true;
    if (corinth_slot_has_key_but_for_name(slot, product, name_hash, arguments)) return false;
    entry = corinth_cache_other_entry(cache, hash, entry);
  }
  // A reader that has acquired the store of a move sees the version that the move began with.
  return version % 2 == 0 && __atomic_load_n(&cache->version, __ATOMIC_RELAXED) == version;
}

#include "corinth_section.h"

#include "corinth_references.h"

#include "corinth_cells.h"

#include "corinth_clock.h"

#include "corinth_counter.h"

#include "corinth_name.h"

#include "corinth_classes.h"

#include "corinth_retirement.h"

// MARK: - Chains

typedef struct corinth_chain corinth_chain;

// Releases the reference that `holder`, whose destructor is running, has to `object`. In a chain of
// such holders, each object is released after the destructor of the one before has returned, so the
// chain may be of any length. If a holder has several chains, that is so of the first one released. No lock of the
// core may be held. `object` is not NULL.
void corinth_chain_release(const void *holder, void *object);

#include "corinth_waiting.h"

// MARK: - Fork

// Written in the child of a fork, by its only thread.
extern unsigned int corinth_fork_generation_shared;

// How many forks lie between this process and the first; read without ordering.
static inline unsigned int corinth_fork_generation(void) {
  return __atomic_load_n(&corinth_fork_generation_shared, __ATOMIC_RELAXED);
}

// Whether a thread that had the record was left behind by a fork, and does not exist in this
// process. Any thread. Meant for a record noted by its thread, before that exits.
bool corinth_thread_is_lost(const corinth_thread *thread);

// `callback` runs in the child after each fork, on the only thread there is, once the core is
// usable again. Set once, before any construction.
void corinth_fork_set_child_callback(void (*callback)(void));

// MARK: - Whether an object is shared

// Whether the caller has the only reference to `object`. What others have done with theirs comes before this.
static inline bool corinth_object_is_unique(const void *object) {
  // Bits 33 to 62 of the word that is described below count the references but one.
  uint64_t counts = __atomic_load_n((const uint64_t *)object + 1, __ATOMIC_RELAXED);
  if (counts >> 33 != 0 && !swift_isUniquelyReferenced_nonNull_native(object)) return false;
  __atomic_thread_fence(__ATOMIC_ACQUIRE);
  return true;
}

// Whether there are unowned references to `object`, or have been weak ones. Of the word with its counts (RefCount.h of the
// Swift runtime) bit 63 says that it has led to a table since the first weak reference, or that nothing is counted; bits 1
// to 31 count the unowned references, and one for all others.
static inline bool corinth_object_is_observed(const void *object) {
  uint64_t counts = __atomic_load_n((const uint64_t *)object + 1, __ATOMIC_RELAXED);
  return (counts & UINT64_C(0x80000000FFFFFFFE)) != 2;
}

// Whether the caller has the only reference to `object`, of all kinds. What others have done with theirs comes before this.
// One load: a reference comes from another, and that is counted by the same word.
static inline bool corinth_object_is_referenced_once(const void *object) {
  uint64_t counts = __atomic_load_n((const uint64_t *)object + 1, __ATOMIC_RELAXED);
  if ((counts & UINT64_C(0xFFFFFFFEFFFFFFFE)) != 2) return false;
  __atomic_thread_fence(__ATOMIC_ACQUIRE);
  return true;
}

#include "corinth_spares.h"

// MARK: - Tasks

// Of the Swift runtime (swift/Runtime/Concurrency.h): the address of the calling task's task-local value of
// `key`, or NULL. Child tasks read it at the address of their parent's, other tasks have a copy. With one pointer in
// and one out, Swift's calling convention is that of C.
CORINTH_OF_RUNTIME void *swift_task_localValueGet(const void *key);

// Of the Swift runtime (swift/Runtime/Concurrency.h): the task that the calling thread runs, or NULL. At +0. Without
// parameters, Swift's calling convention is that of C.
CORINTH_OF_RUNTIME void *swift_task_getCurrent(void);

// MARK: - Standard error

// Writes "corinth: <line>" and the end of the line. Any thread.
void corinth_standard_error_write(const char *line);

// The value of an environment variable; NULL if it is not set.
const char *corinth_environment_value(const char *name);

// MARK: - Memory

// The source of the core's memory: malloc, unless a test replaces it to see a failure.
// Not synchronized: set it while nothing else runs.
void corinth_memory_set_allocator(void *(*allocate)(size_t alignment, size_t size));

#ifdef __cplusplus
}
#endif

#if defined(CORINTH_IS_CORE) && defined(__ELF__)
#pragma GCC visibility pop
#endif
