// SPDX-License-Identifier: MIT

import Corinth
import Synchronization
import TestSupport
import XCTest

/// Chains that are too deep for the stack of the thread that resolves them: the process died.
///
/// Each test that fails in its old way ends the process.
final class StackTests: AsyncTestCase {
  override func setUpWithError() throws { try skipUnderThreadSanitizer() }

  /// Beyond what the largest stack here has room for.
  private static let tooMany = 30_000
  private static let large = 8 * 1024 * 1024

  /// A chain of numbers, each of which resolves the next one.
  private func chain(
    of length: Int = StackTests.tooMany, _ scope: (Int) -> AnyScope
  ) throws -> Container {
    let container = Container()
    for index in 0..<length {
      try container.register(Link.self, name: Name(index), scope: scope(index)) { resolver in
        guard index + 1 < length else { return Link(1) }
        return Link(try resolver.resolve(Link.self, name: Name(index + 1)).number + 1)
      }
    }
    return container
  }

  private func assertTooDeep(
    _ outcome: Result<Int, any Error>, file: StaticString = #filePath, line: UInt = #line
  ) {
    guard case .failure(ResolutionError.resolutionTooDeep(let context)) = outcome else {
      return XCTFail("\(outcome)".prefix(2_000).description, file: file, line: line)
    }
    XCTAssertGreaterThan(context.path.count, 90, file: file, line: line)
    XCTAssertEqual(
      context.path, (0..<context.path.count).map { .link($0) }, file: file, line: line)
    XCTAssertNotNil(context.location, file: file, line: line)
  }

  private func resolveFirst(
    of container: Container, stackSize: Int
  ) throws -> Result<Int, any Error> {
    try onThreads(1, stackSize: stackSize) { _ in
      Result { try container.resolve(Link.self, name: Name(0)).number }
    }[0]
  }

  private func assertRefuses(
    _ scope: (Int) -> AnyScope, file: StaticString = #filePath, line: UInt = #line
  ) throws {
    let container = try chain(scope)
    let scoped = container.makeScope()
    for stackSize in [smallStackSize, Self.large] {
      assertTooDeep(
        try resolveFirst(of: scoped, stackSize: stackSize), file: file, line: line)
    }
    // What has failed has left nothing behind.
    let near = Name(Self.tooMany - 20)
    XCTAssertEqual(try scoped.resolve(Link.self, name: near).number, 20, file: file, line: line)
    try scoped.syncClose()
  }

  // MARK: - Threads

  func testAChainOfSingletonsThatIsTooDeepIsAnError() throws {
    try assertRefuses { _ in .singleton }
  }

  func testAChainOfTransientsThatIsTooDeepIsAnError() throws {
    try assertRefuses { _ in .transient }
  }

  func testAChainOfGraphInstancesThatIsTooDeepIsAnError() throws {
    try assertRefuses { _ in .graph }
  }

  func testAChainOfScopedInstancesThatIsTooDeepIsAnError() throws {
    try assertRefuses { _ in .scoped }
  }

  func testAChainOfWeakInstancesThatIsTooDeepIsAnError() throws {
    try assertRefuses { _ in .weak }
  }

  func testAChainOfCachedInstancesThatIsTooDeepIsAnError() throws {
    try assertRefuses { _ in .cached(for: .seconds(3_600)) }
  }

  func testAChainOfAllScopesThatIsTooDeepIsAnError() throws {
    try assertRefuses { [.transient, .singleton, .graph][$0 % 3] }
  }

  func testAChainOfDecoratedTransientsThatIsTooDeepIsAnError() throws {
    let container = try chain { _ in .transient }
    try container.decorate(Link.self) { link, _ in link }
    assertTooDeep(try resolveFirst(of: container, stackSize: smallStackSize))
    assertTooDeep(try resolveFirst(of: container, stackSize: Self.large))
  }

  /// Each factory uses the container, and no resolver leads from one to the next.
  func testAChainThroughTheContainerItselfIsAnError() throws {
    let container = Container()
    for index in 0..<Self.tooMany {
      let scope: AnyScope = index % 2 == 0 ? .transient : .singleton
      try container.register(Link.self, name: Name(index), scope: scope) {
        [unowned container] _ in
        Link(try container.resolve(Link.self, name: Name(index + 1)).number + 1)
      }
    }
    assertTooDeep(try resolveFirst(of: container, stackSize: smallStackSize))
  }

  func testAChainOfTransientsWithArgumentsThatIsTooDeepIsAnError() throws {
    let container = Container()
    for index in 0..<Self.tooMany {
      try container.register(Int.self, name: Name(index)) { (resolver, number: Int) in
        try resolver.resolve(Int.self, name: Name(index + 1), arguments: number)
      }
    }
    try onThreads(1, stackSize: Self.large) { _ in
      XCTAssertThrowsError(try container.resolve(Int.self, name: Name(0), arguments: 1)) {
        XCTAssertEqual($0 as? ResolutionError, .resolutionTooDeep)
      }
    }
  }

  func testALargerStackMakesRoomForTheChain() throws {
    // ThreadSanitizer has room for 65,536 calls in each other, and each link takes more than ten.
    let container = try chain(of: 4_000) { _ in .singleton }
    assertTooDeep(try resolveFirst(of: container, stackSize: smallStackSize))
    XCTAssertEqual(try resolveFirst(of: container, stackSize: 16 * Self.large).get(), 4_000)
  }

