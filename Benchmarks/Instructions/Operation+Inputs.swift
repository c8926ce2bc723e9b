// SPDX-License-Identifier: MIT

import BenchmarkSupport
import Corinth

extension Operation {
  /// The loop of a request scope with inputs: the scope is made, every input is resolved once, and
  /// the scope is closed. For comparison, the inputs are registered in the scope instead.
  func makeInputLoop(_ container: Container) throws -> Loop {
    switch self {
    case .inputsTwo:
      try container.declareInputs()
      return { count in
        for index in 0..<count {
          let scope = container.makeScope(providing: First(index), Second(index))
          blackHole(try scope.resolve(First.self).value + scope.resolve(Second.self).value)
          try scope.syncClose()
        }
      }
    case .scopedAndInputs:
      try container.declareInputs()
      try container.register(Leaf.self, scope: .scoped) { _ in Leaf(state: 1) }
      return { count in
        for index in 0..<count {
          let scope = container.makeScope(providing: First(index), Second(index))
          blackHole(try scope.resolve(Leaf.self))
          try scope.syncClose()
        }
      }
    case .inputsSix:
      try container.declareInputs()
      return { count in
        for index in 0..<count {
          let scope = container.makeScope(
            providing: First(index), Second(index), Third(index), Fourth(index), Fifth(index),
            Sixth(index))
          blackHole(try scope.sumOfSix())
          try scope.syncClose()
        }
      }
    case .registeredTwo:
      return { count in
        for index in 0..<count {
          let scope = container.makeScope()
          try scope.register(value: First(index))
          try scope.register(value: Second(index))
          blackHole(try scope.resolve(First.self).value + scope.resolve(Second.self).value)
          try scope.syncClose()
        }
      }
    case .registeredSix:
      return { count in
        for index in 0..<count {
          let scope = container.makeScope()
          try scope.register(value: First(index))
          try scope.register(value: Second(index))
          try scope.register(value: Third(index))
          try scope.register(value: Fourth(index))
          try scope.register(value: Fifth(index))
          try scope.register(value: Sixth(index))
          blackHole(try scope.sumOfSix())
          try scope.syncClose()
        }
      }
    default:
      return { count in
        for _ in 0..<count { try container.makeScope().syncClose() }
      }
    }
  }
}

/// A value that a request brings. The tag tells the types apart.
private struct Input<Tag>: Sendable {
  let value: Int

  init(_ value: Int) {
    self.value = value
  }
}

private typealias First = Input<Int8>
private typealias Second = Input<Int16>
private typealias Third = Input<Int32>
private typealias Fourth = Input<UInt8>
private typealias Fifth = Input<UInt16>
private typealias Sixth = Input<UInt32>

extension Container {
  fileprivate func declareInputs() throws {
    try registerInput(First.self)
    try registerInput(Second.self)
    try registerInput(Third.self)
    try registerInput(Fourth.self)
    try registerInput(Fifth.self)
    try registerInput(Sixth.self)
  }

  fileprivate func sumOfSix() throws -> Int {
    try resolve(First.self).value + resolve(Second.self).value + resolve(Third.self).value
      + resolve(Fourth.self).value + resolve(Fifth.self).value + resolve(Sixth.self).value
  }
}
