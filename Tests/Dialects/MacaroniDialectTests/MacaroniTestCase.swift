// SPDX-License-Identifier: MIT

import Foundation
import MacaroniDialect
import XCTest

/// A test case that leaves the settings of the process as it found them.
class MacaroniTestCase: XCTestCase {
  override func setUp() {
    super.setUp()
    Macaroni.logger = DisabledMacaroniLogger()
    Container.lookupPolicy = nil
  }

  override func tearDown() {
    Macaroni.logger = DisabledMacaroniLogger()
    Container.lookupPolicy = nil
    super.tearDown()
  }

  /// Runs `body` on a thread of its own, which is parked for ever when the logger is told to die.
  ///
  /// - Returns: the last message; `nil` if `body` returned.
  func lastMessage(of body: @escaping () -> Void) -> String? {
    let end = Ending()
    let logger = ParkingLogger(end)
    Macaroni.logger = logger
    defer { Macaroni.logger = DisabledMacaroniLogger() }
    let unchecked = Unchecked(body)
    Thread.detachNewThread {
      unchecked.value()
      end.finish(nil)
    }
    return end.wait()
  }
}

/// A value that a test hands to another thread.
final class Unchecked<Value>: @unchecked Sendable {
  let value: Value

  init(_ value: Value) { self.value = value }
}

/// How a thread has ended.
final class Ending: @unchecked Sendable {
  private let condition = NSCondition()
  private var isOver = false
  private var message: String?

  func finish(_ message: String?) {
    condition.lock()
    isOver = true
    self.message = message
    condition.broadcast()
    condition.unlock()
  }

  func wait() -> String? {
    condition.lock()
    defer { condition.unlock() }
    while !isOver { condition.wait() }
    return message
  }
}

/// Parks the thread that dies. Each death must have been logged as an error before.
final class ParkingLogger: MacaroniLogger {
  private let end: Ending
  private let lock = NSLock()
  private var errors: [String] = []

  init(_ end: Ending) { self.end = end }

  func log(
    _ message: String, level: MacaroniLoggingLevel, file: StaticString, function: String, line: UInt
  ) {
    if level == .error { lock.withLock { errors.append(message) } }
  }

  func die(_ message: String, file: StaticString, function: String, line: UInt) -> Never {
    let isLogged = lock.withLock { errors.last == message }
    end.finish(isLogged ? message : "not logged: \(message)")
    while true { Thread.sleep(forTimeInterval: 1000) }
  }
}

/// Keeps what is logged.
final class RecordingLogger: MacaroniLogger {
  private let lock = NSLock()
  private var stored: [(message: String, level: MacaroniLoggingLevel, line: UInt)] = []

  var messages: [String] { lock.withLock { stored.map(\.message) } }
  var levels: [MacaroniLoggingLevel] { lock.withLock { stored.map(\.level) } }
  var lines: [UInt] { lock.withLock { stored.map(\.line) } }

  func log(
    _ message: String, level: MacaroniLoggingLevel, file: StaticString, function: String, line: UInt
  ) {
    lock.withLock { stored.append((message, level, line)) }
  }

  func die(_ message: String, file: StaticString, function: String, line: UInt) -> Never {
    fatalError(message)
  }
}
