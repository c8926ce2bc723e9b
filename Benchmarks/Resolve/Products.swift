// SPDX-License-Identifier: MIT

/// The products that the benchmark resolves. The classes are as small as possible, so that the work
/// of the containers is measured, and not the work of the products.
final class Service: Sendable {
  let state = 1
}

struct Settings: Sendable {
  let width: Int
  let height: Int
}

final class Leaf: Sendable {
  let state: Int

  init(state: Int) {
    self.state = state
  }
}

/// Two dependencies.
final class Combined: Sendable {
  let first: Left
  let second: Right

  init(_ first: Left, _ second: Right) {
    self.first = first
    self.second = second
  }
}

/// Six dependencies on three levels: two branches, each with two leaves.
final class Complex: Sendable {
  let first: FirstBranch
  let second: SecondBranch

  init(_ first: FirstBranch, _ second: SecondBranch) {
    self.first = first
    self.second = second
  }
}

final class FirstBranch: Sendable {
  let left: Left
  let right: Right

  init(_ left: Left, _ right: Right) {
    self.left = left
    self.right = right
  }
}

final class SecondBranch: Sendable {
  let left: OtherLeft
  let right: OtherRight

  init(_ left: OtherLeft, _ right: OtherRight) {
    self.left = left
    self.right = right
  }
}

final class Left: Sendable {}
final class Right: Sendable {}
final class OtherLeft: Sendable {}
final class OtherRight: Sendable {}

/// Never registered.
final class Unregistered: Sendable {}
