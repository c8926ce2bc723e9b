// SPDX-License-Identifier: MIT

/// Collects the registrations of a container whose registrations never change.
///
/// ```swift
/// let container = try ContainerBuilder()
///   .configure { container in
///     try container.wire(Mailer.self, scope: .singleton, with: .eager, using: SMTPMailer.init)
///   }
///   .build()
/// ```
///
/// ## Concurrency
/// Safe to use from any thread.
public struct ContainerBuilder: Sendable {
  let container: Container

  /// - Parameters:
  ///   - defaultScope: the scope of registrations without a given scope.
  ///   - duplicates: the treatment of a second registration of a key.
  ///   - file: the file of the call, for messages.
  ///   - line: the line of the call.
  public init(
    defaultScope: Scope<any Sendable> = .transient, duplicates: DuplicatePolicy = .override,
    file: StaticString = #fileID, line: UInt = #line
  ) {
    container = Container(
      defaultScope: defaultScope, duplicates: duplicates, file: file, line: line)
  }

  /// Calls `body` with the container, which offers everything that a ``Container`` does: modules,
  /// modifiers, decorators.
  ///
  /// - Parameter body: registers.
  /// - Returns: the builder, for the next registration.
  /// - Throws: the error of `body`.
  ///
  /// Takes no lock while `body` runs; registrations take the container's writer lock.
  @discardableResult
  public func configure(_ body: (Container) throws -> Void) rethrows -> ContainerBuilder {
    try body(container)
    return self
  }
}
