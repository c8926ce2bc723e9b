// SPDX-License-Identifier: MIT

import MacaroniDialect
import TestSupport
import XCTest

/// What the logger gets.
final class LoggerTests: MacaroniTestCase {
  func testContainersRegistrationsAndInjectionsAreLogged() {
    let logger = RecordingLogger()
    Macaroni.set(logger: logger)
    let container = Container(name: "main", line: 1)
    container.register(line: 2) { 7 }
    Container.lookupPolicy = .singleton(container)
    class Owner {
      @Injected(.capturingContainerOnInit(), line: 3) var value: Int
    }
    let owner = Owner()
    _ = owner.value
    _ = owner.value
    container.cleanup(line: 4)
    XCTAssertEqual(logger.lines, [1, 2, 3, 4])
    XCTAssertEqual(logger.levels, [.debug, .debug, .debug, .debug])
    XCTAssertTrue(logger.messages[0].contains("main"))
    XCTAssertTrue(logger.messages[1].contains("Int"))
    XCTAssertTrue(logger.messages[2].contains("Int"))
  }

  func testTheDefaultLoggerPrintsToStandardError() throws {
    let output = try standardError {
      SimpleMacaroniLogger().log(
        "hello", level: .debug, file: "File.swift", function: "f()", line: 3)
      SimpleMacaroniLogger().log("no", level: .error, file: "File.swift", function: "f()", line: 4)
    }
    XCTAssertEqual(
      output, "corinth: hello (File.swift:3)\ncorinth: error: no (File.swift:4)\n")
  }

  func testADisabledLoggerPrintsNothing() throws {
    let output = try standardError {
      DisabledMacaroniLogger().log("hello", level: .error, file: "f", function: "f", line: 1)
    }
    XCTAssertEqual(output, "")
  }
}
