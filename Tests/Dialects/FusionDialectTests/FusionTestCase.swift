// SPDX-License-Identifier: MIT

import FusionDialect
import TestSupport
import XCTest

/// Gives each test a main container of its own.
class FusionTestCase: XCTestCase {
  override func setUp() {
    Container.main = Container()
  }

  override func tearDown() {
    Container.main = Container()
  }
}

protocol Logger {
  var name: String { get }
}

struct RemoteLogger: Logger {
  var name = "remote"
}

struct ConsoleLogger: Logger {
  var name = "console"
}

protocol Database: AnyObject {
  var logger: Logger { get }
}

final class PostgresDatabase: Database {
  let logger: Logger

  init(logger: Logger) {
    self.logger = logger
  }
}

protocol JobQueue: AnyObject {
  var database: Database { get }
}

final class DatabaseQueue: JobQueue {
  let database: Database

  init(database: Database) {
    self.database = database
  }
}

/// Numbers its instances.
struct Numbered: Equatable {
  static let counter = AtomicCounter()
  let number = Numbered.counter.add()
}

/// A value that may be built once in a container, and is not `Sendable`.
final class Session {
  var user = ""
}
