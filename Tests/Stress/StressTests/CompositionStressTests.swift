// SPDX-License-Identifier: MIT

import Corinth
import Foundation
import TestSupport
import XCTest

/// While threads resolve, others change what an application has put around its registrations. Each
/// resolve gets what was there at some moment of the call.
class CompositionStressTests: ContainerTestCase {
  typealias Application = ComposedApplication

  private var rounds: Int { StressSize.scaled(12, sanitized: 2) }
  /// What each writer does in a round.
  private static let changes = 40

  func testResolvesGetAnApplicationOfSomeMoment() throws {
    for _ in 0..<rounds { try round() }
  }

  /// A round of a new application leaves nothing behind. The first rounds fill the pools.
  func testMemoryStaysFlat() throws {
    try XCTSkipIf(isSanitized, "sanitizers keep freed memory")
    for _ in 0..<2 { try round() }
    settleReclamation()
    try assertMemoryInUse(growsByAtMost: 256 << 10) {
      for _ in 0..<(rounds / 2) { try round() }
      settleReclamation()
    }
  }

  /// A list of the collection's slots that another thread had just completed was taken for an older
  /// one, and all slots came into it once more, for good.
  func testElementsAreListedOnceBesideRegistrations() throws {
    for _ in 0..<StressSize.scaled(40, sanitized: 8) {
      let container = makeContainer()
      let added = AtomicCounter()
      let elements = 200
      try onThreads(8) { index in
        if index < 2 {
          for _ in 0..<elements / 2 { try container.contribute(to: Int.self) { _ in added.add() } }
          return
        }
        var count = 0
        while count < elements {
          let now = try container.resolveAll(Int.self).count
          XCTAssertGreaterThanOrEqual(now, count)
          XCTAssertLessThanOrEqual(now, elements)
          if now > elements { return }
          count = now
        }
      }
      XCTAssertEqual(try container.resolveAll(Int.self).count, elements)
    }
  }

  private func round() throws {
    let tracker = LifetimeTracker()
    do {
      let round = Round(try Application(makeContainer(), tracker))
      try round.run(changes: Self.changes)
      try round.checkEnd()
    }
    assertNoneLeft(tracker)
  }
}

/// The resolves of one application, and its changes.
private struct Round: Sendable {
  typealias Step = ComposedApplication.Step

  private let application: ComposedApplication
  private let events = AtomicCounter()

  private var container: Container { application.container }

  init(_ application: ComposedApplication) {
    self.application = application
  }

  func run(changes: Int) throws {
    let writersLeft = AtomicCounter(Self.writers.count)
    let isOver = Flag()
    try onThreads(8 + Self.writers.count) { index in
      // What throws ends the others too.
      var isDone = false
      defer { if !isDone { isOver.isSet = true } }
      if index < 8 {
        repeat { try Self.readers[index](self) } while writersLeft.value > 0 && !isOver.isSet
      } else {
        try Self.writers[index - 8](self, changes) { isOver.isSet }
        writersLeft.add(-1)
      }
      isDone = true
    }
  }

  /// The application is as it was at the beginning.
  func checkEnd() throws {
    XCTAssertFalse(container.isFrozen)
    XCTAssertEqual(try container.resolve((any Step).self).labels, [0])
    let steps = try container.resolveAll((any Step).self)
    XCTAssertEqual(steps.map(\.id), Array(0...ComposedApplication.elements))
    for step in steps { XCTAssertEqual(step.labels, [0]) }
    let before = events.value
    _ = try container.resolve((any Step).self)
    XCTAssertEqual(events.value - before, 1, "the behavior hears of a resolve once")
  }

  // MARK: - Resolving

  private static let readers: [@Sendable (Round) throws -> Void] = [
    { try $0.checkSingletons() }, { try $0.checkTransients() }, { try $0.checkCollections() },
    { try $0.checkWiring() }, { try $0.checkForwards() }, { try $0.checkChild() },
    { try $0.checkRequestScope() }, { try $0.checkWiring() },
  ]

  private func checkSingletons() throws {
    check(original: try container.resolve((any Step).self))
  }

  private func checkTransients() throws {
    let (first, second) = (
      try container.resolve((any Step).self, name: "transient"),
      try container.resolve((any Step).self, name: "transient")
    )
    XCTAssertFalse(first.base === second.base)
    for step in [first, second] {
      XCTAssertEqual(step.id, ComposedApplication.transient)
      check(step)
    }
  }

  private func checkCollections() throws {
    check(collection: try container.resolveAll((any Step).self))
    check(collection: try container.resolve([any Step].self))
  }

  private func checkWiring() throws {
    try check(container.resolve(ComposedApplication.Machine.self))
  }

  private func check(_ machine: ComposedApplication.Machine) throws {
    check(original: machine.step)
    check(collection: machine.steps)
    let used = try machine.lazy.value
    check(original: used)
    XCTAssertTrue(try machine.lazy.value === used)
    check(original: try machine.provider())
    XCTAssertEqual(machine.tool?.labels, [0])
    XCTAssertNil(machine.missing)
  }

  private func checkForwards() throws {
    let tool = try container.resolve((any ComposedApplication.Tool).self)
    XCTAssertEqual(tool.labels, [0])
    XCTAssertTrue(tool.base === (try container.resolve(ComposedApplication.Hammer.self)))
    XCTAssertTrue(try container.resolve((any ComposedApplication.Tool).self) === tool)
  }

  /// A child's decorator reaches the instances that belong to the child, and not those of the
  /// parent.
  private func checkChild() throws {
    let child = Container(parent: container)
    try application.decorate(child, label: Self.childLabel)
    check(original: try child.resolve((any Step).self))
    let transient = try child.resolve((any Step).self, name: "transient")
    XCTAssertEqual(transient.labels.last, Self.childLabel)
    check(labels: transient.labels.dropLast())
  }

