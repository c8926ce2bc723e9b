// SPDX-License-Identifier: MIT

import CCorinth

/// A registry whose names are two words, of which the first alone decides equality: names of equal
/// value and different bits, as strings with different storage are.
@safe
final class TestRegistry: @unchecked Sendable {
  // SAFETY: owned by this object, freed in its deinit; thread-safe by the contracts of CCorinth.h.
  let pointer: UnsafeMutablePointer<corinth_registry>
  /// Outlives its children.
  private let parent: TestRegistry?

  init(fingerprintBits: UInt32 = 64, parent: TestRegistry? = nil) {
    self.parent = parent
    if let parent {
      unsafe pointer = corinth_registry_create_child(parent.pointer, false)
      return
    }
    unsafe pointer = corinth_registry_create(
      { left, right in
        guard let left = unsafe left, let right = unsafe right else { return false }
        return unsafe left.pointee.name_bits.0 == right.pointee.name_bits.0
      }, fingerprintBits, false)
  }

  deinit {
    unsafe corinth_registry_destroy(pointer) { _ in }
  }

  var count: Int { unsafe corinth_registry_count(pointer) }

  /// Whether it has a hash table, a mutex and a cache of its own.
  var hasInternals: Bool { unsafe pointer.pointee.internals != nil }

  /// Whether both look up slots in one array. Not synchronized.
  func hasSameCache(as other: TestRegistry) -> Bool {
    unsafe pointer.pointee.cache == other.pointer.pointee.cache
  }

  var unrecordedDepth: UInt32 { unsafe corinth_registry_path_tracking_threshold(pointer) }

  func recordAllDepths() {
    unsafe corinth_registry_track_all_paths(pointer)
  }

  func withWriterMutex(_ body: () -> Void) {
    unsafe corinth_registry_lock(pointer)
    body()
    unsafe corinth_registry_unlock(pointer)
  }

  func insert(_ key: corinth_key) -> (slot: Slot, inserted: Bool) {
    var inserted = false
    let slot = unsafe insertSlot(pointer, key, &inserted)
    return (unsafe Slot(slot.unsafelyUnwrapped), inserted)
  }

  func find(_ key: corinth_key) -> Slot? {
    var key = key
    let slot = unsafe corinth_registry_find_spmc(pointer, &key, key.hash)
    return unsafe slot.map { unsafe Slot($0) }
  }

  /// What a hit finds, without the hash table.
  ///
  /// - Parameter hash: that of another key, to look where the other key is.
  func findInCache(_ key: corinth_key, hash: UInt64? = nil) -> Slot? {
    let type = corinth_product_type(key.product)
    let slot =
      if key.product == corinth_product(type, false, false) {
        unsafe corinth_cache_find_plain(pointer, type)
      } else {
        unsafe corinth_cache_find(
          pointer, hash ?? key.hash, key.product, key.name_hash, key.name_bits.0, key.name_bits.1,
          key.arguments)
      }
    return unsafe slot.map { unsafe Slot(UnsafeMutablePointer(mutating: $0)) }
  }

  /// All slots, the one inserted last first.
  var slots: [Slot] {
    var slots: [Slot] = []
    var next = unsafe corinth_registry_slots(pointer)
    while let slot = unsafe next {
      unsafe slots.append(Slot(slot))
      unsafe next = slot.pointee.next
    }
    return slots
  }
}

/// The slot of a key, made if there is none.
func insertSlot(
  _ registry: UnsafeMutablePointer<corinth_registry>?, _ key: corinth_key, _ inserted: inout Bool
) -> UnsafeMutablePointer<corinth_slot>? {
  var key = key
  let slot = unsafe corinth_registry_insert_and_lock(registry, &key, key.hash, &inserted)
  unsafe corinth_registry_unlock(registry)
  return unsafe slot
}

/// A slot that its registry keeps alive.
@safe
struct Slot: Hashable {
  // SAFETY: tests keep the registry for as long as they use the slot.
  let pointer: UnsafeMutablePointer<corinth_slot>

  init(_ pointer: UnsafeMutablePointer<corinth_slot>) {
    unsafe self.pointer = pointer
  }

  var address: UInt { unsafe UInt(bitPattern: pointer) }
  var key: corinth_key { unsafe pointer.pointee.key }
  var word: UInt { unsafe corinth_slot_load(pointer) }

  static func == (left: Slot, right: Slot) -> Bool {
    left.address == right.address
  }

  func hash(into hasher: inout Hasher) {
    hasher.combine(address)
  }
}

extension corinth_key {
  static let type: UInt = 0x1000
  /// Neither name nor arguments.
  static let plain = corinth_key(type: type)

  /// - Parameters:
  ///   - type: as the address of a type is: aligned.
  ///   - name: the value of the name; its bits differ with `storage`.
  init(
    type: UInt = Self.type, arguments: UInt = 0, nameHash: UInt64 = 0, name: UInt64 = 0,
    storage: UInt64 = 0
  ) {
    self.init(
      product: corinth_product(type, nameHash != 0 || arguments != 0, arguments != 0),
      arguments: arguments, name_hash: nameHash, name_bits: (name, storage))
  }

  /// A key of the default type with a name such that the key's hash is `hash`.
  init(hash: UInt64) {
    // Newton's iteration for the inverse of the multiplier modulo 2^64; each step doubles the bits.
    let multiplier = corinth_hash(1, 0, 0)
    var inverse = multiplier
    for _ in 0..<5 { inverse = inverse &* (2 &- multiplier &* inverse) }
    // The inverse of x ^ x >> 5; each step makes five bits more right.
    let mixed = hash &* inverse
    var unmixed = mixed
    for _ in 0..<13 { unmixed = mixed ^ unmixed >> 5 }
    let nameHash = UInt64(Self.type) ^ unmixed
    self.init(nameHash: nameHash, name: nameHash)
  }

  var hash: UInt64 { corinth_hash(corinth_product_type(product), name_hash, arguments) }
}
