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

// ThreadSanitizer does not see the ordering inside ck_ functions; the two macros name the ordering.
// A pair shares an address: a release before the publishing ck_ call, an acquire after the
// observing ck_ call.
#ifdef CORINTH_TSAN
void __tsan_acquire(void *address);
void __tsan_release(void *address);
#define CORINTH_TSAN_ACQUIRE(address) __tsan_acquire((void *)(address))
#define CORINTH_TSAN_RELEASE(address) __tsan_release((void *)(address))
#else
#define CORINTH_TSAN_ACQUIRE(address) ((void)(address))
#define CORINTH_TSAN_RELEASE(address) ((void)(address))
#endif

// The two macros as functions, for Swift.
static inline void corinth_tsan_acquire(const void *address) { CORINTH_TSAN_ACQUIRE(address); }
static inline void corinth_tsan_release(const void *address) { CORINTH_TSAN_RELEASE(address); }

#define CORINTH_LIKELY(condition) __builtin_expect(!!(condition), 1)

// Thread-local storage. initial-exec: one load at a fixed offset from the thread pointer, no call.
#if defined(__linux__)
#define CORINTH_THREAD_LOCAL _Thread_local __attribute__((tls_model("initial-exec")))
#else
#define CORINTH_THREAD_LOCAL _Thread_local
#endif

// The core's own files bind to symbols of their own image. Otherwise the dynamic linker could let
// two images of Corinth in a process share the core, but not the Swift code above: image.c.
#if defined(CORINTH_IS_CORE) && defined(__ELF__)
#pragma GCC visibility push(protected)
#endif

// Declares a function of the Swift runtime, and so of another image.
#define CORINTH_OF_RUNTIME __attribute__((visibility("default"))) extern

#ifdef __cplusplus
extern "C" {
#endif

// MARK: - Keys and slots

// The product's type in a key: the type's pointer-aligned address, with the lowest bit set if the
// key has a name or arguments, and the next bit if the key has arguments. So one comparison decides
// for keys with neither, and keys without arguments skip the comparison of arguments.
static inline uintptr_t corinth_product(
    uintptr_t type, bool has_name_or_arguments, bool has_arguments) {
  return type | (has_name_or_arguments ? 1 : 0) | (has_arguments ? 2 : 0);
}

static inline uintptr_t corinth_product_type(uintptr_t product) { return product & ~(uintptr_t)3; }

// The key of a slot. Two keys are equal when product, arguments and name_hash are equal and the
// names are: by their bits, or else by the registry's corinth_names_equal.
typedef struct corinth_key {
  uintptr_t product;      // corinth_product of the product's type, never 0
  uintptr_t arguments;    // identity of the argument types, 0 when there are none
  uint64_t name_hash;     // 0 when there is no name, and only then
  uint64_t name_bits[2];  // the name's value; equal bits mean equal names, not the reverse
} corinth_key;

// One slot per key and registry. The slot's key never changes, and the slot is freed with the
// registry only, so a pointer to a slot needs no protection; the object behind the word needs a
// section. One cache line, aligned by the slab (not by the type, which Swift could not import): a
// hit reads key and word from one line, an override dirties no other slot's line.
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
  CORINTH_WORD_INPUT = 8,      // a transient registration of the values given to request scopes
  CORINTH_WORD_TAG_MASK = 15,
};

// Readers: any thread, inside a section for as long as the pointer in the word is used.
// Pairs with the release half of corinth_slot_exchange and corinth_slot_compare_exchange.
static inline uintptr_t corinth_slot_load(const corinth_slot *slot) {
  return __atomic_load_n(&slot->word, __ATOMIC_ACQUIRE);
}

// Publishes `word` (pairs with the acquire in corinth_slot_load) and returns the replaced word,
// which the caller then retires. Sequentially consistent: the unlink that corinth_retire relies on.
static inline uintptr_t corinth_slot_exchange(corinth_slot *slot, uintptr_t word) {
  return __atomic_exchange_n(&slot->word, word, __ATOMIC_SEQ_CST);
}

// Publishes `word` if the slot still holds `expected`; else false. Pairs with corinth_slot_load.
static inline bool corinth_slot_compare_exchange(
    corinth_slot *slot, uintptr_t expected, uintptr_t word) {
  return __atomic_compare_exchange_n(
      &slot->word, &expected, word, false, __ATOMIC_SEQ_CST, __ATOMIC_ACQUIRE);
}

