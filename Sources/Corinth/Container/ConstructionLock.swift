// SPDX-License-Identifier: MIT

/// A lock that may be held while instances are resolved: a wait that would never end is an error.
///
/// A thread that holds a mutex and resolves may wait for a construction that waits for the mutex.
/// This lock is a node of the wait-for graph, as constructions are: the lock is held as if the
/// block built an instance that no resolve gets.
///
/// ## Concurrency
/// Safe to use from any thread. Not recursive: a call within the block is an error.
@usableFromInline
package final class ConstructionLock: Sendable {
  private let core: ContainerCore
  private let record: RegistrationRecord

  /// Makes a lock that no thread holds.
  ///
  /// - Parameters:
  ///   - product: the type that errors name, with `name`.
  ///   - container: the container in which the holders resolve, or its resolver.
  @usableFromInline
  package init<Product>(
    for product: Product.Type, name: Name? = nil, in container: some Resolving,
    file: StaticString = #fileID, line: UInt = #line
  ) {
    core = container.resolver.registry
    record = RegistrationRecord(
      RegistrationAttributes(
        key: RegistrationKey(product: product, name: name), scope: .singleton,
        location: SourceLocation(file: file, line: line), owner: core), factoryKind: .simple)
  }

  private init(of core: ContainerCore, _ record: RegistrationRecord) {
    self.core = core
    self.record = record
  }

  /// Makes another lock, whose errors name the same type and name.
  package func another() -> ConstructionLock {
    ConstructionLock(
      of: core, RegistrationRecord(record.attributes, factoryKind: record.factoryKind))
  }

  /// Runs `body` as the only holder of the lock, on the calling thread. Blocks while another thread
  /// holds the lock.
  ///
  /// - Throws: ``ResolutionError/circularDependencyDetected(_:)`` if the holder waits, through any
  ///   number of constructions and threads, for the caller, or is the caller; and the error of
  ///   `body`.
  @usableFromInline
  package func withLock<Result>(_ body: () throws -> Result) throws -> Result {
    guard let result = try Construction.takeTurn(of: record, { _ in try body() }) else {
      preconditionFailure("ConstructionLock.withLock: a turn must not be opened here")
    }
    return result
  }

  /// ``withLock(_:)`` for a block that may open its turn: a caller whose wait would never end gets
  /// `nil` from then on.
  ///
  /// - Parameter body: gets the function that opens the turn, and calls the function after the work
  ///   on which other callers rely.
  /// - Returns: the result of `body`; `nil` if it has not run, and the holder has opened its turn.
  package func withOpenableLock<Result>(_ body: (() -> Void) throws -> Result) throws -> Result? {
    try Construction.takeTurn(of: record) { construction in
      try body { construction.openTurn() }
    }
  }

  /// Whether no thread holds the lock. A caller that gets `true` sees everything that the last
  /// holder has written.
  ///
  /// Wait-free.
  package var isFree: Bool { record.load().isEmpty }
}
