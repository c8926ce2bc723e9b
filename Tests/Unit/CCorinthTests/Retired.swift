// SPDX-License-Identifier: MIT

import CCorinth
import TestSupport

/// An object to retire, which counts its destruction and may then do something.
final class Retired: Sendable {
  private let destroyed: AtomicCounter
  private let onDestroy: @Sendable () -> Void

  init(_ destroyed: AtomicCounter, _ onDestroy: @escaping @Sendable () -> Void = {}) {
    self.destroyed = destroyed
    self.onDestroy = onDestroy
  }

  var address: UInt { unsafe UInt(bitPattern: Unmanaged.passUnretained(self).toOpaque()) }

  static func retire(
    countedBy destroyed: AtomicCounter, lazily isLazy: Bool = false,
    _ onDestroy: @escaping @Sendable () -> Void = {}
  ) {
    Retired(destroyed, onDestroy).retire(lazily: isLazy)
  }

  /// Retires it with a reference. Its destruction counts, even if there are others.
  func retire(lazily isLazy: Bool = false) {
    let object = unsafe Unmanaged.passRetained(self)
    unsafe corinth_retire(
      object.toOpaque(),
      { pointer in
        guard let pointer = unsafe pointer else { return }
        let object = unsafe Unmanaged<Retired>.fromOpaque(pointer).takeRetainedValue()
        object.destroyed.add()
        object.onDestroy()
      }, isLazy ? CORINTH_LAZY : CORINTH_AWAITED)
  }
}
