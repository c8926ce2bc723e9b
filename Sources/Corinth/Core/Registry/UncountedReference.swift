// SPDX-License-Identifier: MIT

internal import CCorinth
internal import Synchronization

/// A reference that does not keep its object alive.
///
/// A `weak` variable would be an allocation for each object referred to, and slow down all counting of its
/// references.
@safe
// SAFETY: constant.
package struct UncountedReference: @unchecked Sendable {
  // Never read: it keeps the memory behind the address, not the object.
  private unowned let memory: AnyObject
  private let address: UnsafeMutableRawPointer

  package init(_ object: AnyObject) {
    memory = object
    unsafe address = Unmanaged.passUnretained(object).toOpaque()
  }

  /// The object, unless its deinit has begun.
  package var object: AnyObject? {
    // SAFETY: `memory` keeps the object's memory until this value ends, which is all that `swift_tryRetain` asks.
    guard let object = unsafe swift_tryRetain(address) else { return nil }
    return unsafe Unmanaged<AnyObject>.fromOpaque(object).takeRetainedValue()
  }
}

/// A reference that does not keep its object alive, and that the object takes back in its deinit.
///
/// Of the two steps of a reader, and the two of the deinit, each thread's first comes before its second for both: a reader
/// says that it asks, then loads the address; the deinit removes the address, then loads whether somebody has asked. The
/// reader finds nothing, or the deinit waits for the mutex under which it retains the object.
@safe
struct OwnerReference: ~Copyable, Sendable {
  private let address = Atomic<UInt>(0)
  private let wasAsked = Atomic<Bool>(false)

  /// Whether weak or unowned references to an object are there.
  static func isObserved(_ object: AnyObject) -> Bool {
    unsafe corinth_object_is_observed(Unmanaged.passUnretained(object).toOpaque())
  }

  /// Before this is shared with another thread, or with the mutex of the wait-for graph held.
  func store(_ object: AnyObject) {
    address.store(
      unsafe UInt(bitPattern: Unmanaged.passUnretained(object).toOpaque()), ordering: .relaxed)
  }

  /// The object, at +0, for the caller to keep its memory; `nil` if it has been removed.
  var unretained: Unmanaged<AnyObject>? {
    let found = unsafe UnsafeMutableRawPointer(
      bitPattern: address.load(ordering: .sequentiallyConsistent))
    return unsafe found.map { unsafe Unmanaged.fromOpaque($0) }
  }

  /// The object. If its deinit has begun, what `successor` returns for it with the mutex of the wait-for graph held.
  func object(or successor: (Unmanaged<AnyObject>) -> AnyObject?) -> AnyObject? {
    wasAsked.store(true, ordering: .sequentiallyConsistent)
    return WaitsMutex.withLock {
      guard let found = unsafe unretained else { return nil }
      // SAFETY: the deinit waits for the mutex, so the object's memory is there; the runtime retains nothing that is ending.
      guard let object = unsafe swift_tryRetain(found.toOpaque()) else {
        return unsafe successor(found)
      }
      return unsafe Unmanaged<AnyObject>.fromOpaque(object).takeRetainedValue()
    }
  }

  /// In the deinit of the object.
  func remove() {
    address.store(0, ordering: .sequentiallyConsistent)
    if wasAsked.load(ordering: .sequentiallyConsistent) { WaitsMutex.withLock {} }
  }
}
