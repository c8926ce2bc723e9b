// SPDX-License-Identifier: MIT

import TestSupport
import XCTest

@testable import Corinth

/// The cells of resolutions, and each event for which the ordinary steps are taken: note 24.
final class GraphCellTests: StressTestCase {
  private let tracker = LifetimeTracker()
  private let container = Container()
  private let log = EventLog()

  private final class Pair: Sendable {
    let first: Tracked
    let second: Tracked
    init(_ first: Tracked, _ second: Tracked) { (self.first, self.second) = (first, second) }
  }

  private final class Root: Sendable {
    let pair: Pair
    let tracked: Tracked
    init(_ pair: Pair, _ tracked: Tracked) { (self.pair, self.tracked) = (pair, tracked) }
  }

  /// The words of the cells of the resolution that a resolver belongs to.
  private static func words(of resolver: Resolver) -> [PlaceWord] {
    guard let root = resolver.construction?.root as? GraphContext, let cells = root.cells else {
      return []
    }
    return cells.owned.map { $0.load() }
  }

  private func registerAll(root scope: AnyScope = .transient) throws {
    let tracker = tracker
    try container.register(Tracked.self, scope: .graph) { _ in tracker.make() }
    try container.register(Pair.self, scope: .graph) {
      Pair(try $0.resolve(Tracked.self), try $0.resolve(Tracked.self))
    }
    try container.register(Root.self, scope: Scope(scope)) {
      let root = Root(try $0.resolve(Pair.self), try $0.resolve(Tracked.self))
      XCTAssertEqual(Self.words(of: $0).filter(\.isBuilt).count, 2)
      XCTAssertEqual(Self.words(of: $0).filter(\.isBuilding).count, scope == .graph ? 1 : 0)
      return root
    }
  }

  // MARK: - On

  func testGraphInstancesAreBuiltInCells() throws {
    try registerAll()
    for count in 1...3 {
      let root = try container.resolve(Root.self)
      XCTAssertTrue(root.tracked === root.pair.first)
      XCTAssertTrue(root.tracked === root.pair.second)
      XCTAssertEqual(tracker.created, count)
    }
    XCTAssertEqual(tracker.left, 0)
  }

  func testAResolutionThatBeginsWithAGraphInstanceIsBuiltInCells() throws {
    try registerAll(root: .graph)
    let root = try container.resolve(Root.self)
    XCTAssertTrue(root.tracked === root.pair.first)
    XCTAssertFalse(try container.resolve(Root.self) === root)
  }

  func testAllFormsOfResolvingFindTheInstanceInItsCell() throws {
    let tracker = tracker
    try container.register(Tracked.self, scope: .graph) { _ in tracker.make() }
    try container.register(Int.self) { resolver in
      let instance = try resolver.resolve(Tracked.self)
      XCTAssertTrue(try resolver.resolveIfRegistered(Tracked.self) === instance)
      XCTAssertTrue(try resolver.withResolved(Tracked.self) { $0 === instance })
      let optional: Tracked? = try resolver.resolve()
      XCTAssertTrue(optional === instance)
      XCTAssertTrue(try resolver.container.resolveAll(Tracked.self).allSatisfy { $0 !== instance })
      return instance.serial
    }
    XCTAssertEqual(try container.resolve(Int.self), 1)
    XCTAssertEqual(tracker.created, 2)
    XCTAssertEqual(tracker.left, 0)
  }

  func testValuesAreKeptInBoxes() throws {
    let count = AtomicCounter()
    try container.register([Int].self, scope: .graph) { _ in [count.add()] }
    try container.register(Int.self) {
      let words = try ($0.resolve([Int].self), $0.resolve([Int].self))
      XCTAssertTrue(Self.words(of: $0).allSatisfy { $0.isBuilt && !$0.holdsInstance })
      return words.0[0] + words.1[0]
    }
    XCTAssertEqual(try container.resolve(Int.self), 2)
    XCTAssertEqual(try container.resolve(Int.self), 4)
  }

