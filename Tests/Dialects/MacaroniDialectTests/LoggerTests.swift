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

  func testALoggerMayUseThePropertyThatItIsToldOf() {
    let container = Container()
    let service = MyServiceImplementation()
    container.register { 7 }
    container.register { service }
    Container.lookupPolicy = .singleton(container)
    let logger = ReadingLogger()
    Macaroni.logger = logger
    XCTAssertEqual(logger.number, 7)
    XCTAssertTrue(logger.service === service)
    XCTAssertEqual(logger.seen.map { $0.number }, [7])
    XCTAssertTrue(logger.seen.allSatisfy { $0.service === service })
  }

  func testALoggerMayHandALevelToAnotherThread() throws {
    let level = MacaroniLoggingLevel.error
    XCTAssertEqual(try onThreads(2) { _ in level }, [.error, .error])
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

/// Uses properties that are injected for each message, but those that it causes itself.
private final class ReadingLogger: MacaroniLogger {
  @Injected var number: Int
  @InjectedWeakly var service: MyServiceImplementation?
  private(set) var seen: [(number: Int, service: MyServiceImplementation?)] = []
  private var isLogging = false

  func log(
    _ message: String, level: MacaroniLoggingLevel, file: StaticString, function: String, line: UInt
  ) {
    if isLogging { return }
    isLogging = true
    seen.append((number, service))
    isLogging = false
  }

  func die(_ message: String, file: StaticString, function: String, line: UInt) -> Never {
    fatalError(message)
  }
}
