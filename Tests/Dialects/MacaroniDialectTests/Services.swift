// SPDX-License-Identifier: MIT

import Foundation
import MacaroniDialect

protocol MyService: AnyObject {}

final class MyServiceImplementation: MyService, @unchecked Sendable {}

extension RegistrationAlternative {
  static let another: RegistrationAlternative = "another"
}

/// Counts the calls of a closure.
final class Counter: @unchecked Sendable {
  private let lock = NSLock()
  private var count = 0

  var value: Int { lock.withLock { count } }

  @discardableResult
  func next() -> Int {
    lock.withLock {
      count += 1
      return count
    }
  }
}
