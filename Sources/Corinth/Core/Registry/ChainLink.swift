// SPDX-License-Identifier: MIT

internal import CCorinth

/// A strong reference to the next object of a long chain, given up in the holder's deinit.
///
/// The deinit of a holder would release a plain property and run the next object's deinit within,
/// and so on: tens of thousands of ancestors would take more stack than a thread has.
@safe
struct ChainLink<Object: AnyObject & Sendable>: Sendable {
  // SAFETY: owns a reference until the holder's `release`, or another owner keeps the object alive.
  private let reference: Unmanaged<Object>?

  init(_ object: Object?) {
    self.init(unretained: object)
    retain()
  }

  /// A link that the holder does not give up: another owner keeps the object alive.
  init(unretained object: Object?) {
    unsafe self.init(unretained: object.map { unsafe Unmanaged.passUnretained($0) })
  }

  init(unretained object: Unmanaged<Object>?) {
    unsafe reference = object
  }

  /// Has the holder give the object up after all.
  func retain() { unsafe _ = reference?.retain() }

  var isNil: Bool { unsafe reference == nil }

  var object: Object? { unsafe reference?.takeUnretainedValue() }

  /// The object at +0: alive as long as the holder.
  var unretained: Unmanaged<Object>? { unsafe reference }

  /// Gives up an object that others hold for longer. Called once, in the deinit of the holder.
  func releaseBeforeOthers() { unsafe reference?.release() }

  /// Gives the object up. Called once, at the end of the deinit of `holder`.
  func release(asPartOf holder: AnyObject) {
    guard let reference = unsafe reference else { return }
    // The deinit of an object with further holders does not nest here, except in the rare case that
    // the holders let go just now.
    if unsafe !ThreadSpares.isUnshared(reference) { return unsafe reference.release() }
    let holder = unsafe Unmanaged.passUnretained(holder).toOpaque()
    unsafe corinth_chain_release(holder, reference.toOpaque())
  }
}
