// SPDX-License-Identifier: MIT

import Corinth
import TestSupport
import XCTest

/// Notes its steps, and registers its name.
private struct Part: Assembly {
  let name: String
  let log: EventLog
  var dependencies: [any Assembly] = []
  var failing: AssemblyPhase?
  var id: String? { name }

  private func step(_ phase: AssemblyPhase) throws {
    log.add("\(phase) \(name)")
    if failing == phase { throw FixtureError(name) }
  }

  func preloaded(container: Container) throws { try step(.preloading) }

  func assemble(container: Container) throws {
    try step(.assembling)
    let name = name
    try container.register(String.self, name: Name(name)) { _ in name }
  }

  func loaded(resolver: Resolver) throws {
    try step(.loading)
    XCTAssertEqual(try resolver.resolve(String.self, name: Name(name)), name)
  }
}

private final class Plain: Assembly {
  let log: EventLog
  init(_ log: EventLog) { self.log = log }
  func assemble(container: Container) { log.add("plain") }
}

private final class Needs<Other: Assembly>: Assembly {
  let log: EventLog
  let other: @Sendable (EventLog) -> Other
  init(_ log: EventLog, _ other: @escaping @Sendable (EventLog) -> Other) {
    self.log = log
    self.other = other
  }
  var dependencies: [any Assembly] { [other(log)] }
  func assemble(container: Container) { log.add("needs") }
}

/// Two modules that need each other.
private struct Left: Assembly {
  let log: EventLog
  var dependencies: [any Assembly] { [Right(log: log)] }
  func assemble(container: Container) { log.add("left") }
}
private struct Right: Assembly {
  let log: EventLog
  var dependencies: [any Assembly] { [Left(log: log)] }
  func assemble(container: Container) { log.add("right") }
}

/// A module that needs another one, and modules that take the place of that.
private struct Session: Assembly {
  let log: EventLog
  var dependencies: [any Assembly] { [Live(log: log)] }
  func assemble(container: Container) { log.add("session") }
}
private struct Live: Assembly {
  let log: EventLog
  func assemble(container: Container) throws {
    log.add("live")
    try container.register(String.self) { _ in "live" }
  }
}
private struct Mock: Assembly {
  let log: EventLog
  var replaces: [any Assembly.Type] { [Live.self] }
  func assemble(container: Container) throws {
    log.add("mock")
    try container.register(String.self) { _ in "mock" }
  }
}
private struct MockOfMock: Assembly {
  let log: EventLog
  var replaces: [any Assembly.Type] { [Mock.self, Self.self] }
  var dependencies: [any Assembly] { [Live(log: log), Mock(log: log)] }
  func assemble(container: Container) { log.add("mock of mock") }
}

final class AssemblerTests: ContainerTestCase {
  private let log = EventLog()

  private func part(_ name: String, _ dependencies: [any Assembly] = []) -> Part {
    Part(name: name, log: log, dependencies: dependencies)
  }

  func testAllPreloadThenAllAssembleThenAllLoadInOrder() throws {
    try Assembler(container: container).apply(assemblies: [part("a"), part("b")])
    XCTAssertEqual(
      log.entries,
      [
        "preloading a", "preloading b", "assembling a", "assembling b", "loading a", "loading b",
      ])
  }

  func testAnAssemblyThatThrowsNothingIsAppliedWithoutTry() {
    let assembler = Assembler(container: container)
    assembler.apply(assembly: Plain(log))
    assembler.apply(assembly: Plain(log))
    XCTAssertEqual(log.entries, ["plain"], "the second is the same module")
  }

  func testAnAssemblyMayRegisterInItsMethodsWithoutThrowing() throws {
    final class Greeting: Assembly {
      func assemble(container: Container) {
        _ = try? container.register(String.self) { _ in "hello" }
      }
    }
    Assembler(container: container).apply(assembly: Greeting())
    XCTAssertEqual(try container.resolve(String.self), "hello")
  }

  // MARK: - Modules that need others

  func testWhatSeveralNeedIsAppliedOnceAndBefore() throws {
    let base = part("base")
    try Assembler(container: container).apply(
      assemblies: [part("a", [base]), part("b", [part("deep", [base]), base])])
    XCTAssertEqual(
      log.entries.filter { $0.hasPrefix("assembling") },
      ["assembling base", "assembling a", "assembling deep", "assembling b"])
    XCTAssertEqual(log.entries.count, 12)
  }

  func testAnAssemblerRemembersWhatItHasApplied() throws {
    let assembler = Assembler(container: container)
    try assembler.apply(assembly: part("base"))
    try assembler.apply(assembly: part("a", [part("base")]))
    try assembler.apply(assembly: part("a"))
    XCTAssertEqual(
      log.entries.filter { $0.hasPrefix("assembling") }, ["assembling base", "assembling a"])
    try Assembler(container: container).apply(assembly: part("base"))
    XCTAssertEqual(log.entries.filter { $0 == "assembling base" }.count, 2, "another assembler")
  }

  func testAssembliesOfOneTypeAreOneModuleUnlessTheyDifferInTheirIdentifiers() throws {
    let assembler = Assembler(container: container)
    try assembler.apply(assemblies: [Plain(log), Plain(log)])
    XCTAssertEqual(log.entries, ["plain"])
    try assembler.apply(assemblies: [part("a"), part("a"), part("b")])
    XCTAssertEqual(log.entries.filter { $0.hasPrefix("assembling") }.count, 2)
  }