  private func assertIsWhole(resolutionOf count: Int, line: UInt = #line) throws {
    let tracker = tracker
    for number in 0..<count {
      try container.register(Tracked.self, name: Name(number), scope: .graph) { _ in
        tracker.make()
      }
    }
    try container.register(Int.self) { resolver in
      let all = try (0..<count).map { try resolver.resolve(Tracked.self, name: Name($0)) }
      for number in (0..<count).reversed() {
        XCTAssertTrue(
          try resolver.resolve(Tracked.self, name: Name(number)) === all[number], line: line)
      }
      XCTAssertEqual(Self.words(of: resolver).filter(\.isBuilt).count, count, line: line)
      return all.count
    }
    for round in 1...2 {
      XCTAssertEqual(try container.resolve(Int.self), count, line: line)
      XCTAssertEqual(tracker.created, round * count, line: line)
      XCTAssertEqual(tracker.left, 0, line: line)
    }
  }

  func testAResolutionOfManyRegistrationsHasCellsForAll() throws {
    try assertIsWhole(resolutionOf: 50)
  }

  func testAResolutionOfVeryManyRegistrationsHasTablesOfCells() throws {
    try assertIsWhole(resolutionOf: 700)
  }

  func testAnotherContainerHasInstancesOfItsOwnInTheResolution() throws {
    let tracker = tracker
    try container.register(Tracked.self, scope: .graph) { _ in tracker.make() }
    let child = Container(parent: container)
    try container.register(Int.self) { resolver in
      let (own, other) = (try resolver.resolve(Tracked.self), try child.resolve(Tracked.self))
      XCTAssertFalse(own === other)
      XCTAssertTrue(try resolver.resolve(Tracked.self) === own)
      return 1
    }
    XCTAssertEqual(try container.resolve(Int.self), 1)
    XCTAssertEqual(tracker.created, 2)
    XCTAssertEqual(tracker.left, 0)
  }

  // MARK: - Others join

  /// Runs two resolves of one resolution, the second on a thread of its own while the first one
  /// builds.
  ///
  /// - Parameter build: the first two runs of the factory. The first one is told when to go on.
  private func joinUnderWay(
    _ build: @escaping @Sendable (_ run: Int) throws -> Tracked
  ) throws -> (first: Result<Int, any Error>, second: Result<Int, any Error>) {
    let (begun, mayEnd, runs) = (Gate(), Gate(), AtomicCounter())
    let results = Locked<[Result<Int, any Error>]>([])
    try container.register(Tracked.self, scope: .graph) { _ in
      let run = runs.add()
      if run == 1 {
        begun.open()
        mayEnd.wait()
      }
      return try build(run)
    }
    try container.register(Int.self) { resolver in
      let builder = JoinableThread { try resolver.resolve(Tracked.self).serial }
      begun.wait()
      XCTAssertTrue(Self.words(of: resolver).allSatisfy(\.isBuilding))
      let waiter = JoinableThread { try resolver.resolve(Tracked.self).serial }
      while !Self.words(of: resolver).contains(where: \.isContended) { sched_yield() }
      mayEnd.open()
      let pair = (builder.join(), waiter.join())
      results.withLock { $0 = [pair.0, pair.1] }
      return 1
    }
    XCTAssertEqual(try container.resolve(Int.self), 1)
    return results.withLock { ($0[0], $0[1]) }
  }

  func testAThreadThatFindsTheInstanceUnderWayWaitsForIt() throws {
    let results = try joinUnderWay { [tracker] _ in tracker.make() }
    XCTAssertEqual(try results.first.get(), 1)
    XCTAssertEqual(try results.second.get(), 1)
    XCTAssertEqual(tracker.created, 1)
    XCTAssertEqual(tracker.left, 0)
  }

  func testAThreadThatHasJoinedBuildsAfterAFailure() throws {
    let results = try joinUnderWay { [tracker] run in
      if run == 1 { throw Refused() }
      return tracker.make()
    }
    XCTAssertThrowsError(try results.first.get())
    XCTAssertEqual(try results.second.get(), 1)
    XCTAssertEqual(tracker.left, 0)
  }

  func testThreadsOfOneResolutionGetOneInstanceEach() throws {
    let tracker = tracker
    try container.register(Tracked.self, scope: .graph) { _ in tracker.make() }
    try container.register(Int.self) { resolver in
      let start = Gate()
      let threads = (0..<4).map { _ in
        JoinableThread {
          start.wait()
          return try resolver.resolve(Tracked.self).serial
        }
      }
      start.open()
      return Set(try threads.map { try $0.join().get() }).count
    }
    for count in 1...200 {
      XCTAssertEqual(try container.resolve(Int.self), 1)
      XCTAssertEqual(tracker.created, count)
    }
    XCTAssertEqual(tracker.left, 0)
  }

