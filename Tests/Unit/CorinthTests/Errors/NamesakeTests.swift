// SPDX-License-Identifier: MIT

import Corinth
import TestSupport
import XCTest

enum Summer {
  struct Tyre: Sendable {}
  class Depot: @unchecked Sendable {}
}

enum Winter {
  struct Tyre: Sendable {}
  class Depot: @unchecked Sendable {}
}

private struct Wheel: Sendable {
  init(tyre: Winter.Tyre) {}
}

/// Two types of one name are told apart by their modules, in texts that name both.
final class NamesakeTests: ContainerTestCase {
  private func text(
    of attempt: () throws -> Any, file: StaticString = #filePath, line: UInt = #line
  ) -> String {
    var text = ""
    XCTAssertThrowsError(try attempt(), file: file, line: line) { text = "\($0)" }
    return text
  }

  private func registerSummer(name: Name? = nil) throws {
    try container.register(Summer.Tyre.self, name: name, file: "Garage/Tyres.swift", line: 1) { _ in
      Summer.Tyre()
    }
  }

  func testAMissingTypeIsToldFromARegisteredOne() throws {
    try registerSummer()
    let missing = text { try container.resolve(Winter.Tyre.self) }
    assertGolden("namesake-missing", missing)
    XCTAssertTrue(missing.hasPrefix(summary { try container.resolve(Winter.Tyre.self) }))
    XCTAssertFalse(text { try container.resolve(Wheel.self) }.contains("Tyre"))
  }

  private func summary(_ attempt: () throws -> Any) -> String {
    do {
      return "resolved \(try attempt())"
    } catch { return (error as? ResolutionError)?.summary ?? "\(error)" }
  }

  func testATypeAloneIsPrintedAsItIsCalled() throws {
    try registerSummer()
    let missing = text { try container.resolve(Summer.Tyre.self, name: "studded") }
    XCTAssertTrue(missing.hasPrefix("Nothing is registered for Tyre named \"studded\"."), missing)
    XCTAssertFalse(missing.contains("Summer"), missing)
  }

  func testTheTypesOfAPathAreToldApart() throws {
    try container.register(Summer.Tyre.self) { resolver in
      _ = try resolver.resolve([Winter.Tyre].self)
      return Summer.Tyre()
    }
    try container.contribute(to: Winter.Tyre.self, name: "front") { resolver in
      _ = try resolver.resolve(Int.self)
      return Winter.Tyre()
    }
    let missing = text { try container.resolve(Summer.Tyre.self) }
    XCTAssertTrue(
      missing.contains(
        "path: CorinthTests.Summer.Tyre -> contribution to [CorinthTests.Winter.Tyre]"), missing)
  }

  func testTheTypesOfArgumentsAreToldApart() throws {
    try container.register(Int.self) { (_, _: Summer.Tyre, _: Int) in 4 }
    let missing = text { try container.resolve(Int.self, arguments: Winter.Tyre(), 1) }
    XCTAssertTrue(
      missing.hasPrefix("Nothing is registered for Int with arguments (CorinthTests.Winter.Tyre, "),
      missing)
    XCTAssertTrue(missing.contains("with arguments (CorinthTests.Summer.Tyre, "), missing)
  }

  func testARefusedForwardTellsThemApart() throws {
    let refusal = text { try container.forward(Summer.Depot.self, to: Winter.Depot.self) }
    XCTAssertTrue(
      refusal.hasPrefix("CorinthTests.Summer.Depot cannot be served by CorinthTests.Winter.Depot"),
      refusal)
  }

  func testFindingsTellThemApart() throws {
    try registerSummer(name: "studded")
    try container.wire(
      Wheel.self, using: Wheel.init(tyre:), file: "Garage/Wheels.swift", line: 2)
    try container.register(Int.self) { _ in 1 }.as(.singleton).as(.scoped)
    try container.decorate(Winter.Depot.self) { depot, _ in depot }
    let found = findings { try container.validate() }.map(\.description)
    XCTAssertEqual(found.count, 3)
    assertGolden("namesake-finding", found.first ?? "")
    XCTAssertTrue(found[1].hasPrefix("Int was made"), found[1])
    XCTAssertTrue(found[2].hasPrefix("Nothing is registered for Depot, "), found[2])
  }

  func testADecoratorOfANamesakeIsToldSo() throws {
    try registerSummer()
    try container.decorate(Winter.Tyre.self, file: "Garage/Logs.swift", line: 5) { tyre, _ in tyre }
    let found = findings { try container.validate() }.map(\.description)
    assertGolden("namesake-decorated", found.joined())
  }
}