  func testModulesThatNeedEachOtherAreAppliedOnceEach() throws {
    try Assembler(container: container).apply(assembly: Left(log: log))
    XCTAssertEqual(log.entries, ["right", "left"])
  }

  func testAnAssemblyThatThrowsNothingMayNeedOneThatThrows() throws {
    let assembler = Assembler(container: container)
    XCTAssertThrowsError(
      try assembler.apply(
        assembly: Needs(log) { Part(name: "a", log: $0, failing: .assembling) })
    ) { XCTAssertEqual(Self.failure($0)?.assembly, "Part") }
    XCTAssertFalse(log.entries.contains("needs"))
  }

  // MARK: - Replacements

  /// A mock that came before the module that needs the live one was overridden by that, without a
  /// word.
  func testAModuleTakesThePlaceOfAnotherOneWhereverItStands() throws {
    for isFirst in [true, false] {
      let (container, log) = (Container(duplicates: .refuse), EventLog())
      let (mock, session) = (Mock(log: log), Session(log: log))
      let assemblies: [any Assembly] = isFirst ? [mock, session, Live(log: log)] : [session, mock]
      try Assembler(container: container).apply(assemblies: assemblies)
      XCTAssertEqual(log.entries, ["mock", "session"])
      XCTAssertEqual(try container.resolve(String.self), "mock")
    }
  }

  func testAReplacementHoldsForLaterCalls() throws {
    let assembler = Assembler(container: container)
    try assembler.apply(assembly: Mock(log: log))
    try assembler.apply(assembly: Session(log: log))
    try assembler.apply(assembly: Live(log: log))
    assembler.apply(assembly: Plain(log))
    XCTAssertEqual(log.entries, ["mock", "session", "plain"])
  }

  func testAReplacementMayBeReplacedAndNeedWhatItReplaces() throws {
    try Assembler(container: container).apply(
      assemblies: [Session(log: log), MockOfMock(log: log), Mock(log: log)])
    XCTAssertEqual(log.entries, ["mock of mock", "session"])
  }

  // MARK: - Errors

  private static func failure(
    _ error: any Error
  ) -> (assembly: String, phase: AssemblyPhase, error: any Error)? {
    guard case RegistrationError.assemblyFailed(let assembly, let phase, let error) = error else {
      return nil
    }
    return (assembly, phase, error)
  }

  func testAnErrorStopsAndNamesTheAssembly() throws {
    for phase in AssemblyPhase.allCases {
      let log = EventLog()
      XCTAssertThrowsError(
        try Assembler(container: Container()).apply(
          assemblies: [
            Part(name: "a", log: log), Part(name: "b", log: log, failing: phase),
            Part(name: "c", log: log),
          ])
      ) {
        XCTAssertEqual(Self.failure($0)?.assembly, "Part")
        XCTAssertEqual(Self.failure($0)?.phase, phase)
        XCTAssertEqual(Self.failure($0)?.error as? FixtureError, FixtureError("b"))
        assertGolden("assembly-\(phase)", "\($0)")
      }
      XCTAssertEqual(log.entries.last, "\(phase) b")
    }
  }

  func testAFurtherCallGoesOnWithTheStepThatFailed() throws {
    let assembler = Assembler(container: container)
    XCTAssertThrowsError(
      try assembler.apply(
        assemblies: [part("a"), Part(name: "b", log: log, failing: .assembling), part("c")]))
    let before = log.entries.count
    try assembler.apply(assemblies: [part("a"), part("b"), part("c")])
    XCTAssertEqual(
      Array(log.entries.dropFirst(before)),
      ["assembling b", "assembling c", "loading a", "loading b", "loading c"])
  }

  func testARefusedDuplicateNamesTheModule() throws {
    let container = Container(duplicates: .refuse)
    try container.register(String.self, name: "a") { _ in "first" }
    XCTAssertThrowsError(try Assembler(container: container).apply(assembly: part("a"))) {
      XCTAssertEqual(Self.failure($0)?.error as? RegistrationError, .alreadyRegistered)
    }
  }

  // MARK: - Concurrency

  /// Applies others in the middle of its own step.
  private struct Outer: Assembly {
    let assembler: Assembler
    let log: EventLog
    func assemble(container: Container) throws {
      try assembler.apply(assemblies: [self, Plain(log)])
      log.add("outer")
    }
  }

  func testAnAssemblyMayApplyOthers() throws {
    let assembler = Assembler(container: container)
    try assembler.apply(assembly: Outer(assembler: assembler, log: log))
    XCTAssertEqual(log.entries, ["plain", "outer"])
  }

  func testOneOfEightThreadsAppliesAModule() throws {
    for _ in 0..<100 {
      let log = EventLog()
      let assembler = Assembler(container: Container())
      try onThreads(8) { thread in
        try assembler.apply(
          assemblies: [
            Part(name: "\(thread)", log: log, dependencies: [Part(name: "base", log: log)])
          ])
      }
      XCTAssertEqual(log.entries.count, 27)
      XCTAssertEqual(Set(log.entries).count, 27)
      XCTAssertEqual(assembler.container.registrations.count, 9)
    }
  }
}
