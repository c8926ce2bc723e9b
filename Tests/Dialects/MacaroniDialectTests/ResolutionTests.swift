// SPDX-License-Identifier: MIT

import MacaroniDialect
import TestSupport
import XCTest

/// What `resolve` and `register` do, apart from optionals and parents.
final class ResolutionTests: MacaroniTestCase {
  func testEachResolveRunsTheClosure() throws {
    let container = Container()
    let calls = Counter()
    container.register { calls.next() }
    XCTAssertEqual(try container.resolve() as Int, 1)
    XCTAssertEqual(try container.resolve() as Int, 2)
    XCTAssertEqual(calls.value, 2)
  }

  func testAMissingRegistrationThrows() {
    let container = Container()
    XCTAssertThrowsError(try container.resolve() as Int) { error in
      XCTAssertEqual(error as? MacaroniError, .noResolver)
    }
  }

  func testTheLastRegistrationIsServed() throws {
    let container = Container()
    container.register { 1 }
    container.register { 2 }
    XCTAssertEqual(try container.resolve() as Int, 2)
  }

  func testAnAlternativeIsNotServedWithoutItsNameNorTheReverse() {
    let container = Container()
    container.register { 1 }
    container.register(alternative: "a") { "text" }
    XCTAssertNil(try? container.resolve(alternative: "a") as Int)
    XCTAssertNil(try? container.resolve() as String)
  }

  func testAnAlternativeIsAStringOrAValue() throws {
    let container = Container()
    container.register(alternative: "another") { 1 }
    XCTAssertEqual(try container.resolve(alternative: "another") as Int, 1)
    XCTAssertEqual(try container.resolve(alternative: .another) as Int, 1)
    let viaOptional: Int? = try container.resolve(alternative: .another)
    XCTAssertEqual(viaOptional, 1)
    let noString: String? = nil
    XCTAssertThrowsError(try container.resolve(alternative: noString) as Int)
  }

  func testAlternativesMadeWithoutATextDiffer() {
    let container = Container()
    let one = RegistrationAlternative()
    let two = RegistrationAlternative()
    container.register(alternative: one) { 1 }
    container.register(alternative: two) { 2 }
    XCTAssertEqual(try container.resolve(alternative: one) as Int, 1)
    XCTAssertEqual(try container.resolve(alternative: two) as Int, 2)
  }

  func testAnAlternativeMadeOfATextIsThatOfTheLiteral() {
    let container = Container()
    container.register(alternative: RegistrationAlternative("another")) { 1 }
    XCTAssertEqual(try container.resolve(alternative: .another) as Int, 1)
  }

  func testAParameterReachesTheClosureWhateverItsType() throws {
    let container = Container()
    container.register { parameter -> String in "\(parameter)" }
    let any: Any = 7
    XCTAssertEqual(try container.resolve(parameter: 7) as String, "7")
    XCTAssertEqual(try container.resolve(parameter: "seven") as String, "seven")
    XCTAssertEqual(try container.resolve(parameter: any) as String, "7")
    let viaOptional: String? = try container.resolve(parameter: any)
    XCTAssertEqual(viaOptional, "7")
  }

  func testAParameterAndAnAlternativeSelectTogether() throws {
    let container = Container()
    container.register { parameter -> String in "default \(parameter)" }
    container.register(alternative: .another) { parameter -> String in "another \(parameter)" }
    XCTAssertEqual(try container.resolve(parameter: 1) as String, "default 1")
    XCTAssertEqual(
      try container.resolve(parameter: 1, alternative: "another") as String, "another 1")
    let viaOptional: String? = try container.resolve(parameter: 1, alternative: .another)
    XCTAssertEqual(viaOptional, "another 1")
  }

  func testResolvesWithAndWithoutAParameterDoNotServeEachOther() {
    let container = Container()
    container.register { 1 }
    container.register { parameter -> String in "\(parameter)" }
    XCTAssertThrowsError(try container.resolve(parameter: 0) as Int) { error in
      XCTAssertEqual(error as? MacaroniError, .noResolver)
    }
    XCTAssertThrowsError(try container.resolve() as String) { error in
      XCTAssertEqual(error as? MacaroniError, .noResolver)
    }
  }