  private func checkRequestScope() throws {
    let scope = container.makeScope()
    let visit = try scope.resolve(ComposedApplication.Visit.self)
    XCTAssertTrue(try scope.resolve(ComposedApplication.Visit.self) === visit)
    check(original: visit.step)
    try check(scope.resolve(ComposedApplication.Machine.self))
    try scope.syncClose()
  }

  // MARK: - Checks

  private static let childLabel = -1

  /// An instance of the registration that is overridden.
  private func check(original step: any Step) {
    XCTAssertLessThanOrEqual(step.id, 0)
    check(step)
  }

  private func check(_ step: any Step) { check(labels: step.labels[...]) }

  /// The writer adds a decorator, and then removes the one before: two of its own at most.
  private func check(labels: ArraySlice<Int>) {
    XCTAssertEqual(labels.first, 0)
    let added = labels.dropFirst()
    XCTAssertLessThanOrEqual(added.count, 2, "\(labels)")
    if let first = added.first, let last = added.last {
      XCTAssertEqual(last - first, added.count - 1, "\(labels)")
    }
  }

  /// One step that is or was overridden, and elements in their order: those that stay, and some of
  /// the others.
  private func check(collection steps: [any Step]) {
    let elements = steps.map(\.id).filter { $0 > 0 }
    XCTAssertEqual(steps.count - elements.count, 1, "\(steps.map(\.id))")
    XCTAssertEqual(elements, Set(elements).sorted())
    XCTAssertEqual(
      Array(elements.prefix(ComposedApplication.elements)),
      Array(1...ComposedApplication.elements))
    for step in steps { check(step) }
  }
}

/// The changes.
extension Round {
  fileprivate typealias Writer = @Sendable (Round, Int, () -> Bool) throws -> Void

  fileprivate static let writers: [Writer] = [
    { try $0.contribute($1, $2) }, { try $0.decorate($1, $2) }, { try $0.override($1, $2) },
    { try $0.fork($1, $2) }, { try $0.freeze($1, $2) },
  ]

  /// Keeps up to three elements more than those that stay.
  private func contribute(_ count: Int, _ isOver: () -> Bool) throws {
    var added: [Registration<any Step>] = []
    for number in 1...count {
      guard
        let element = try unlessFrozen(
          isOver,
          {
            try application.add(ComposedApplication.elements + number)
          })
      else { return }
      added.append(element)
      guard added.count > 3 else { continue }
      let oldest = added.removeFirst()
      repeatUntilThawed(isOver) { container.unregister(oldest) }
    }
    for element in added { repeatUntilThawed(isOver) { container.unregister(element) } }
  }

  private func decorate(_ count: Int, _ isOver: () -> Bool) throws {
    var last: Decoration?
    for label in 1...count {
      guard
        let next = try unlessFrozen(isOver, { try application.decorate(container, label: label) })
      else { return }
      if let last { repeatUntilThawed(isOver) { last.remove() } }
      last = next
    }
    if let last { repeatUntilThawed(isOver) { last.remove() } }
  }

  /// Overrides twice, and restores in either order.
  private func override(_ count: Int, _ isOver: () -> Bool) throws {
    for number in 1...count {
      guard
        let first = try unlessFrozen(
          isOver, { try application.override(container, by: -2 * number) }),
        let second = try unlessFrozen(
          isOver, { try application.override(container, by: -2 * number - 1) })
      else { return }
      for token in number.isMultiple(of: 2) ? [first, second] : [second, first] {
        repeatUntilThawed(isOver) { token.restore() }
        XCTAssertFalse(token.restore(), "an override is undone once")
      }
    }
  }

  /// What a fork overrides reaches all of it, and its parent never.
  private func fork(_ count: Int, _ isOver: () -> Bool) throws {
    for number in 1...count {
      if number == count / 2 { container.add(ResolveCount(events)) }
      let id = -1_000_000 - number
      let fork = try container.fork { try application.override($0, by: id) }
      let machine = try fork.resolve(ComposedApplication.Machine.self)
      try check(machine)
      XCTAssertEqual(machine.step.id, id)
      XCTAssertEqual(try machine.lazy.value.id, id)
      XCTAssertEqual(machine.steps.filter { $0.id <= 0 }.map(\.id), [id])
      XCTAssertFalse(
        machine.tool?.base === (try container.resolve(ComposedApplication.Hammer.self)))
      XCTAssertGreaterThan(try container.resolve((any Step).self).id, -1_000_000)
      if number.isMultiple(of: 2) { try fork.syncClose() }
    }
  }

  private func freeze(_ count: Int, _ isOver: () -> Bool) throws {
    for _ in 0..<count {
      try container.freeze()
      check(original: try container.resolve((any Step).self))
      XCTAssertTrue(container.isFrozen)
      container.thaw()
      usleep(100)
    }
  }

  /// - Returns: `nil` if the round is over.
  private func unlessFrozen<Result>(
    _ isOver: () -> Bool, _ change: () throws -> Result
  ) throws -> Result? {
    while !isOver() {
      do { return try change() } catch RegistrationError.containerFrozen { sched_yield() }
    }
    return nil
  }

  private func repeatUntilThawed(_ isOver: () -> Bool, _ change: () -> Bool) {
    while !isOver() {
      if change() { return }
      sched_yield()
    }
  }
}

/// Counts the resolves that it hears of.
private struct ResolveCount: Behavior {
  let count: AtomicCounter

  init(_ count: AtomicCounter) { self.count = count }

  var events: BehaviorEvents { [.resolution, .construction] }

  func didResolve(_ key: RegistrationKey, as instance: Any, in container: Container) {
    count.add()
  }
}
