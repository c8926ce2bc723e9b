// SPDX-License-Identifier: MIT

import Corinth
import TestSupport
import XCTest

#if DEBUG
  private protocol Check: Sendable {}
  private struct Ping: Check {}
  private struct Disk: Check {}

  /// Registers two checks under their protocol, which would be contributions.
  private struct ChecksAssembly: Assembly {
    func assemble(container: Container) throws {
      try container.register((any Check).self, file: "App/Checks.swift", line: 3) { _ in Ping() }
      try container.register((any Check).self, file: "App/Checks.swift", line: 4) { _ in Disk() }
    }
  }

  /// Registers an integer at its line, in the way that `body` registers.
  private struct Module<Marker>: Assembly {
    var id: String?
    var replaces: [any Assembly.Type] = []
    var preload: (@Sendable (Container) throws -> Void)?
    var body: @Sendable (Container) throws -> Void = { container in
      try container.register(Int.self, file: "App/Module.swift", line: 1) { _ in 1 }
    }
    func preloaded(container: Container) throws { try preload?(container) }
    func assemble(container: Container) throws { try body(container) }
  }
  private enum First {}
  private enum Second {}

  private struct Plain: Assembly {
    func assemble(container: Container) {
      for number in 0..<2 {
        do { try container.register(Int.self) { _ in number } } catch { XCTFail("\(error)") }
      }
    }
  }

  /// A second check, registered like the first and not contributed, took the place of the first
  /// without a word.
  final class DuplicateHintTests: XCTestCase {
    private let hints = EventLog()

    override func setUp() { Container.onHint = { [hints] in hints.add($0) } }
    override func tearDown() { Container.onHint = nil }

    private func apply(
      _ assemblies: any Assembly..., to container: Container = Container()
    ) throws -> [String] {
      try Assembler(container: container).apply(assemblies: assemblies)
      return hints.entries
    }

    private static let overriding: @Sendable (Container) throws -> Void = { container in
      try container.register(Int.self, file: "App/Other.swift", line: 2) { _ in 2 }
    }

    func testTwoLinesOfAnAssemblyAreReportedWithContribute() throws {
      XCTAssertEqual(
        try apply(ChecksAssembly()),
        [
          """
          any Check, registered by ChecksAssembly at App/Checks.swift:3, is overridden by the same assembly at \
          App/Checks.swift:4.
            hint: to collect both, `contribute(to: (any Check).self)`; if the second is meant to win, say \
          `onDuplicate: .override`.
          """
        ])
    }

    func testTwoModulesAreReportedWithReplaces() throws {
      let hints = try apply(Module<First>(), Module<Second>(body: Self.overriding))
      XCTAssertEqual(hints.count, 1)
      let hint = try XCTUnwrap(hints.first)
      XCTAssertTrue(
        hint.hasPrefix("Int, registered by Module<First> at App/Module.swift:1, "), hint)
      XCTAssertTrue(hint.contains("by Module<Second> at App/Other.swift:2."), hint)
      XCTAssertTrue(
        hint.contains("or have Module<Second> list Module<First> in `replaces`"), hint)
    }

    /// Was reported, with one line as both.
    func testALineThatRunsTwiceIsNotReported() throws {
      let container = Container()
      Assembler(container: container).apply(assembly: Plain())
      XCTAssertEqual(hints.entries, [])
      XCTAssertEqual(try container.resolve(Int.self), 1)
    }

    func testAHelperFunctionThatTwoModulesCallIsNotReported() throws {
      let hints = try apply(
        Module<First>(body: Self.overriding), Module<Second>(body: Self.overriding))
      XCTAssertEqual(hints, [])
    }

    func testTwoLinesAfterALineThatRunsTwiceAreReported() throws {
      let thrice = Module<First>(body: { for _ in 0..<3 { try Self.overriding($0) } })
      XCTAssertEqual(try apply(thrice, Module<Second>()).count, 1)
    }

    func testContainersThatAnAssemblyFillsBesideItsOwnAreNotReported() throws {
      let module = Module<First>(body: { _ in
        let other = Container()
        try other.register(Int.self) { _ in 1 }
        try other.register(Int.self) { _ in 2 }
      })
      XCTAssertEqual(try apply(module), [])
    }

    func testModulesOfOneTypeWithIdentifiersAreReported() throws {
      let other = Module<First>(id: "b", body: Self.overriding)
      XCTAssertEqual(try apply(Module<First>(id: "a"), other).count, 1)
    }

    func testAModuleThatTwoAssemblersApplyIsNotReported() throws {
      let container = Container()
      let twoLines = Module<First>(body: { container in
        try container.register(Int.self) { _ in 1 }
        try container.register(String.self) { _ in "" }
      })
      for _ in 0..<2 { XCTAssertEqual(try apply(twoLines, to: container), []) }
    }

    func testAKeyIsReportedOnce() throws {
      let module = Module<First>(body: { container in
        try container.register(Int.self) { _ in 1 }
        try container.register(Int.self) { _ in 2 }
        try container.register(Int.self) { _ in 3 }
      })
      XCTAssertEqual(try apply(module, Module<Second>()).count, 1)
    }

    func testANameIsNoCaseForContribute() throws {
      let named = Module<First>(body: { container in
        try container.register(Int.self, name: "a") { _ in 1 }
        try container.register(Int.self, name: "a") { _ in 2 }
      })
      let hint = try XCTUnwrap(try apply(named).first)
      XCTAssertFalse(hint.contains("contribute"), hint)
    }

    func testARegistrationThatSaysWhatADuplicateMeansIsNotReported() throws {
      for policy in [DuplicatePolicy.override, .keep, .require] {
        let second = Module<Second>(body: { container in
          try container.register(Int.self, onDuplicate: policy) { _ in 2 }
        })
        XCTAssertEqual(try apply(Module<First>(), second), [], "\(policy)")
      }
      let withDefault = Module<Second>(body: { container in
        try container.register(Int.self, onDuplicate: .keep) { _ in 2 }
      })
      XCTAssertEqual(try apply(withDefault, Module<First>()), [])
    }

    func testAModuleThatReplacesAnotherIsNotReported() throws {
      let container = Container()
      let mock = Module<Second>(replaces: [Module<First>.self])
      XCTAssertEqual(try apply(Module<First>(), to: container), [])
      // Applied before, the first module stays, and its key is overridden.
      XCTAssertEqual(try apply(mock, to: container), [])
    }

    func testRegistrationsOutsideOfAssembliesAreNotReported() throws {
      let container = Container()
      for _ in 0..<2 { try container.register(String.self) { _ in "" } }
      XCTAssertEqual(try apply(Module<First>(), to: container), [])
      try container.register(Int.self) { _ in 3 }
      XCTAssertEqual(hints.entries, [])
    }

    func testAModuleThatOverridesWhatNoModuleHasMadeIsNotReported() throws {
      let container = Container()
      XCTAssertEqual(try apply(Module<First>(), to: container), [])
      try container.register(Int.self, onDuplicate: .override) { _ in 3 }
      XCTAssertEqual(try apply(Module<Second>(), to: container), [])
    }

    func testAModuleThatIsAppliedAgainIsNotReported() throws {
      let container = Container()
      for _ in 0..<2 { XCTAssertEqual(try apply(Module<First>(), to: container), []) }
    }

    func testDefaultsOfAPreloadedStepAreNotReported() throws {
      let defaults = Module<First>(preload: Self.overriding, body: { _ in })
      XCTAssertEqual(try apply(defaults, Module<Second>()), [])
    }

    func testForksChildrenAndScopesAreNotReported() throws {
      let container = Container()
      XCTAssertEqual(try apply(Module<First>(), to: container), [])
      XCTAssertEqual(try apply(Module<Second>(), to: container.fork()), [])
      XCTAssertEqual(try apply(Module<Second>(), to: Container(parent: container)), [])
      XCTAssertEqual(try apply(Module<Second>(), to: container.makeScope()), [])
    }

    func testVersionsOfAReloadableContainerAreNotReported() async throws {
      let container = Container()
      let reloadable = ReloadableContainer(container)
      for _ in 0..<2 {
        try await reloadable.reload { version in
          try Assembler(container: version).apply(assemblies: [
            Module<First>(), Module<Second>(body: Self.overriding),
          ])
        }
      }
      XCTAssertEqual(hints.entries, [])
      try await container.shutdown()
    }

    func testInputsThatTwoModulesDeclareAreNotReported() throws {
      let declare: @Sendable (Container) throws -> Void = { try $0.registerInput(Int.self) }
      XCTAssertEqual(try apply(Module<First>(body: declare), Module<Second>(body: declare)), [])
    }

    func testContainersWithAPolicyAreNotReported() throws {
      for policy in [DuplicatePolicy.keep, .warn] {
        Container.onHint = { [hints] in hints.add($0) }
        _ = try standardError {
          XCTAssertEqual(
            try self.apply(Module<First>(), Module<Second>(), to: Container(duplicates: policy)), []
          )
        }
      }
    }

    func testAHandlerMayUseTheContainer() throws {
      let container = Container()
      Container.onHint = { [hints] _ in
        do {
          try container.register(Int.self, onDuplicate: .override) { _ in 7 }
          hints.add("\(try container.resolve(Int.self))")
        } catch { XCTFail("\(error)") }
      }
      XCTAssertEqual(
        try apply(Module<First>(), Module<Second>(body: Self.overriding), to: container), ["7"])
    }

    func testWithoutAHandlerNothingIsReported() throws {
      Container.onHint = nil
      let output = try standardError { _ = try apply(ChecksAssembly()) }
      XCTAssertEqual(output, "")
    }
  }
#endif
