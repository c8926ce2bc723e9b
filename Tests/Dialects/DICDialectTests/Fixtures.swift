// SPDX-License-Identifier: MIT

import DICDialect
import TestSupport

struct Example1: Equatable {
  var value: Int
}

struct Example2 {
  var name: String
}

final class DatabaseService {}

final class OtherDependency {}

protocol UserRepository: AnyObject {
  var otherDependency: OtherDependency { get }
}

final class DefaultUserRepository: UserRepository {
  let otherDependency: OtherDependency

  init(otherDependency: OtherDependency) {
    self.otherDependency = otherDependency
  }
}

/// Has a failable initializer.
struct Even: Equatable {
  let number: Int

  init?(_ number: Int) {
    guard number % 2 == 0 else { return nil }
    self.number = number
  }
}

struct Refusal: Error, Equatable {
  var reason = "refused"
}

func refused<T>(_: T.Type = T.self, reason: String = "refused") throws -> T {
  throw Refusal(reason: reason)
}
