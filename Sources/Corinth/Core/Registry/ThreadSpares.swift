// SPDX-License-Identifier: MIT

internal import CCorinth

/// A few objects that the calling thread keeps to use again: their allocation takes longer than what they are for.
enum ThreadSpares {
  // SAFETY, of all: the record is the calling thread's; an object comes with the reference that was given up to it, and
  // `Object` is the only class that is kept.

  /// Whether threads keep any. Constant. Asked before an object is changed for its next use.
  @inline(__always)
  static var areKept: Bool { corinth_thread_keeps_spares() }

  /// One of them, with its reference; `nil` if there is none.
  @inline(__always)
  static func take<Object: AnyObject>(_: Object.Type) -> Unmanaged<Object>? {
    let spare = unsafe corinth_thread_take_spare(corinth_thread_current())
    return unsafe spare.map { unsafe Unmanaged.fromOpaque($0) }
  }

  /// Keeps an object that only the caller refers to, or lets it go.
  @inline(__always)
  static func keep<Object: AnyObject>(_ object: Unmanaged<Object>) {
    if unsafe !corinth_thread_keep_spare(corinth_thread_current(), object.toOpaque()) {
      unsafe object.release()
    }
  }

  /// Whether the caller has the only reference to an object.
  @inline(__always)
  static func isUnshared(_ object: Unmanaged<some AnyObject>) -> Bool {
    unsafe corinth_object_is_unique(object.toOpaque())
  }
}