  func testOneTypeHasAClosureOfEachKind() throws {
    let container = Container()
    container.register { 1 }
    container.register { (_: Any) -> Int in 2 }
    XCTAssertEqual(try container.resolve() as Int, 1)
    XCTAssertEqual(try container.resolve(parameter: 0) as Int, 2)
  }

  func testAClosureResolvesOthers() throws {
    let container = Container()
    container.register { 20 }
    container.register { [unowned container] () -> String in
      "\((try? container.resolve() as Int) ?? 0)"
    }
    XCTAssertEqual(try container.resolve() as String, "20")
  }

  func testAClosureThatNeedsItselfEndsWithAnError() throws {
    let container = Container()
    let errors = Counter()
    container.register { [unowned container] () -> Int in
      do {
        return try container.resolve() as Int + 1
      } catch {
        XCTAssertFalse(error is MacaroniError)
        errors.next()
        return 0
      }
    }
    XCTAssertGreaterThan(try container.resolve() as Int, 0)
    XCTAssertEqual(errors.value, 1)
  }

  func testATypeIsResolvableIfItIsRegisteredInOneWayOrTheOther() {
    let container = Container()
    container.register { 1 }
    container.register(alternative: "a") { "text" }
    container.register { parameter -> Double in parameter as? Double ?? 0 }
    XCTAssertTrue(container.isResolvable(Int.self))
    XCTAssertTrue(container.isResolvable(Int?.self))
    XCTAssertFalse(container.isResolvable(Int.self, alternative: "a"))
    XCTAssertTrue(container.isResolvable(String.self, alternative: "a"))
    XCTAssertFalse(container.isResolvable(String.self))
    XCTAssertTrue(container.isResolvable(Double.self))
    XCTAssertTrue(container.isResolvable(Double?.self))
    XCTAssertFalse(container.isResolvable(Float.self))
  }

  func testCleanupRemovesAllRegistrations() {
    let container = Container()
    container.register { 1 }
    container.register(alternative: "a") { 1 }
    container.register { parameter -> Int in parameter as? Int ?? 0 }
    container.cleanup()
    XCTAssertFalse(container.isResolvable(Int.self))
    XCTAssertFalse(container.isResolvable(Int?.self))
    XCTAssertFalse(container.isResolvable(Int.self, alternative: "a"))
    container.register { 2 }
    XCTAssertEqual(try container.resolve() as Int, 2)
  }

  func testALockedContainerResolvesAndIsEmptied() {
    let container = Container()
    container.register { 1 }
    container.lock()
    XCTAssertEqual(try container.resolve() as Int, 1)
    container.cleanup()
    XCTAssertFalse(container.isResolvable(Int.self))
  }

  func testAnUnlockedContainerRegistersAgain() {
    let container = Container()
    container.lock()
    container.unlock()
    container.register { 1 }
    XCTAssertEqual(try container.resolve() as Int, 1)
  }

  func testAReplacedClosureIsReleased() {
    let container = Container()
    weak var captured: MyServiceImplementation?
    do {
      let service = MyServiceImplementation()
      captured = service
      container.register { () -> MyServiceImplementation? in service }
      container.register { service }
    }
    XCTAssertNotNil(captured)
    container.cleanup()
    settleReclamation()
    XCTAssertNil(captured)
  }

  func testCallsSayWhereTheyComeFrom() throws {
    let container = Container(parent: nil, name: "c", file: #fileID, function: #function, line: 1)
    container.register(file: #fileID, function: "f", line: 2) { 1 }
    container.register(alternative: "a", file: #fileID, function: "f", line: 3) { 1 }
    container.register(alternative: .another, file: #fileID, function: "f", line: 4) { 1 }
    container.register(file: #fileID, function: "f", line: 5) { (_: Any) -> Int in 2 }
    XCTAssertEqual(try container.resolve(file: #fileID, function: "f", line: 6) as Int, 1)
    XCTAssertEqual(
      try container.resolve(alternative: "a", file: #fileID, function: "f", line: 7) as Int, 1)
    XCTAssertEqual(
      try container.resolve(parameter: 1, file: #fileID, function: "f", line: 8) as Int, 2)
    container.cleanup(file: #fileID, function: "f", line: 9)
  }
}
