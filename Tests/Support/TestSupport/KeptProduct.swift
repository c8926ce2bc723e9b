// SPDX-License-Identifier: MIT

public import Corinth

/// Stores one product until it is released, as an `Instance` that a client writes.
public final class KeptProduct<Product: Sendable>: Instance {
  private let stored = Guarded<Product>()

  public init() {}

  public func get(for context: InstanceContext) -> Product? { stored.value }

  public func set(_ product: Product, for context: InstanceContext) { stored.value = product }

  public func release() { stored.value = nil }
}

/// Stores nothing: each resolve builds.
public struct NoKeptProduct<Product>: Instance {
  public init() {}

  public func get(for context: InstanceContext) -> Product? { nil }

  public func set(_ product: Product, for context: InstanceContext) {}

  public func release() {}
}