// Fibonacci hashing: the multiplier is 2^64 divided by the golden ratio. The upper bits are well
// mixed, and the cache indexes with the upper bits. Metadata of types of one shape lie at one
// distance, and some distances are bad for the multiplication alone: the shift breaks their
// progression. Names are hashed by the caller; arguments are rotated so that (A, arguments B) and
// (B, arguments A) differ.
static inline uint64_t corinth_hash(uintptr_t type, uint64_t name_hash, uintptr_t arguments) {
  uint64_t rotated = ((uint64_t)arguments << 23) | ((uint64_t)arguments >> 41);
  uint64_t mixed = (uint64_t)type ^ name_hash ^ rotated;
  mixed ^= mixed >> 5;
  return mixed * UINT64_C(0x9E3779B97F4A7C15);
}

// MARK: - Swift objects

// Swift runtime (swift/Runtime/HeapObject.h): retains `object`, or returns NULL when the deinit has
// begun. An unowned reference must keep the object's memory.
CORINTH_OF_RUNTIME void *swift_tryRetain(void *object);

// Swift runtime (same header): takes references, gives references up, and tells whether an object
// whose deinit has not begun has a single reference.
CORINTH_OF_RUNTIME void *swift_retain(void *object);
CORINTH_OF_RUNTIME void *swift_nonatomic_retain(void *object);
CORINTH_OF_RUNTIME void *swift_retain_n(void *object, uint32_t count);
CORINTH_OF_RUNTIME void swift_release(void *object);
CORINTH_OF_RUNTIME void swift_release_n(void *object, uint32_t count);
CORINTH_OF_RUNTIME bool swift_isUniquelyReferenced_nonNull_native(const void *object);

// MARK: - Registry

// Equals no key: a product is never 0.
extern const corinth_slot corinth_no_slot;

// A power-of-two array of slots, probed before the registry's hash table. A slot is at one of its
// two entries. Only writers fill the array and move slots; readers never write a line shared with
// other readers. No entry is empty: an unused entry holds corinth_no_slot.
typedef struct corinth_cache {
  struct corinth_cache *previous;  // smaller, parked: readers may still hold it
  const struct corinth_registry *owner;  // the registry of the slots; NULL for the empty cache
  unsigned int shift;              // 64 - log2(number of entries)
  // A new number after slots were moved; odd meanwhile, and for good once a slot was left out.
  uint32_t version;                // accessed atomically
  _Alignas(64) const corinth_slot *entries[];  // accessed atomically
} corinth_cache;

// Never written to: a writer makes a cache of the registry's own.
extern const corinth_cache corinth_empty_cache;

// The other entry of a slot with this hash, given either entry. The upper bits of the hash give the
// first entry, the upper bits of the lower half give the distance, which is never 0.
static inline size_t corinth_cache_other_entry(
    const corinth_cache *cache, uint64_t hash, size_t entry) {
  return entry ^ ((hash << 32 >> cache->shift) | 1);
}

// Whether the names of two keys are equal; called when the hashes are equal and the bits are not.
// Any thread.
typedef bool (*corinth_names_equal)(const corinth_key *left, const corinth_key *right);

// Called once for every slot when the registry ends or is destroyed, newest first.
typedef void (*corinth_slot_destroy)(corinth_slot *slot);

#include "corinth_ending.h"

// A registry and all its descendants form a tree. A registry is cheap until the writer mutex is
// first taken, which an insertion does too: only then the registry gets a cache and a mutex, and a
// hash table when the cache does not suffice.
typedef struct corinth_registry {
  // First: a hit reads at offset 0. Aligned so that cache and ending can be exchanged together.
  _Alignas(2 * sizeof(void *)) corinth_cache *cache;  // accessed atomically
  uintptr_t ending;      // how far the container's end has come; accessed atomically
  uint32_t *path_tracking_threshold;  // the root's, for the whole tree; accessed atomically
  struct corinth_registry_internals *internals;  // NULL at first; accessed atomically
  corinth_names_equal names_equal;
  uint16_t fingerprint_bits;
  uint16_t image;  // corinth_image_number of the image that has made the root
  uint32_t path_tracking_threshold_of_root;  // the target of path_tracking_threshold, in a root
  struct corinth_cells *cells;     // of a request scope, else NULL; behind the registry in memory
} corinth_registry;

_Static_assert(
    _Alignof(corinth_registry) == 16 && offsetof(corinth_registry, ending) == 8,
    "cache and ending are exchanged together");

static inline uintptr_t *corinth_registry_ending(corinth_registry *registry) {
  return &registry->ending;
}

// The number of this image of Corinth: 0, unless loaded after another image. Constant once loaded.
extern uint16_t corinth_image_number;

