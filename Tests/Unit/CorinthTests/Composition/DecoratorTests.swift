// SPDX-License-Identifier: MIT

import Corinth
import TestSupport
import XCTest

/// Decorators: which instances they wrap, how often, and when they go.
final class DecoratorTests: XCTestCase {
  private protocol Greeter: AnyObject, Sendable {
    var text: String { get }
  }

  private final class Plain: Greeter {
    let text: String
    init(_ text: String = "plain") { self.text = text }
  }

  private final class Wrapped: Greeter {
    let inner: any Greeter
    let label: String
    init(_ inner: any Greeter, _ label: String) { (self.inner, self.label) = (inner, label) }
    var text: String { "\(label)(\(inner.text))" }
  }

  private static func decorated(_ container: Container, _ label: String) throws -> Decoration {
    try container.decorate((any Greeter).self) { greeter, _ in Wrapped(greeter, label) }
  }

  func testTheDecoratorAddedLastIsTheOutermost() throws {
    let container = Container()
    try container.register((any Greeter).self) { _ in Plain() }
    _ = try Self.decorated(container, "a")
    _ = try Self.decorated(container, "b")
    XCTAssertEqual(try container.resolve((any Greeter).self).text, "b(a(plain))")
  }

  func testEachScopeDecoratesItsInstanceOnce() throws {
    let container = Container()
    let count = AtomicCounter()
    try container.decorate((any Greeter).self) { greeter, _ in
      count.add()
      return Wrapped(greeter, "a")
    }
    let scopes: [(Name, Scope<any Greeter>)] = [
      ("singleton", .singleton), ("weak", .weak), ("cached", .cached(for: .seconds(60))),
      ("scoped", .scoped), ("graph", .graph),
    ]
    for (name, scope) in scopes {
      try container.register((any Greeter).self, name: name, scope: scope) { _ in Plain() }
      let requestScope = container.makeScope()
      let before = count.value
      let first = try requestScope.resolve((any Greeter).self, name: name)
      let second = try requestScope.resolve((any Greeter).self, name: name)
      XCTAssertEqual(first.text, "a(plain)")
      // Two resolves are two graphs.
      XCTAssertEqual(first === second, name != "graph", "\(name)")
      XCTAssertEqual(count.value - before, name == "graph" ? 2 : 1, "\(name)")
    }
    try container.register((any Greeter).self) { _ in Plain() }
    let before = count.value
    for _ in 0..<3 { XCTAssertEqual(try container.resolve((any Greeter).self).text, "a(plain)") }
    XCTAssertEqual(count.value - before, 3)
  }

  func testFactoriesWithArgumentsAreDecorated() throws {
    let container = Container()
    try container.register((any Greeter).self) { (_, text: String) in Plain(text) }
    XCTAssertEqual(try container.resolve((any Greeter).self, arguments: "x").text, "x")
    _ = try Self.decorated(container, "a")
    XCTAssertEqual(try container.resolve((any Greeter).self, arguments: "x").text, "a(x)")
  }

  func testAsynchronousFactoriesAreDecorated() async throws {
    let container = Container()
    try container.registerAsync((any Greeter).self) { _ in Plain() }.as(.singleton)
    try container.registerAsync((any Greeter).self, name: "each") { _ in Plain() }
    _ = try Self.decorated(container, "a")
    let one = try await container.resolveAsync((any Greeter).self)
    let two = try await container.resolveAsync((any Greeter).self)
    XCTAssertTrue(one === two)
    XCTAssertEqual(one.text, "a(plain)")
    let each = try await container.resolveAsync((any Greeter).self, name: "each")
    XCTAssertEqual(each.text, "a(plain)")
  }

  func testADecoratorThatIsRemovedIsGoneFromTheNextResolveOn() throws {
    let container = Container()
    try container.register((any Greeter).self) { _ in Plain() }.as(.singleton)
    try container.register((any Greeter).self, name: "each") { _ in Plain() }
    let a = try Self.decorated(container, "a")
    let b = try Self.decorated(container, "b")
    XCTAssertEqual(try container.resolve((any Greeter).self).text, "b(a(plain))")
    XCTAssertTrue(a.remove())
    XCTAssertEqual(try container.resolve((any Greeter).self).text, "b(plain)")
    XCTAssertEqual(try container.resolve((any Greeter).self, name: "each").text, "b(plain)")
    XCTAssertTrue(b.remove())
    XCTAssertFalse(b.remove())
    XCTAssertEqual(try container.resolve((any Greeter).self).text, "plain")
    XCTAssertEqual(try container.resolve((any Greeter).self, name: "each").text, "plain")
  }