  // MARK: - Failures

  func testAFailureLeavesTheCellEmpty() throws {
    let (tracker, attempts) = (tracker, AtomicCounter())
    try container.register(Tracked.self, scope: .graph) { _ in
      if attempts.add() < 3 { throw Refused() }
      return tracker.make()
    }
    try container.register(Int.self) { resolver in
      for _ in 0..<2 {
        XCTAssertThrowsError(try resolver.resolve(Tracked.self))
        XCTAssertTrue(Self.words(of: resolver).allSatisfy(\.isEmpty))
      }
      return try resolver.resolve(Tracked.self).serial
    }
    XCTAssertEqual(try container.resolve(Int.self), 1)
    XCTAssertEqual(tracker.left, 0)
  }

  func testACycleIsFound() throws {
    try container.register(Tracked.self, scope: .graph) { try $0.resolve(Pair.self).first }
    try container.register(Pair.self, scope: .graph) {
      let tracked = try $0.resolve(Tracked.self)
      return Pair(tracked, tracked)
    }
    for _ in 0..<2 {
      XCTAssertThrowsError(try container.resolve(Tracked.self)) { error in
        guard case ResolutionError.circularDependencyDetected = error else {
          return XCTFail("\(error)")
        }
      }
    }
  }

  private final class Parent: @unchecked Sendable {
    var child: Child?
    let tracked: Tracked
    init(_ tracked: Tracked) { self.tracked = tracked }
  }
  private final class Child: @unchecked Sendable {
    weak var parent: Parent?
    init(_ parent: Parent) { self.parent = parent }
  }

  func testAnInstanceThatHasGotAnotherOneEarlyIsPublishedWithIt() throws {
    let tracker = tracker
    try container.register(Parent.self, scope: .graph) { _ in Parent(tracker.make()) }
      .afterInit { $1.child = try $0.resolve(Child.self) }
    try container.register(Child.self, scope: .graph) { Child(try $0.resolve(Parent.self)) }
    try container.register(Bool.self) { resolver in
      let parent = try resolver.resolve(Parent.self)
      return try parent.child?.parent === parent && resolver.resolve(Child.self) === parent.child
    }
    for count in 1...3 {
      XCTAssertTrue(try container.resolve(Bool.self))
      let parent = try container.resolve(Parent.self)
      XCTAssertTrue(parent.child?.parent === parent)
      XCTAssertEqual(tracker.created, 2 * count)
    }
    XCTAssertEqual(tracker.left, 0)
  }

  /// The singleton's action resolves a graph instance of another resolution, which gets the
  /// singleton early. Its resolve went on in a further resolution each time, as it had lost the one
  /// that it had begun.
  func testAResolutionThatWaitsForWhatItIsInsideOfBeginsOnce() throws {
    let (tracker, log) = (tracker, log)
    try container.register(Pair.self, scope: .singleton) { _ in
      Pair(tracker.make(), tracker.make())
    }.afterInit { _ = try $1.first.serial + $0.container.resolve(Root.self).tracked.serial }
    try container.register(Root.self, scope: .graph) {
      log.add("root")
      let pair = try $0.container.resolve(Pair.self)
      return Root(pair, pair.first)
    }
    _ = try container.resolve(Pair.self)
    XCTAssertEqual(log.entries, ["root"])
  }

  // MARK: - The end

  func testAResolverThatIsKeptBeginsAResolutionOfItsOwn() throws {
    let (tracker, kept) = (tracker, Locked<[Resolver]>([]))
    try container.register(Tracked.self, scope: .graph) { resolver in
      kept.withLock { $0.append(resolver) }
      return tracker.make()
    }
    try container.register(Pair.self) {
      Pair(try $0.resolve(Tracked.self), try $0.resolve(Tracked.self))
    }
    for _ in 0..<3 {
      let pair = try container.resolve(Pair.self)
      XCTAssertTrue(pair.first === pair.second)
      let resolvers = kept.withLock { $0 }
      for resolver in resolvers {
        XCTAssertFalse(try resolver.resolve(Tracked.self) === pair.first)
      }
      XCTAssertEqual(tracker.alive, 1)
    }
    kept.withLock { $0 = [] }
    XCTAssertEqual(tracker.left, 0)
  }