// The file of the program or library at an address, valid while loaded; NULL if there is none.
const char *corinth_image_path(const void *address);

// Ends the program with a message naming the images: the registry root's image, and this image.
_Noreturn void corinth_image_refuse(const corinth_registry *registry);

// Ends the program if another image of Corinth has made the registry: the reclaimer of an image
// does not see the sections of a different image. Any thread.
static inline void corinth_registry_check_image(const corinth_registry *registry) {
  if (!CORINTH_LIKELY(registry->image == corinth_image_number)) corinth_image_refuse(registry);
}

// `fingerprint_bits`: the bits of the hash used by the hash table, 1 to 64. Below 64 the cache
// stays at its smallest size, so that tests reach the collision chains. Makes a root, owned by the
// caller, with cells for the fork of a request scope. Never NULL: traps when out of memory.
corinth_registry *corinth_registry_create(
    corinth_names_equal names_equal, unsigned int fingerprint_bits, bool has_cells);

// Makes a child of `parent`, which must outlive the child; a request scope has cells. Shares the
// parent's threshold and settings; the cache may show the parent's slots (invariant 6 of
// registry.c). Takes no lock.
corinth_registry *corinth_registry_create_child(const corinth_registry *parent, bool has_cells);

// Begins a child anew after corinth_registry_end. The cells of a request scope are empty, and get
// the calling thread as first user.
void corinth_registry_use_again(corinth_registry *registry, const corinth_registry *parent);

// After an exchange of `ending`: the cache of a child without keys of its own shows none of the
// parent's slots from now on. Any thread; a lookup that has begun may still find such slots.
void corinth_registry_stop_sharing(corinth_registry *registry);

// As corinth_registry_stop_sharing, and moves `ending` from CORINTH_ENDING_OPEN to a further value
// by the same exchange. False if a writer has come, or if `ending` is not open. A writer that comes
// later finds the value.
static inline bool corinth_registry_close_alone(corinth_registry *registry, uintptr_t ending) {
#if defined(CORINTH_TSAN)
  uintptr_t found = corinth_word_compare_exchange(&registry->ending, CORINTH_ENDING_OPEN, ending);
  if (found != CORINTH_ENDING_OPEN) return false;
  corinth_registry_stop_sharing(registry);
#else
  corinth_registry_check_image(registry);
  corinth_cache *shared = __atomic_load_n(&registry->cache, __ATOMIC_ACQUIRE);
  if (shared->owner == registry
      || !corinth_words_compare_exchange(
          &registry->cache, (uintptr_t[]){(uintptr_t)shared, CORINTH_ENDING_OPEN},
          (uintptr_t[]){(uintptr_t)&corinth_empty_cache, ending})) {
    return false;
  }
#endif
  corinth_fence_after_exchange();
  return true;
}

// Ends the slots, the cache and the writer mutex. Nobody else uses the registry any more.
void corinth_registry_end(corinth_registry *registry, corinth_slot_destroy destroy);

// No other call on the registry may be running or follow, and no call on a child except the
// destruction of the child.
void corinth_registry_destroy(corinth_registry *registry, corinth_slot_destroy destroy);

// The writer mutex: one writer per registry. Not recursive. A thread takes a second one only by
// corinth_registries_lock. No user code runs under it. The first call traps when out of memory.
void corinth_registry_lock(corinth_registry *registry);
void corinth_registry_unlock(corinth_registry *registry);

// The writer mutexes of several registries, for a thread that holds none, and takes no more.
void corinth_registries_lock(corinth_registry *const *registries, size_t count);
void corinth_registries_unlock(corinth_registry *const *registries, size_t count);

// The slot of `key`, or NULL. Any thread. Wait-free, save for a retry when a growth of the hash
// table overtakes the lookup.
corinth_slot *corinth_registry_find_spmc(
    const corinth_registry *registry, const corinth_key *key, uint64_t hash);

// The slot of `key`, made if missing; `*inserted` tells. Returns with the writer mutex held, but
// compares names without the mutex, as user code may run. Never NULL: traps when out of memory.
corinth_slot *corinth_registry_insert_and_lock(
    corinth_registry *registry, const corinth_key *key, uint64_t hash, bool *inserted);

// The slot inserted last, or NULL; `next` leads to the older slots. Any thread.
corinth_slot *corinth_registry_slots(const corinth_registry *registry);