  /// The records of threads are used again: each thread must be measured anew.
  func testAThreadIsMeasuredByItsOwnStack() throws {
    let container = try chain(of: 2_000) { _ in .transient }
    for _ in 0..<20 {
      XCTAssertEqual(try resolveFirst(of: container, stackSize: 16 * Self.large).get(), 2_000)
      assertTooDeep(try resolveFirst(of: container, stackSize: smallStackSize))
    }
  }

  func testTheErrorAbbreviatesItsPathAndNamesTheRemedies() throws {
    let container = try chain { _ in .singleton }
    guard case .failure(let error) = try resolveFirst(of: container, stackSize: smallStackSize)
    else { return XCTFail("no error") }
    let text = "\(error)"
    XCTAssertTrue(text.contains("is nested too deeply"), text)
    XCTAssertTrue(text.contains("path: Link named 0 -> Link named 1 -> "), text)
    XCTAssertTrue(text.contains(" more) -> "), text)
    XCTAssertTrue(text.contains("larger stack"), text)
    XCTAssertLessThan(text.count, 4_000)
  }

  // MARK: - Tasks

  /// The factories are synchronous, and nested on a thread of the pool.
  func testAChainOfSynchronousFactoriesInATaskIsAnError() async throws {
    for scope in [AnyScope.singleton, .transient] {
      let container = try chain { _ in scope }
      let result = await Task.detached {
        await outcome { try await container.resolveAsync(Link.self, name: Name(0)).number }
      }.value
      assertTooDeep(result)
    }
  }

  /// The resolver of the innermost factory leads to all contexts around it. They went one inside of
  /// the deinit of the other.
  func testAStoredResolverOfADeepChainIsLetGoOfOnASmallStack() async throws {
    let container = Container()
    let length = 30_000
    let stored = Guarded<Resolver>()
    for index in 0..<length {
      try container.registerAsync(Int.self, name: Name(index), scope: .singleton) { resolver in
        guard index + 1 < length else {
          stored.value = resolver
          return 1
        }
        return try await resolver.resolveAsync(Int.self, name: Name(index + 1)) + 1
      }
    }
    let number = try await container.resolveAsync(Int.self, name: Name(0))
    XCTAssertEqual(number, length)
    try onSmallStack { stored.value = nil }
  }

  /// The search for the cycle took a frame for each construction, and time that was quadratic in
  /// their number, as did the error on its way out.
  func testACycleOfTenThousandAsynchronousSingletonsIsFound() async throws {
    let container = Container()
    let length = 10_000
    for index in 0..<length {
      try container.registerAsync(Int.self, name: Name(index), scope: .singleton) { resolver in
        try await resolver.resolveAsync(Int.self, name: Name((index + 1) % length)) + 1
      }
    }
    let result = await Task.detached {
      await outcome { try await container.resolveAsync(Int.self, name: Name(0)) }
    }.value
    guard case .failure(ResolutionError.circularDependencyDetected(let context)) = result else {
      return XCTFail("\(result)".prefix(2_000).description)
    }
    XCTAssertEqual(
      context.path.map(\.name), (0..<length).map { Name($0) } + [Name(0)])
    let text = "\(ResolutionError.circularDependencyDetected(context))"
    XCTAssertTrue(text.contains("Int named 9999 is registered at"))
  }

  /// The tasks of asynchronous constructions begin on stacks of their own.
  func testAChainOfAsynchronousSingletonsIsAsDeepAsMemoryAllows() async throws {
    let container = Container()
    let length = 3_000
    for index in 0..<length {
      try container.registerAsync(Int.self, name: Name(index), scope: .singleton) { resolver in
        guard index + 1 < length else { return 1 }
        return try await resolver.resolveAsync(Int.self, name: Name(index + 1)) + 1
      }
    }
    let number = try await container.resolveAsync(Int.self, name: Name(0))
    XCTAssertEqual(number, length)
  }

  /// Each form of a registration keeps the one before, for its instance.
  func testInstancesBetweenAnyNumberOfModifiersEndOnASmallStack() throws {
    let ended = Atomic<Int>(0)
    try onSmallStack {
      let container = Container()
      let registration = try container.register(Farewell.self, scope: .singleton) { _ in
        Farewell { ended.add(1, ordering: .relaxed) }
      }
      for _ in 0..<StackTests.tooMany {
        registration.as(.singleton)
        _ = try container.resolve(Farewell.self)
      }
    }
    XCTAssertEqual(ended.load(ordering: .relaxed), Self.tooMany)
  }

  /// Each keeps those that were added after it.
  func testAnyNumberOfDisposersRunAndEndOnASmallStack() throws {
    let disposers = 3_000
    let disposed = Locked<[Int]>([])
    try onSmallStack {
      let container = Container()
      let registration = try container.register(Link.self, scope: .singleton) { _ in Link(1) }
      for index in 0..<disposers {
        registration.onDispose { _ in disposed.withLock { $0.append(index) } }
      }
      _ = try container.resolve(Link.self)
      try container.syncClose()
    }
    XCTAssertEqual(disposed.withLock { $0 }, (0..<disposers).reversed())
  }
}

private final class Farewell: Sendable {
  private let end: @Sendable () -> Void

  init(end: @escaping @Sendable () -> Void) { self.end = end }

  deinit { end() }
}

private final class Link: Sendable {
  let number: Int

  init(_ number: Int) { self.number = number }
}

extension RegistrationKey {
  fileprivate static func link(_ index: Int) -> Self {
    RegistrationKey(Link.self, name: Name(index))
  }
}
