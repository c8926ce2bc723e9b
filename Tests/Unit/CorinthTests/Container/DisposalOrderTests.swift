// SPDX-License-Identifier: MIT

import Corinth
import TestSupport
import XCTest

/// The order of disposers where an instance depends on what was completed after it.
///
/// Disposal went by completion alone: a pool that an outbox holds as a `Lazy` was closed before the
/// outbox had been flushed.
final class DisposalOrderTests: ShutdownTestCase {
  private final class Pool: Sendable {}
  private final class Clock: Sendable {}
  private struct Transfer: Sendable { let pool: Lazy<Pool> }
  private protocol Sink: Sendable {}
  private final class Outbox: Sink {
    let resolvePool: @Sendable () throws -> Pool
    init(_ resolvePool: @escaping @Sendable () throws -> Pool) { self.resolvePool = resolvePool }
    init(pool: Lazy<Pool>) { resolvePool = { try pool.value } }
    init(makePool: Provider<Pool>) { resolvePool = { try makePool() } }
    init(transfer: Transfer) { resolvePool = { try transfer.pool.value } }
    init(pools: [Lazy<Pool>]) { resolvePool = { try pools[0].value } }
  }
  private final class Worker: Sendable {
    let sink: any Sink
    init(outbox: Outbox) { sink = outbox }
    init(sink: any Sink) { self.sink = sink }
  }

  private func ended<Product>(_ product: Product.Type) -> RegistrationOptions<Product> {
    .onDispose { [log] _ in log.add("\(Product.self)") }
  }

  private func registerPool(in container: Container, scope: Scope<Pool> = .singleton) throws {
    try container.register(Pool.self, scope: scope, with: ended(Pool.self)) { _ in Pool() }
  }

  /// Builds the outbox, then what else is given, and then the pool.
  private func build(_ others: (Container) throws -> Void = { _ in }) throws {
    let outbox = try container.resolve(Outbox.self)
    try others(container)
    _ = try outbox.resolvePool()
  }

  private func assertEnd(
    _ expected: [String], file: StaticString = #filePath, line: UInt = #line
  ) async throws {
    try await container.shutdown()
    XCTAssertEqual(log.entries, expected, file: file, line: line)
  }

  // MARK: - What is known

  func testALazyIsDisposedOfAfterItsHolder() async throws {
    try registerPool(in: container)
    try container.wire(
      Outbox.self, scope: .singleton, with: ended(Outbox.self), using: Outbox.init(pool:))
    try build()
    try await assertEnd(["Outbox", "Pool"])
  }

  func testAClosingInATaskHasTheSameOrder() async throws {
    try registerPool(in: container)
    try container.wire(
      Outbox.self, scope: .singleton, with: ended(Outbox.self), using: Outbox.init(pool:))
    try build()
    try await container.shutdown(timeLimit: .seconds(300))
    XCTAssertEqual(log.entries, ["Outbox", "Pool"])
  }

  func testTheProductOfAProviderIsDisposedOfAfterItsHolder() async throws {
    try registerPool(in: container)
    try container.wire(
      Outbox.self, scope: .singleton, with: ended(Outbox.self), using: Outbox.init(makePool:))
    try build()
    try await assertEnd(["Outbox", "Pool"])
  }

  func testADeclaredDependencyIsDisposedOfAfterItsDependent() async throws {
    let container = container
    try registerPool(in: container)
    try container.register(
      Outbox.self, scope: .singleton, with: ended(Outbox.self).dependsOn(Pool.self)
    ) { resolver in Outbox { try resolver.resolve() } }
    try build()
    try await assertEnd(["Outbox", "Pool"])
  }

  func testARecordedDependencyIsDisposedOfAfterItsDependent() async throws {
    let recording = container.recordDependencies()
    defer { recording.stop() }
    try registerPool(in: container)
    try container.register(Outbox.self, scope: .singleton, with: ended(Outbox.self)) { resolver in
      Outbox(pool: try resolver.resolve())
    }
    try build()
    try await assertEnd(["Outbox", "Pool"])
  }

  // MARK: - What is between

  func testATransientMayHoldTheLazy() async throws {
    try registerPool(in: container)
    try container.wire(Transfer.self, using: Transfer.init)
    try container.wire(
      Outbox.self, scope: .singleton, with: ended(Outbox.self), using: Outbox.init(transfer:))
    try build()
    try await assertEnd(["Outbox", "Pool"])
  }

  func testASingletonWithoutDisposersMayHoldTheLazy() async throws {
    try registerPool(in: container)
    try container.wire(Transfer.self, scope: .singleton, using: Transfer.init)
    try container.wire(
      Outbox.self, scope: .singleton, with: ended(Outbox.self), using: Outbox.init(transfer:))
    try build()
    try await assertEnd(["Outbox", "Pool"])
  }

