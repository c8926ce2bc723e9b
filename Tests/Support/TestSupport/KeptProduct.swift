// SPDX-License-Identifier: MIT

public import Corinth

/// Stores one product until the release, as a client's `CustomStorage` would.
public final class KeptProduct<Product: Sendable>: CustomStorage {
  private let stored = Guarded<Product>()

  public init() {}

  public func get(for context: StorageContext) -> Product? { stored.value }

  public func set(_ product: Product, for context: StorageContext) { stored.value = product }

  public func release() { stored.value = nil }
}

/// Stores nothing: each resolve builds.
public struct NoKeptProduct<Product>: CustomStorage {
  public init() {}

  public func get(for context: StorageContext) -> Product? { nil }

  public func set(_ product: Product, for context: StorageContext) {}

  public func release() {}
}
