// SPDX-License-Identifier: MIT

/// A lock that may be held while instances are resolved: a wait for it that would never end is an error.
///
/// ```swift
/// let lock = ConstructionLock(for: Catalogue.self, in: container)
/// try lock.withLock {
///   catalogue.prices = try container.resolve(Prices.self)  // whose factory may need the lock, too
/// }
/// ```
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
  ///   - product: the type that errors name.
  ///   - name: the name that errors give with it.
  ///   - container: where its holders resolve.
  ///   - file: the file that messages name; the caller's when left out.
  ///   - line: the line that messages name; the caller's when left out.
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

  /// Runs `body` as the only one of the lock.
  ///
  /// - Returns: the result of `body`.
  /// - Throws: ``ResolutionError/circularDependencyDetected(_:)`` if the holder waits, through any number of
  ///   constructions and threads, for the caller, or is the caller; and the error of `body`.
  /// - Complexity: O(1), plus the wait and the time of `body`.
  ///
  /// Blocks while another thread holds it. `body` runs on the calling thread.
  @usableFromInline
  package func withLock<Result>(_ body: () throws -> Result) throws -> Result {
    try record.takeTurn(body)
  }
}