// Whether the registry may have slots. A caller ordered after an insertion gets true. The acquire
// pairs with the release in internals_make_and_lock.
static inline bool corinth_registry_may_have_slots(const corinth_registry *registry) {
  return __atomic_load_n(&registry->internals, __ATOMIC_ACQUIRE) != NULL;
}

// The number of slots. Any thread; exact with the writer mutex held. Slots counted are found.
size_t corinth_registry_count(const corinth_registry *registry);

// Whether `slot` has the key with this product and a name or arguments. Names are compared by hash
// and bits: an integer has the bits of its digits, and only the hash tells an integer from a text.
// True is final, false means that corinth_registry_find_spmc must decide. The product says whether
// there are arguments.
static inline bool corinth_slot_matches_key(
    const corinth_slot *slot, uintptr_t product, uint64_t name_hash, uint64_t name_bits0,
    uint64_t name_bits1, uintptr_t arguments) {
  return slot->key.product == product && slot->key.name_hash == name_hash
      && slot->key.name_bits[0] == name_bits0 && slot->key.name_bits[1] == name_bits1
      && (arguments == 0 || slot->key.arguments == arguments);
}

// The depth to which transient resolves nest before their path is recorded to find cycles. Small
// enough for a 512 KiB stack in a debug build, and beyond the depth of most graphs.
enum : uint32_t { CORINTH_PATH_TRACKING_THRESHOLD = 64 };

// The tracking threshold of the registry's tree: CORINTH_PATH_TRACKING_THRESHOLD, or 0 for good
// after corinth_registry_track_all_paths. Any thread; a change is seen eventually.
static inline uint32_t corinth_registry_path_tracking_threshold(const corinth_registry *registry) {
  return __atomic_load_n(registry->path_tracking_threshold, __ATOMIC_RELAXED);
}

// Records the paths of all transient resolves in the registry's tree from now on. Any
// thread; idempotent.
void corinth_registry_track_all_paths(corinth_registry *registry);

// The slot of the key with this type, without name and arguments, if the cache has the slot; NULL
// means that corinth_registry_find_spmc must decide. Any thread; wait-free. Pairs with the release
// stores of cache growth and insertion.
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

// As corinth_cache_find_plain, its pairs included, for a key with a name or arguments.
static inline const corinth_slot *corinth_cache_find(
    const corinth_registry *registry, uint64_t hash, uintptr_t product, uint64_t name_hash,
    uint64_t name_bits0, uint64_t name_bits1, uintptr_t arguments) {
  const corinth_cache *cache = __atomic_load_n(&registry->cache, __ATOMIC_ACQUIRE);
  size_t entry = hash >> cache->shift;
  const corinth_slot *slot = __atomic_load_n(&cache->entries[entry], __ATOMIC_ACQUIRE);
  if (CORINTH_LIKELY(corinth_slot_matches_key(
          slot, product, name_hash, name_bits0, name_bits1, arguments))) {
    return slot;
  }
  if (slot == &corinth_no_slot) return NULL;
  entry = corinth_cache_other_entry(cache, hash, entry);
  slot = __atomic_load_n(&cache->entries[entry], __ATOMIC_ACQUIRE);
  return corinth_slot_matches_key(slot, product, name_hash, name_bits0, name_bits1, arguments)
      ? slot : NULL;
}

// Whether the slot has the key, provided that the names are equal.
static inline bool corinth_slot_has_key_but_for_name(
    const corinth_slot *slot, uintptr_t product, uint64_t name_hash, uintptr_t arguments) {
  return slot->key.product == product && slot->key.name_hash == name_hash
      && slot->key.arguments == arguments;
}

// Whether the cache shows that the registry has no slot of the key, for any bits of the name
// (registry.c, invariant 3). False means that corinth_registry_find_spmc must decide. Any thread;
// wait-free. Pairs with the stores that corinth_cache_find pairs with.
static inline bool corinth_cache_lacks(
    const corinth_registry *registry, uint64_t hash, uintptr_t product, uint64_t name_hash,
    uintptr_t arguments) {
  const corinth_cache *cache = __atomic_load_n(&registry->cache, __ATOMIC_ACQUIRE);
  // A child without internals may show the parent's cache.
  if (cache->owner != registry) return false;
  size_t entry = hash >> cache->shift;
  const corinth_slot *slot = __atomic_load_n(&cache->entries[entry], __ATOMIC_ACQUIRE);
  if (slot == &corinth_no_slot) return true;
  // Loaded before both entries. Pairs with the release store in cache_place_at: moves made before
  // that store are seen.
  uint32_t version = __atomic_load_n(&cache->version, __ATOMIC_ACQUIRE);
  for (int i = 0; i < 2; i++) {
    slot = __atomic_load_n(&cache->entries[entry], __ATOMIC_ACQUIRE);
    if (slot == &corinth_no_slot) return true;
    if (corinth_slot_has_key_but_for_name(slot, product, name_hash, arguments)) return false;
    entry = corinth_cache_other_entry(cache, hash, entry);
  }
  // A reader that has acquired a store of a move sees the odd version stored before the move.
  return version % 2 == 0 && __atomic_load_n(&cache->version, __ATOMIC_RELAXED) == version;
}

