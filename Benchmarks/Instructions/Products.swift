// SPDX-License-Identifier: MIT

import Corinth

/// What is resolved: classes as small as a service can be.
protocol Service: AnyObject, Sendable {}

final class PlainService: Service {
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

/// Six dependencies on three levels.
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

extension Name {
  static let primary: Name = "primary"
}

extension Container {
  /// Registers `Combined` and its dependencies.
  func registerCombined() throws {
    try register(Left.self) { _ in Left() }
    try register(Right.self) { _ in Right() }
    try register(Combined.self) {
      Combined(try $0.resolve(Left.self), try $0.resolve(Right.self))
    }
  }

  /// Registers `Complex` and its dependencies.
  func registerComplex() throws {
    try register(Left.self) { _ in Left() }
    try register(Right.self) { _ in Right() }
    try register(OtherLeft.self) { _ in OtherLeft() }
    try register(OtherRight.self) { _ in OtherRight() }
    try register(FirstBranch.self) {
      FirstBranch(try $0.resolve(Left.self), try $0.resolve(Right.self))
    }
    try register(SecondBranch.self) {
      SecondBranch(try $0.resolve(OtherLeft.self), try $0.resolve(OtherRight.self))
    }
    try register(Complex.self) {
      Complex(try $0.resolve(FirstBranch.self), try $0.resolve(SecondBranch.self))
    }
  }
}
