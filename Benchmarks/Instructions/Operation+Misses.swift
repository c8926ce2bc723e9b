// SPDX-License-Identifier: MIT

import BenchmarkSupport
import Corinth

extension Operation {
  /// The loop of an operation on an error of a missing key, in a container with many others.
  func makeMissLoop(_ container: Container) throws -> Loop {
    switch self {
    case .missAmongTypes1000, .missAmongTypes100000:
      try container.registerTypes(names: self == .missAmongTypes1000 ? 10 : 1_000)
      return { count in
        for _ in 0..<count { blackHole(container.miss(of: Pair<Three, Seven>.self) == nil) }
      }
    case .missAmongNames1000, .missAmongNames100000:
      try container.registerNames(self == .missAmongNames1000 ? 1_000 : 100_000)
      return { count in
        for _ in 0..<count { blackHole(container.miss(of: Leaf.self) == nil) }
      }
    case .describedAmongTypes1000, .describedAmongTypes100000:
      try container.registerTypes(names: self == .describedAmongTypes1000 ? 10 : 1_000)
      return describing(container.miss(of: Pair<Three, Seven>.self))
    default:
      try container.registerNames(self == .describedAmongNames1000 ? 1_000 : 100_000)
      return describing(container.miss(of: Leaf.self))
    }
  }

  private func describing(_ error: (any Error)?) -> Loop {
    { count in
      for _ in 0..<count { blackHole("\(error as Any)".utf8.count) }
    }
  }
}

extension Container {
  fileprivate func miss<Product>(of product: Product.Type) -> (any Error)? {
    do {
      blackHole(try resolve(product, name: .missing))
      return nil
    } catch { return error }
  }

  fileprivate func registerNames(_ count: Int) throws {
    for number in 0..<count {
      try register(Leaf.self, name: Name("unit-\(number)")) { _ in Leaf(state: number) }
    }
  }

  /// 100 types, each under some names.
  fileprivate func registerTypes(names: Int) throws {
    func add<First: Digit, Second: Digit>(_: First.Type, _: Second.Type, _ name: Name) throws {
      try register(Pair<First, Second>.self, name: name) { _ in Pair() }
    }
    let digits: [any Digit.Type] = [
      Zero.self, One.self, Two.self, Three.self, Four.self, Five.self, Six.self, Seven.self,
      Eight.self, Nine.self,
    ]
    for number in 0..<names {
      let name = Name("unit-\(number)")
      for first in digits { for second in digits { try add(first, second, name) } }
    }
  }
}

extension Name {
  fileprivate static let missing: Name = "unit-5x"
}

private protocol Digit: Sendable {}
private enum Zero: Digit {}
private enum One: Digit {}
private enum Two: Digit {}
private enum Three: Digit {}
private enum Four: Digit {}
private enum Five: Digit {}
private enum Six: Digit {}
private enum Seven: Digit {}
private enum Eight: Digit {}
private enum Nine: Digit {}
private struct Pair<First: Digit, Second: Digit>: Sendable {}