  func testTransientsAndProvidersFromBeforeAreDecoratedToo() throws {
    let container = Container()
    try container.register((any Greeter).self) { _ in Plain() }
    let provider = try container.provider(for: (any Greeter).self)
    XCTAssertEqual(try provider().text, "plain")
    _ = try Self.decorated(container, "a")
    XCTAssertEqual(try provider().text, "a(plain)")
  }

  func testValuesAreDecoratedBeforeAndAfterTheirRegistration() throws {
    let container = Container()
    try container.register(value: Plain(), as: (any Greeter).self, name: "before")
    XCTAssertEqual(try container.resolve((any Greeter).self, name: "before").text, "plain")
    let a = try Self.decorated(container, "a")
    try container.register(value: Plain(), as: (any Greeter).self, name: "after")
    for name: Name in ["before", "after"] {
      let greeter = try container.resolve((any Greeter).self, name: name)
      XCTAssertEqual(greeter.text, "a(plain)")
      XCTAssertTrue(try container.resolve((any Greeter).self, name: name) === greeter)
    }
    a.remove()
    XCTAssertEqual(try container.resolve((any Greeter).self, name: "before").text, "plain")
  }

  func testWhatIsRestoredHasTheDecoratorsOfNow() throws {
    let container = Container()
    try container.register((any Greeter).self) { _ in Plain() }.as(.singleton)
    try container.register(value: Plain("value"), as: (any Greeter).self, name: "value")
    _ = try container.resolve((any Greeter).self)
    let tokens = [
      try container.register((any Greeter).self, onDuplicate: .require) { _ in Plain() },
      try container.register((any Greeter).self, name: "value", onDuplicate: .require) { _ in
        Plain()
      },
    ]
    _ = try Self.decorated(container, "a")
    for token in tokens { XCTAssertTrue(token.restore()) }
    XCTAssertEqual(try container.resolve((any Greeter).self).text, "a(plain)")
    XCTAssertEqual(try container.resolve((any Greeter).self, name: "value").text, "a(value)")
  }

  func testAnInstanceMayStoreItsDecoration() throws {
    final class Holder: Sendable {
      let decoration: Decoration
      let tracked: Tracked
      init(_ decoration: Decoration, _ tracked: Tracked) {
        (self.decoration, self.tracked) = (decoration, tracked)
      }
    }
    let tracker = LifetimeTracker()
    do {
      let container = Container()
      try container.register(Holder.self) { [unowned container] _ in
        Holder(try Self.decorated(container, "a"), tracker.make())
      }.as(.singleton)
      _ = try container.resolve(Holder.self)
    }
    settleReclamation()
    XCTAssertEqual(tracker.alive, 0)
  }

  func testTheElementsOfCollectionsAreDecorated() throws {
    let container = Container()
    try container.contribute(to: (any Greeter).self) { _ in Plain("one") }
    try container.contribute(to: (any Greeter).self) { _ in Plain("two") }.as(.singleton)
    _ = try Self.decorated(container, "a")
    XCTAssertEqual(
      try container.resolveAll((any Greeter).self).map(\.text), ["a(one)", "a(two)"])
  }

  // MARK: - Parents

  func testAChildsDecoratorReachesWhatTheChildBuildsOnly() throws {
    let parent = Container()
    try parent.register((any Greeter).self) { _ in Plain() }
    try parent.register((any Greeter).self, name: "one") { _ in Plain() }.as(.singleton)
    let child = Container(parent: parent)
    _ = try Self.decorated(child, "child")
    XCTAssertEqual(try child.resolve((any Greeter).self).text, "child(plain)")
    XCTAssertEqual(try child.resolve((any Greeter).self, name: "one").text, "plain")
    XCTAssertEqual(try parent.resolve((any Greeter).self).text, "plain")
  }