  func testACollectionMayHoldTheLazy() async throws {
    try container.register(
      Pool.self, name: .element(), scope: .singleton, with: ended(Pool.self)
    ) { _ in Pool() }
    try container.wire(
      Outbox.self, scope: .singleton, with: ended(Outbox.self), using: Outbox.init(pools:))
    try build()
    try await assertEnd(["Outbox", "Pool"])
  }

  func testADecoratorMayHoldTheLazy() async throws {
    let recording = container.recordDependencies()
    defer { recording.stop() }
    try registerPool(in: container)
    try container.register(Outbox.self, scope: .singleton, with: ended(Outbox.self)) { _ in
      Outbox { Pool() }
    }
    try container.decorate(Outbox.self) { _, resolver in Outbox(pool: try resolver.resolve()) }
    try build()
    try await assertEnd(["Outbox", "Pool"])
  }

  func testADependentByAForwardComesAlong() async throws {
    try registerPool(in: container)
    try container.wire(
      Outbox.self, scope: .singleton, with: ended(Outbox.self), using: Outbox.init(pool:)
    ).implements((any Sink).self)
    try container.wire(
      Worker.self, scope: .singleton, with: ended(Worker.self), using: Worker.init(sink:))
    try build { _ = try $0.resolve(Worker.self) }
    try await assertEnd(["Worker", "Outbox", "Pool"])
  }

  // MARK: - What moves

  func testTheDependentsOfTheOneThatMovesComeAlongAndOthersStay() async throws {
    try registerPool(in: container)
    try container.register(Clock.self, scope: .singleton, with: ended(Clock.self)) { _ in Clock() }
    try container.wire(
      Outbox.self, scope: .singleton, with: ended(Outbox.self), using: Outbox.init(pool:))
    try container.wire(
      Worker.self, scope: .singleton, with: ended(Worker.self), using: Worker.init(outbox:))
    try build {
      _ = try $0.resolve(Clock.self)
      _ = try $0.resolve(Worker.self)
    }
    // The pool may depend on the clock, unknown to the library: these two stay as they were
    // completed.
    try await assertEnd(["Worker", "Outbox", "Pool", "Clock"])
  }

  func testWithoutADeferredDependencyOrderIsThatOfCompletion() async throws {
    try registerPool(in: container)
    try container.register(Outbox.self, scope: .singleton, with: ended(Outbox.self)) { resolver in
      let pool = try resolver.resolve(Lazy<Pool>.self)
      return Outbox { try pool.value }
    }
    try build()
    try await assertEnd(["Pool", "Outbox"])
  }

  private final class Left: Sendable {
    let right: Lazy<Right>
    init(right: Lazy<Right>) { self.right = right }
  }
  private final class Right: Sendable {
    let left: Lazy<Left>
    init(left: Lazy<Left>) { self.left = left }
  }

  func testACycleGoesByCompletion() async throws {
    try container.wire(
      Left.self, scope: .singleton, with: ended(Left.self), using: Left.init(right:))
    try container.wire(
      Right.self, scope: .singleton, with: ended(Right.self), using: Right.init(left:))
    _ = try container.resolve(Left.self).right.value
    try await assertEnd(["Right", "Left"])
  }

  // MARK: - Scopes

  private func registerForRequests() throws {
    try registerPool(in: container, scope: .scoped)
    try container.wire(
      Outbox.self, scope: .scoped, with: ended(Outbox.self), using: Outbox.init(pool:))
  }

  func testInstancesOfARequestGoByTheirDependenciesToo() async throws {
    try registerForRequests()
    try await container.withScope { scope in _ = try scope.resolve(Outbox.self).resolvePool() }
    XCTAssertEqual(log.entries, ["Outbox", "Pool"])
  }

  func testInstancesOfASynchronousRequestDoSoToo() throws {
    try registerForRequests()
    try container.syncWithScope { scope in _ = try scope.resolve(Outbox.self).resolvePool() }
    XCTAssertEqual(log.entries, ["Outbox", "Pool"])
  }

  func testARequestMayHaveRegistrationsOfItsOwn() async throws {
    try container.wire(
      Outbox.self, scope: .scoped, with: ended(Outbox.self), using: Outbox.init(pool:))
    let scope = container.makeScope()
    try registerPool(in: scope, scope: .scoped)
    let outbox = try scope.resolve(Outbox.self)
    _ = try outbox.resolvePool()
    try await scope.close()
    XCTAssertEqual(log.entries, ["Outbox", "Pool"])
  }
}
