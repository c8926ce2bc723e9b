// SPDX-License-Identifier: MIT

public import Corinth
public import Testing

extension Trait where Self == ContainerTrait {
  /// Runs every test with another factory under a key, in a fork of the current container, or in a
  /// new container if there is none.
  ///
  /// ```swift
  /// @Test(.overriding(App.mailer) { _ in RecordingMailer() })
  /// func anOrderIsConfirmed() throws {
  ///   let container = try #require(Container.current)
  ///   try container.resolve(App.checkout).buy("pen")
  /// }
  /// ```
  ///
  /// Several traits add up. Works like ``container(_:draining:checksDisposal:overrides:)``.
  ///
  /// - Parameters:
  ///   - key: the key.
  ///   - scope: the scope of the instances; the scope of the key when left out.
  ///   - file: the file that messages name; the caller's when left out.
  ///   - line: the line that messages name; the caller's when left out.
  ///   - factory: builds an instance.
  /// - Returns: the trait.
  public static func overriding<Product>(
    _ key: ServiceKey<Product>, scope: Scope<Product>? = nil,
    file: StaticString = #fileID, line: UInt = #line,
    with factory: @escaping @Sendable (Resolver) throws -> Product
  ) -> Self {
    container(Container.current ?? Container()) {
      try $0.register(key, scope: scope, file: file, line: line, factory: factory)
    }
  }

  /// Runs every test with another asynchronous factory under a key; see
  /// ``overriding(_:scope:file:line:with:)``.
  ///
  /// - Parameters:
  ///   - key: the key.
  ///   - scope: the scope of the instances; the scope of the key when left out.
  ///   - file: the file that messages name; the caller's when left out.
  ///   - line: the line that messages name; the caller's when left out.
  ///   - factory: builds an instance.
  /// - Returns: the trait.
  public static func overriding<Product>(
    _ key: AsyncServiceKey<Product>, scope: Scope<Product>? = nil,
    file: StaticString = #fileID, line: UInt = #line,
    with factory: @escaping @Sendable (Resolver) async throws -> sending Product
  ) -> Self {
    container(Container.current ?? Container()) {
      try $0.registerAsync(key, scope: scope, file: file, line: line, factory: factory)
    }
  }
}