  func testAParentsDecoratorReachesItsChildrenAndComesFirst() throws {
    let parent = Container()
    _ = try Self.decorated(parent, "parent")
    let child = Container(parent: parent)
    _ = try Self.decorated(child, "child")
    try child.register((any Greeter).self) { _ in Plain() }.as(.singleton)
    XCTAssertEqual(try child.resolve((any Greeter).self).text, "child(parent(plain))")
  }

  /// Children are not known to their parents: those that have registered before look for decorators
  /// themselves.
  func testAParentsDecoratorReachesTransientsThatAChildRegisteredBefore() throws {
    let parent = Container()
    let child = Container(parent: parent)
    try child.register((any Greeter).self) { _ in Plain() }
    try child.register((any Greeter).self) { (_, text: String) in Plain(text) }
    XCTAssertEqual(try child.resolve((any Greeter).self).text, "plain")
    _ = try Self.decorated(parent, "parent")
    XCTAssertEqual(try child.resolve((any Greeter).self).text, "parent(plain)")
    XCTAssertEqual(try child.resolve((any Greeter).self, arguments: "x").text, "parent(x)")
  }

  func testAnOverriddenInstanceIsDecoratedAnewWhenItIsRestored() throws {
    let container = Container()
    try container.register((any Greeter).self) { _ in Plain() }.as(.singleton)
    try container.register(value: Plain(), as: (any Greeter).self, name: "value")
    let first = try Self.decorated(container, "a")
    let names: [Name?] = [nil, "value"]
    for name in names {
      XCTAssertEqual(try container.resolve((any Greeter).self, name: name).text, "a(plain)")
    }
    let overrides = try names.flatMap { name in
      try ["x", "y"].map { text in
        try container.register((any Greeter).self, name: name, onDuplicate: .require) { _ in
          Plain(text)
        }
      }
    }
    first.remove()
    _ = try Self.decorated(container, "b")
    for name in names {
      XCTAssertEqual(try container.resolve((any Greeter).self, name: name).text, "b(y)")
    }
    for override in overrides { XCTAssertTrue(override.restore()) }
    for name in names {
      XCTAssertEqual(try container.resolve((any Greeter).self, name: name).text, "b(plain)")
    }
  }

  // MARK: - Forwarding

  func testAForwardedTypeIsDecoratedOncePerInstance() throws {
    let container = Container()
    try container.register(Plain.self) { _ in Plain() }.as(.singleton)
    try container.forward((any Greeter).self, to: Plain.self)
    _ = try Self.decorated(container, "a")
    let first = try container.resolve((any Greeter).self)
    XCTAssertEqual(first.text, "a(plain)")
    XCTAssertTrue(try container.resolve((any Greeter).self) === first)
    XCTAssertTrue((first as? Wrapped)?.inner === (try container.resolve(Plain.self)))
    container.release(Plain.self)
    XCTAssertFalse(try container.resolve((any Greeter).self) === first)
  }

  func testAForwardToTheSameTypeDecoratesNothingOnceMore() throws {
    let container = Container()
    try container.register((any Greeter).self, name: "real") { _ in Plain() }.as(.singleton)
    try container.forward(
      (any Greeter).self, to: (any Greeter).self, targetName: "real")
    _ = try Self.decorated(container, "a")
    let greeter = try container.resolve((any Greeter).self)
    XCTAssertEqual(greeter.text, "a(plain)")
    XCTAssertTrue(try container.resolve((any Greeter).self, name: "real") === greeter)
  }

  func testAChainOfForwardsIsDecoratedOncePerInstance() throws {
    let container = Container()
    try container.register(Plain.self) { _ in Plain() }.as(.singleton)
    try container.forward((any AnyObject & Sendable).self, to: Plain.self)
    try container.forward((any Greeter).self, to: (any AnyObject & Sendable).self)
    _ = try Self.decorated(container, "a")
    let first = try container.resolve((any Greeter).self)
    XCTAssertEqual(first.text, "a(plain)")
    XCTAssertTrue(try container.resolve((any Greeter).self) === first)
  }

