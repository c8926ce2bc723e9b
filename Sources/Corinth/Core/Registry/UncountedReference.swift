// SPDX-License-Identifier: MIT

internal import CCorinth
internal import Synchronization

/// A reference that does not keep the object alive.
///
/// A `weak` variable would allocate for every object referred to, and slow down all counting of the
/// object's references.
@safe
// SAFETY: constant.
package struct UncountedReference<Object: AnyObject>: @unchecked Sendable {
  // Never read: keeps the memory behind the address, not the object.
  private unowned let memory: AnyObject
  private let address: UnsafeMutableRawPointer

  package init(_ object: Object) {
    memory = object
    unsafe address = Unmanaged.passUnretained(object).toOpaque()
  }

  /// The object, unless the object's deinit has begun.
  package var object: Object? {
    // SAFETY: until this value ends, `memory` keeps the object's memory, as `swift_tryRetain` asks.
    guard let object = unsafe swift_tryRetain(address) else { return nil }
    return unsafe Unmanaged<Object>.fromOpaque(object).takeRetainedValue()
  }
}

/// A reference that does not keep the object alive, taken back in the object's deinit.
///
/// Store buffering, ruled out by sequential consistency: a reader sets `wasAsked`, then loads the
/// address; the deinit removes the address, then loads `wasAsked`. So the reader finds no address,
/// or the deinit waits for the mutex under which the reader retains the object.
@safe
struct OwnerReference: ~Copyable, Sendable {
  private let address = Atomic<UInt>(0)
  private let wasAsked = Atomic<Bool>(false)

  /// Whether an object has weak or unowned references.
  static func isObserved(_ object: AnyObject) -> Bool {
    unsafe corinth_object_is_observed(Unmanaged.passUnretained(object).toOpaque())
  }

  /// Before the reference is shared with a second thread, or under the mutex of the wait-for graph.
  func store(_ object: AnyObject) {
    address.store(
      unsafe UInt(bitPattern: Unmanaged.passUnretained(object).toOpaque()), ordering: .relaxed)
  }

  /// The object, at +0; the caller keeps the object's memory. `nil` if removed.
  var unretained: Unmanaged<AnyObject>? {
    let found = unsafe UnsafeMutableRawPointer(
      bitPattern: address.load(ordering: .sequentiallyConsistent))
    return unsafe found.map { unsafe Unmanaged.fromOpaque($0) }
  }

  /// The object; if its deinit has begun, the result of `successor`, called with `WaitsMutex` held.
  func object(or successor: (Unmanaged<AnyObject>) -> AnyObject?) -> AnyObject? {
    wasAsked.store(true, ordering: .sequentiallyConsistent)
    return WaitsMutex.withLock {
      guard let found = unsafe unretained else { return nil }
      // SAFETY: the deinit waits for the mutex: the memory is there, and no ending object retained.
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
