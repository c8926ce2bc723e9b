// SPDX-License-Identifier: MIT

/// A lock that may be held while instances are resolved: a wait for it that would never end is an error.
///
/// A thread that holds a mutex and resolves may wait for a construction that waits for the mutex. This lock is a
/// node of the wait-for graph, as constructions are: it is held as if the block built an instance that no resolve
/// gets.
///
/// ## Concurrency
/// Safe to use from any thread. Not recursive: a call within the block is an error.
@usableFromInline
package final class ConstructionLock: Sendable {
  private let core: ContainerCore
  private let record: RegistrationRecord

  /// A lock that no thread holds.
  ///
  /// - Parameters:
  ///   - product: the type that errors name, with `name`.
  ///   - container: where its holders resolve.
  @usableFromInline
  package init<Product>(
    for product: Product.Type, name: Name? = nil, in container: Container,
    file: StaticString = #fileID, line: UInt = #line
  ) {
    core = container.registry
    record = RegistrationRecord(
      RegistrationAttributes(
        key: RegistrationKey(product: product, name: name), scope: .singleton,
        location: SourceLocation(file: file, line: line), owner: core), factoryKind: .simple)
  }

  /// Runs `body` as the only one of the lock, on the calling thread. Blocks while another thread holds it.
  ///
  /// - Throws: ``ResolutionError/circularDependencyDetected(_:)`` if the holder waits, through any number of
  ///   constructions and threads, for the caller, or is the caller; and the error of `body`.
  @usableFromInline
  package func withLock<Result>(_ body: () throws -> Result) throws -> Result {
    try record.takeTurn(body)
  }
}
