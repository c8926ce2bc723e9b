// SPDX-License-Identifier: MIT

import Corinth
import TestSupport
import XCTest

private struct Job: Sendable { let number: Int }

private final class Handler: Sendable {
  let job: Job
  init(job: Job) { self.job = job }
}

private final class Worker: Sendable {
  let scopes: ScopeFactory
  init(scopes: ScopeFactory) { self.scopes = scopes }

  func run(_ number: Int) throws -> Int {
    try scopes.syncWithScope(providing: Job(number: number)) {
      try $0.resolve(Handler.self).job.number
    }
  }
}

final class ScopeFactoryTests: AsyncTestCase {
  private func makeContainer() throws -> Container {
    let container = Container()
    try container.registerInput(Job.self)
    try container.wire(Handler.self, scope: .scoped, using: Handler.init(job:))
    try container.wire(Worker.self, scope: .singleton, using: Worker.init(scopes:))
    return container
  }

  func testASingletonMakesScopesAndDoesNotKeepItsContainer() throws {
    var container: Container? = try makeContainer()
    weak let watched = container
    let worker = try XCTUnwrap(container).resolve(Worker.self)
    XCTAssertEqual(try worker.run(7), 7)
    XCTAssertEqual(try worker.run(8), 8)
    XCTAssertEqual(container?.statistics.openScopes, 0)
    container = nil
    XCTAssertNil(watched)
    XCTAssertThrowsError(try worker.run(9)) { error in
      XCTAssertTrue(error.is(.containerGone), "\(error)")
    }
  }

  func testAScopeOfAWorkerKeepsItsContainerUntilItEnds() async throws {
    var container: Container? = try makeContainer()
    let worker = try XCTUnwrap(container).resolve(Worker.self)
    let scope = try worker.scopes.makeScope(providing: Job(number: 3))
    container = nil
    XCTAssertEqual(try scope.resolve(Handler.self).job.number, 3)
    try await scope.close()
  }

  func testAScopedInstanceGetsTheFactoryOfTheContainerAroundTheScopes() async throws {
    let container = try makeContainer()
    let outer = container.makeScope(providing: Job(number: 1))
    let inner = outer.makeScope(providing: Job(number: 2))
    let scopes = try inner.resolve(ScopeFactory.self)
    try await inner.close()
    try await outer.close()
    let number = try await scopes.withScope(providing: Job(number: 5)) { scope in
      try scope.resolve(Handler.self).job.number
    }
    XCTAssertEqual(number, 5)
  }

  func testAChildsFactoryMakesScopesOfTheChild() throws {
    let child = Container(parent: try makeContainer())
    try child.register(Int.self, scope: .scoped) { _ in 7 }
    XCTAssertEqual(
      try child.resolve(ScopeFactory.self).syncWithScope { try $0.resolve(Int.self) }, 7)
    XCTAssertThrowsError(
      try XCTUnwrap(child.parent).resolve(ScopeFactory.self).syncWithScope {
        try $0.resolve(Int.self)
      })
  }

  func testItIsAParameterAnOptionalALazyValueAndAProperty() async throws {
    struct All: Sendable {
      let optional: ScopeFactory?
      let lazy: Lazy<ScopeFactory>
      let provider: Provider<ScopeFactory>
    }
    let container = try makeContainer()
    try container.wire(All.self, using: All.init)
    let all = try container.resolve(All.self)
    XCTAssertNotNil(all.optional)
    XCTAssertEqual("\(try all.lazy.value)", "ScopeFactory")
    XCTAssertEqual("\(try all.provider())", "ScopeFactory")
    XCTAssertNotNil(try container.resolveIfRegistered(ScopeFactory.self))
    _ = try await container.resolveAsync(ScopeFactory.self)
    @Injected(from: .container(container)) var property: ScopeFactory
    XCTAssertEqual("\(property)", "ScopeFactory")
    XCTAssertThrowsError(try container.resolve(ScopeFactory.self, name: "other"))
    XCTAssertNil(try container.resolveIfRegistered(ScopeFactory.self, name: "other"))
  }

  func testValidationAndTheGraphKnowThatItIsAlwaysThere() throws {
    let container = try makeContainer()
    XCTAssertEqual(try container.validate(strictly: true).findings.count, 0)
    XCTAssertEqual(container.graph().edges.count, 1, "that of the handler's input")
    let worker = container.registrations.first { $0.key == RegistrationKey(Worker.self) }
    XCTAssertEqual(worker?.dependencies, [])
  }

  func testARegistrationOfItsOwnComesFirst() throws {
    let (container, other) = (try makeContainer(), try makeContainer())
    let factory = try other.resolve(ScopeFactory.self)
    try container.register(value: factory)
    try container.resolve(ScopeFactory.self).syncWithScope { scope in
      XCTAssertEqual(other.statistics.openScopes, 1)
      XCTAssertEqual(container.statistics.openScopes, 0)
    }
  }

  func testScopesMadeByManyThreadsAreThoseOfOneContainer() throws {
    let container = try makeContainer()
    let worker = try container.resolve(Worker.self)
    let sum = AtomicCounter()
    DispatchQueue.concurrentPerform(iterations: 4) { thread in
      for number in 0..<200 where (try? worker.run(number)) == number { sum.add() }
    }
    XCTAssertEqual(sum.value, 800)
    XCTAssertEqual(container.statistics.openScopes, 0)
  }
}
