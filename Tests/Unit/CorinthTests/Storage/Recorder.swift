// SPDX-License-Identifier: MIT

import Corinth
import Foundation
import TestSupport

/// Keeps one product, and what it was asked.
final class Recorder: CustomStorage, @unchecked Sendable {
  struct Call {
    let name: String
    let container: Container?
    let resolution: UInt64
    let argument: Any?
  }

  // SAFETY: only touched with the lock held.
  private var storedCalls: [Call] = []
  private var product: Tracked?
  private let lock = NSLock()
  private let keepsProducts: Bool
  /// Runs in `set`, before the product is kept.
  private let whenSet: (@Sendable (StorageContext) -> Void)?

  init(keepsProducts: Bool = true, whenSet: (@Sendable (StorageContext) -> Void)? = nil) {
    self.keepsProducts = keepsProducts
    self.whenSet = whenSet
  }

  var calls: [Call] { lock.withLock { storedCalls } }
  var names: [String] { calls.map(\.name) }

  private func record(_ name: String, _ context: StorageContext) {
    let call = Call(
      name: name, container: try? context.container, resolution: context.resolution,
      argument: context.argument)
    lock.withLock { storedCalls.append(call) }
  }

  func get(for context: StorageContext) -> Tracked? {
    record("get", context)
    return lock.withLock { product }
  }

  func set(_ product: Tracked, for context: StorageContext) {
    record("set", context)
    whenSet?(context)
    if keepsProducts { lock.withLock { self.product = product } }
  }

  func release() { lock.withLock { product = nil } }
}