  func testAResolverThatIsKeptOutlivesItsContainer() throws {
    final class Kept: Sendable {
      let resolver: Resolver
      init(_ resolver: Resolver) { self.resolver = resolver }
    }
    let tracker = tracker
    func keep() throws -> Kept {
      let container = Container()
      try container.register(Tracked.self, scope: .graph) { _ in tracker.make() }
      try container.register(Kept.self, scope: .graph) { Kept($0) }
      try container.register([Kept].self, scope: .graph) { [try $0.resolve(Kept.self)] }
      return try container.resolve([Kept].self)[0]
    }
    for _ in 0..<3 {
      let kept = try keep()
      XCTAssertThrowsError(try kept.resolver.resolve(Tracked.self), "the container has ended")
    }
    XCTAssertEqual(tracker.left, 0)
  }

  func testInstancesThatHoldTheirResolverDoNotLeak() throws {
    final class Holder: Sendable {
      let tracked: Tracked
      let resolver: Resolver
      init(_ tracked: Tracked, _ resolver: Resolver) {
        (self.tracked, self.resolver) = (tracked, resolver)
      }
    }
    let tracker = tracker
    try container.register(Holder.self, scope: .graph) { Holder(tracker.make(), $0) }
    try container.register(Int.self) { try $0.resolve(Holder.self).tracked.serial }
    for count in 1...10 { XCTAssertEqual(try container.resolve(Int.self), count) }
    XCTAssertEqual(try container.resolve(Holder.self).tracked.serial, 11)
    XCTAssertEqual(tracker.left, 0)
  }

  func testADeinitAtTheEndOfAResolutionResolves() throws {
    final class Last: Sendable {
      let container: Container
      let log: EventLog
      init(_ container: Container, _ log: EventLog) {
        (self.container, self.log) = (container, log)
      }
      deinit {
        do {
          let root = try container.resolve(Root.self)
          log.add("\(root.tracked === root.pair.second)")
        } catch {
          log.add("\(error)")
        }
      }
    }
    try registerAll()
    let (container, log) = (container, log)
    try container.register(Last.self, scope: .graph) { [unowned container] _ in
      Last(container, log)
    }
    try container.register(Int.self) {
      _ = try $0.resolve(Last.self)
      return try $0.resolve(Tracked.self).serial
    }
    for count in 1...5 {
      _ = try container.resolve(Int.self)
      XCTAssertEqual(log.entries, Array(repeating: "true", count: count))
    }
    XCTAssertEqual(tracker.left, 0)
  }

  func testTheRegistrationOfAnInstanceLivesAsLongAsTheResolution() throws {
    let (tracker, container) = (tracker, container)
    try container.register(Tracked.self, scope: .graph) { _ in tracker.make() }
    try container.register(Bool.self) { [unowned container] resolver in
      let first = try resolver.resolve(Tracked.self)
      try container.register(Tracked.self, scope: .graph) { _ in tracker.make() }
      let second = try resolver.resolve(Tracked.self)
      return try first !== second && resolver.resolve(Tracked.self) === second
    }
    XCTAssertTrue(try container.resolve(Bool.self))
    XCTAssertEqual(tracker.left, 0)
  }

  func testAContainerIsClosedWhileAResolutionIsUnderWay() throws {
    let (tracker, container) = (tracker, container)
    try container.register(Tracked.self, scope: .graph) { _ in tracker.make() }
    try container.register(Pair.self, scope: .graph) { [unowned container] resolver in
      let first = try resolver.resolve(Tracked.self)
      try container.syncClose()
      XCTAssertThrowsError(try resolver.resolve(Tracked.self))
      return Pair(first, first)
    }
    XCTAssertEqual(try container.resolve(Pair.self).first.serial, 1)
    XCTAssertEqual(tracker.left, 0)
  }

  func testADecoratorIsPutAroundWhatAResolutionBuilds() throws {
    try container.register(Int.self, scope: .graph) { _ in 1 }
    try container.register([Int].self) { try [$0.resolve(Int.self), $0.resolve(Int.self)] }
    XCTAssertEqual(try container.resolve([Int].self), [1, 1])
    try container.decorate(Int.self) { number, _ in number + 1 }
    XCTAssertEqual(try container.resolve([Int].self), [2, 2])
  }
}