  /// The owner of the instance was looked up once it was there: that of the registration by then.
  /// The decorators of another container were run, or none.
  func testAForwardDecoratesWhatItWasServedWhileItsTargetIsOverridden() async throws {
    let parent = Container()
    let isShared = AtomicCounter()
    @Sendable func register() throws {
      if isShared.add() % 2 == 0 {
        try parent.register(Plain.self, scope: .singleton) { _ in
          try register()
          return Plain("parent's")
        }
      } else {
        try parent.register(Plain.self) { _ in
          try register()
          return Plain("child's")
        }
      }
    }
    try register()
    try parent.forward((any Greeter).self, to: Plain.self)
    let child = Container(parent: parent)
    _ = try Self.decorated(child, "a")
    for _ in 0..<3 {
      XCTAssertEqual(try child.resolve((any Greeter).self).text, "a(child's)")
      XCTAssertEqual(try child.resolve((any Greeter).self).text, "parent's")
    }
    let first = try await child.resolveAsync((any Greeter).self).text
    let second = try await child.resolveAsync((any Greeter).self).text
    XCTAssertEqual([first, second], ["a(child's)", "parent's"])
  }

  func testAForwardDecoratesByTheOwnerOfWhatItWasServedBesideOverrides() throws {
    let parent = Container()
    try parent.register(Plain.self) { _ in Plain("child's") }
    try parent.forward((any Greeter).self, to: Plain.self)
    let child = Container(parent: parent)
    _ = try Self.decorated(child, "a")
    let rounds = StressSize.scaled(2_000)
    let texts: Set<String> = ["a(child's)", "parent's"]
    try onThreads(4) { thread in
      for _ in 0..<rounds {
        if thread == 0 {
          try parent.register(Plain.self, scope: .singleton, onDuplicate: .require) { _ in
            Plain("parent's")
          }.restore()
        } else {
          XCTAssertTrue(texts.contains(try child.resolve((any Greeter).self).text))
        }
      }
    }
  }

  func testADecoratorOfAChildDoesNotReachTheParentsInstancesThroughForwards() throws {
    let parent = Container()
    try parent.register(Plain.self) { _ in Plain() }.as(.singleton)
    try parent.forward((any AnyObject & Sendable).self, to: Plain.self)
    try parent.forward((any Greeter).self, to: (any AnyObject & Sendable).self)
    let child = Container(parent: parent)
    _ = try Self.decorated(child, "a")
    XCTAssertEqual(try child.resolve((any Greeter).self).text, "plain")
  }

  func testADecoratorOfAForwardedTypeLetsAWeakInstanceGo() throws {
    let container = Container()
    try container.register(Plain.self) { _ in Plain() }.as(.weak)
    try container.forward((any Greeter).self, to: Plain.self)
    _ = try Self.decorated(container, "a")
    weak var instance: Plain?
    do {
      let plain = try container.resolve(Plain.self)
      instance = plain
      let first = try container.resolve((any Greeter).self)
      XCTAssertEqual(first.text, "a(plain)")
    }
    settleReclamation()
    XCTAssertNil(instance)
  }

  /// Each instance that lives long would otherwise keep the decorators that it has ever had.
  func testDecoratorsOfAForwardedTypeThatAreGoneAreReleased() throws {
    let container = Container()
    try container.register(Plain.self) { _ in Plain() }.as(.singleton)
    try container.forward((any Greeter).self, to: Plain.self)
    let tracker = LifetimeTracker()
    for _ in 0..<100 {
      let tracked = tracker.make()
      let token = try container.decorate((any Greeter).self) { greeter, _ in
        Wrapped(greeter, "\(tracked.serial)")
      }
      _ = try container.resolve((any Greeter).self)
      token.remove()
    }
    _ = try container.resolve((any Greeter).self)
    settleReclamation()
    XCTAssertLessThan(tracker.alive, 3)
  }

  // MARK: - Actions

  func testActionsAndDisposersGetTheInstanceAsItsFactoryMadeIt() async throws {
    let container = Container()
    let journal = Journal()
    try container.register((any Greeter).self) { _ in Plain() }.as(.singleton)
      .afterInit { _, greeter in journal.write("init \(greeter.text)") }
      .onDispose { greeter in journal.write("end \(greeter.text)") }
    _ = try Self.decorated(container, "a")
    XCTAssertEqual(try container.resolve((any Greeter).self).text, "a(plain)")
    try await container.shutdown()
    XCTAssertEqual(journal.entries, ["init plain", "end plain"])
  }