#include "corinth_section.h"

#include "corinth_notes.h"

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
// holders, an object is released after the destructor of the previous object has returned, so the
// chain may be of any length. If a holder has several chains, only the chain released first is
// handled in this way. No lock of the core may be held. `object` is not NULL.
void corinth_chain_release(const void *holder, void *object);

#include "corinth_waiting.h"

// MARK: - Fork

// Written in the child of a fork, by the child's only thread.
extern unsigned int corinth_fork_generation_shared;

// How many forks lie between this process and the first process; read without ordering.
static inline unsigned int corinth_fork_generation(void) {
  return __atomic_load_n(&corinth_fork_generation_shared, __ATOMIC_RELAXED);
}

// Whether the thread of the record was left behind by a fork, and does not exist in this process.
// Any thread. Meant for a record that the thread itself noted before exiting.
bool corinth_thread_is_lost(const corinth_thread *thread);

// `callback` runs in the child after every fork, on the only thread, once the core is usable again.
// Set once, before any construction.
void corinth_fork_set_child_callback(void (*callback)(void));

// MARK: - Whether an object is shared

// Whether the caller has the only reference to `object`. The fence pairs with the releases of all
// other references: what their owners did with the object comes before the caller's next step.
static inline bool corinth_object_is_unique(const void *object) {
  // Bits 33 to 62 of the reference count word, described below, count the references but one.
  uint64_t counts = __atomic_load_n((const uint64_t *)object + 1, __ATOMIC_RELAXED);
  if (counts >> 33 != 0 && !swift_isUniquelyReferenced_nonNull_native(object)) return false;
  __atomic_thread_fence(__ATOMIC_ACQUIRE);
  return true;
}

// Whether `object` has unowned references, or has had weak references. In the word of the counts
// (RefCount.h of the Swift runtime), bit 63 marks a side table, made for the first weak reference,
// or an uncounted object; bits 1 to 31 count the unowned references, and one for all others.
static inline bool corinth_object_is_observed(const void *object) {
  uint64_t counts = __atomic_load_n((const uint64_t *)object + 1, __ATOMIC_RELAXED);
  return (counts & UINT64_C(0x80000000FFFFFFFE)) != 2;
}

// Whether the caller has the only reference of any kind to `object`; the fence pairs with releases
// by former owners. One load: a new reference comes from an old one, counted by the same word.
static inline bool corinth_object_is_referenced_once(const void *object) {
  uint64_t counts = __atomic_load_n((const uint64_t *)object + 1, __ATOMIC_RELAXED);
  if ((counts & UINT64_C(0xFFFFFFFEFFFFFFFE)) != 2) return false;
  __atomic_thread_fence(__ATOMIC_ACQUIRE);
  return true;
}

#include "corinth_spares.h"

// MARK: - Tasks

// Swift runtime (swift/Runtime/Concurrency.h): the address of the calling task's task-local value
// of `key`, or NULL. A child task reads the value at the parent's address, other tasks have a copy.
// With one pointer in and one pointer out, Swift's calling convention is the C convention.
CORINTH_OF_RUNTIME void *swift_task_localValueGet(const void *key);

// Swift runtime (swift/Runtime/Concurrency.h): the task of the calling thread, or NULL. At +0.
// Without parameters, Swift's calling convention is the C convention.
CORINTH_OF_RUNTIME void *swift_task_getCurrent(void);

// MARK: - Standard error

// Writes "corinth: <line>" and the end of the line. Any thread.
void corinth_standard_error_write(const char *line);

// The value of an environment variable; NULL if unset.
const char *corinth_environment_value(const char *name);

// MARK: - Memory

// The source of the core's memory: malloc, unless a test replaces malloc to simulate a failure. Not
// synchronized: set the source while nothing else runs.
void corinth_memory_set_allocator(void *(*allocate)(size_t alignment, size_t size));

#ifdef __cplusplus
}
#endif

#if defined(CORINTH_IS_CORE) && defined(__ELF__)
#pragma GCC visibility pop
#endif
