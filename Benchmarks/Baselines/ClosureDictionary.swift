// SPDX-License-Identifier: MIT

import Foundation

/// A container of the shape of small libraries: a dictionary of closures behind a recursive lock,
/// and a cast of what they return.
///
/// ## Concurrency
/// Safe to use from any thread. The lock is held while a closure runs.
public final class ClosureDictionary: @unchecked Sendable {
  private struct Key: Hashable {
    let type: ObjectIdentifier
    let name: String?
  }

  // SAFETY: the dictionary is only touched under the lock.
  private let lock = NSRecursiveLock()
  private var closures: [Key: () -> Any] = [:]

  public init() {}

  public func register<Product>(name: String? = nil, _ closure: @escaping () -> Product) {
    lock.lock()
    defer { lock.unlock() }
    closures[Key(type: ObjectIdentifier(Product.self), name: name)] = closure
  }

  /// - Throws: ``Missing`` if nothing is registered.
  public func resolve<Product>(_ product: Product.Type, name: String? = nil) throws -> Product {
    lock.lock()
    defer { lock.unlock() }
    let key = Key(type: ObjectIdentifier(Product.self), name: name)
    guard let product = closures[key]?() as? Product else { throw Missing() }
    return product
  }

  public struct Missing: Error {}
}
