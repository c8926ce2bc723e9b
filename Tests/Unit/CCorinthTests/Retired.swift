// SPDX-License-Identifier: MIT

import CCorinth
import TestSupport

/// An object to retire, which counts its destruction and may then do something.
final class Retired: Sendable {
  private let destroyed: AtomicCounter
  private let onDestroy: @Sendable () -> Void

  private init(_ destroyed: AtomicCounter, _ onDestroy: @escaping @Sendable () -> Void) {
    self.destroyed = destroyed
    self.onDestroy = onDestroy
  }

  static func retire(
    countedBy destroyed: AtomicCounter, lazily isLazy: Bool = false,
    _ onDestroy: @escaping @Sendable () -> Void = {}
  ) {
    let object = unsafe Unmanaged.passRetained(Retired(destroyed, onDestroy))
    let retire = unsafe isLazy ? corinth_retire_lazily : corinth_retire
    unsafe retire(object.toOpaque()) { pointer in
      guard let pointer = unsafe pointer else { return }
      let object = unsafe Unmanaged<Retired>.fromOpaque(pointer).takeRetainedValue()
      object.destroyed.add()
      object.onDestroy()
    }
  }
}
