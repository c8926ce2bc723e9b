// SPDX-License-Identifier: MIT

/// Resolves instances: the interface that containers, request scopes, ``Resolver`` and
/// ``Resolution`` share.
///
/// ```swift
/// func greet(_ user: User, from services: some Resolving) throws {
///   try services.resolve((any Mailer).self).send("Welcome", to: user.address)
/// }
/// try greet(user, from: container)
/// try container.register(Welcome.self) { resolver in
///   try greet(user, from: resolver)
///   return Welcome()
/// }
/// ```
///
/// Take a `Resolving` where a function resolves and does nothing else with a container. Say
/// `some Resolving`: `any Resolving` works, and takes five times the instructions for a ready
/// singleton. A type of your own conforms by forwarding the ``resolver`` of the wrapped value.
///
/// ## Concurrency
/// Safe to use from any thread.
public protocol Resolving: Sendable {
  /// The resolver for the container, as a part of the present resolution, if any.
  ///
  /// A resolver does not keep the container alive.
  @_borrowed var resolver: Resolver { get }
}

extension Resolver: Resolving {
  @inlinable @inline(__always)
  public var resolver: Resolver { _read { yield self } }
}