  func testAnEarlyReferenceIsTheDecoratedInstance() throws {
    final class Holder: Sendable {
      let greeter: any Greeter
      init(_ greeter: any Greeter) { self.greeter = greeter }
    }
    let container = Container()
    let held = Guarded<any Greeter>()
    try container.register((any Greeter).self) { _ in Plain() }.as(.singleton)
      .afterInit { resolver, _ in held.value = try resolver.resolve(Holder.self).greeter }
    try container.register(Holder.self) { Holder(try $0.resolve()) }.as(.singleton)
    _ = try Self.decorated(container, "a")
    let greeter = try container.resolve((any Greeter).self)
    XCTAssertTrue(held.value === greeter)
  }

  // MARK: - Failures

  func testADecoratorThatThrowsFailsTheResolveAndNothingIsKept() throws {
    let container = Container()
    try container.register((any Greeter).self) { _ in Plain() }.as(.singleton)
    let fails = Guarded<Bool>()
    fails.value = true
    try container.decorate((any Greeter).self) { greeter, _ in
      if fails.value == true { throw FixtureError("no wrapping") }
      return Wrapped(greeter, "a")
    }
    XCTAssertThrowsError(try container.resolve((any Greeter).self)) { error in
      XCTAssertEqual(
        (error as? ResolutionError)?.underlyingError as? FixtureError, FixtureError("no wrapping"))
    }
    fails.value = false
    XCTAssertEqual(try container.resolve((any Greeter).self).text, "a(plain)")
  }

  func testADecoratorThatAsksForItsOwnKeyIsACycle() throws {
    let container = Container()
    try container.register((any Greeter).self) { _ in Plain() }.as(.singleton)
    try container.decorate((any Greeter).self) { _, resolver in try resolver.resolve() }
    XCTAssertThrowsError(try container.resolve((any Greeter).self)) { error in
      XCTAssertEqual(error as? ResolutionError, .circularDependencyDetected)
    }
  }

  func testAClosedContainerRefusesDecorators() throws {
    let container = Container()
    try container.syncClose()
    XCTAssertThrowsError(try Self.decorated(container, "a")) { error in
      XCTAssertEqual(error as? RegistrationError, .containerClosed)
    }
  }

  // MARK: - Threads

  func testASingletonIsDecoratedOnceForAllThreads() throws {
    for _ in 0..<StressSize.scaled(50) {
      let container = Container()
      let count = AtomicCounter()
      try container.register((any Greeter).self) { _ in Plain() }.as(.singleton)
      try container.decorate((any Greeter).self) { greeter, _ in
        count.add()
        usleep(500)
        return Wrapped(greeter, "a")
      }
      let found = try onThreads(8) { _ in try container.resolve((any Greeter).self) }
      XCTAssertEqual(count.value, 1)
      XCTAssertTrue(found.allSatisfy { $0 === found[0] })
    }
  }

  /// While decorators come and go, each resolve sees all of one moment's decorators.
  func testDecoratorsMayComeAndGoUnderResolves() throws {
    let container = Container()
    try container.register((any Greeter).self) { _ in Plain() }
    try container.register((any Greeter).self, name: "one") { _ in Plain() }.as(.singleton)
    let texts: Set<String> = ["plain", "a(plain)", "b(a(plain))"]
    let rounds = StressSize.scaled(2_000)
    try onThreads(4) { thread in
      for _ in 0..<rounds {
        if thread == 0 {
          let a = try Self.decorated(container, "a")
          let b = try Self.decorated(container, "b")
          b.remove()
          a.remove()
        } else {
          XCTAssertTrue(texts.contains(try container.resolve((any Greeter).self).text))
          XCTAssertTrue(texts.contains(try container.resolve((any Greeter).self, name: "one").text))
        }
      }
    }
    XCTAssertEqual(try container.resolve((any Greeter).self).text, "plain")
    XCTAssertEqual(try container.resolve((any Greeter).self, name: "one").text, "plain")
  }
}
