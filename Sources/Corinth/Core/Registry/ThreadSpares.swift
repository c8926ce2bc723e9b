// SPDX-License-Identifier: MIT

internal import CCorinth

/// A class with a thread-local free list: an allocation takes longer than the object's work.
protocol ThreadSpare: AnyObject {
  static var kind: ThreadSpares.Kind { get }
}

enum ThreadSpares {
  /// A kind for each class of spares.
  struct Kind {
    fileprivate let forC: corinth_spare_kind

    static var construction: Kind { Kind(forC: CORINTH_SPARE_CONSTRUCTION) }
    static var resolution: Kind { Kind(forC: CORINTH_SPARE_RESOLUTION) }
    static var closing: Kind { Kind(forC: CORINTH_SPARE_CLOSING) }
    static var scope: Kind { Kind(forC: CORINTH_SPARE_SCOPE) }
    static var child: Kind { Kind(forC: CORINTH_SPARE_CHILD) }
    static var owner: Kind { Kind(forC: CORINTH_SPARE_OWNER) }
  }

  // SAFETY, of all: the record is the calling thread's; a spare comes with the reference given up
  // to the list, and every kind has a single class.

  /// Whether threads keep spares. Constant. Asked before an object is prepared for its next use.
  @inline(__always)
  static var areKept: Bool { corinth_thread_keeps_spares() }

  /// A spare object with its reference; `nil` from an empty list.
  @inline(__always)
  static func take<Object: ThreadSpare>(
    _: Object.Type, as kind: Kind = Object.kind
  ) -> Unmanaged<Object>? {
    let spare = unsafe corinth_thread_take_spare(corinth_thread_current(), kind.forC)
    return unsafe spare.map { unsafe Unmanaged.fromOpaque($0) }
  }

  /// Keeps an object without other references, or lets the object go.
  @inline(__always)
  static func keep<Object: ThreadSpare>(
    _ object: Unmanaged<Object>, as kind: Kind = Object.kind
  ) {
    if unsafe !keepIfRoom(object, as: kind) { unsafe object.release() }
  }

  /// Keeps an object with the caller's reference, unless the list is full.
  @inline(__always)
  static func keepIfRoom<Object: ThreadSpare>(
    _ object: Unmanaged<Object>, as kind: Kind = Object.kind
  ) -> Bool {
    unsafe corinth_thread_keep_spare(corinth_thread_current(), kind.forC, object.toOpaque())
  }

  /// As ``keep(_:as:)``, for an object whose only reference stays the caller's. The list has a
  /// second one, counted without a locked instruction: nobody else can be counting.
  @inline(__always)
  static func keep<Object: ThreadSpare>(
    referencedOnce object: Unmanaged<Object>, as kind: Kind = Object.kind
  ) {
    unsafe _ = swift_nonatomic_retain(object.toOpaque())
    unsafe keep(object, as: kind)
  }

  /// Whether the caller has the only strong reference to an object.
  @inline(__always)
  static func isUnshared(_ object: Unmanaged<some AnyObject>) -> Bool {
    unsafe corinth_object_is_unique(object.toOpaque())
  }

  /// As ``isUnshared(_:)``, for an object that is never deallocated, after a use whose end the
  /// caller has noted before an exchange.
  static func isUnshared(afterUse object: Unmanaged<some AnyObject>) -> Bool {
    corinth_fence_after_exchange()
    return unsafe isUnshared(object)
  }

  /// A reference to an object that is never deallocated, for a caller about to look whether the use
  /// has ended. Store buffering, ruled out by the fences: the use has ended, or is not unshared.
  static func reference<Object: AnyObject>(toUsedAgain object: Unmanaged<Object>) -> Object {
    // Not `retain`, which the optimizer may move down past a load.
    unsafe _ = swift_tryRetain(object.toOpaque())
    corinth_fence_after_exchange()
    return unsafe object.takeRetainedValue()
  }

  /// Whether the caller has the only reference to an object, weak and unowned references included.
  @inline(__always)
  static func isReferencedOnce(_ object: Unmanaged<some AnyObject>) -> Bool {
    unsafe corinth_object_is_referenced_once(object.toOpaque())
  }
}
