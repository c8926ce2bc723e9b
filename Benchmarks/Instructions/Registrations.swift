// SPDX-License-Identifier: MIT

import Corinth

/// A service as most programs ask for one.
protocol ServiceProtocol: AnyObject, Sendable {}
extension Service: ServiceProtocol {}

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
  ///
  /// - Parameter scope: the scope of the dependencies.
  func registerComplex(scope: AnyScope = .transient) throws {
    try register(Left.self, scope: Scope(scope)) { _ in Left() }
    try register(Right.self, scope: Scope(scope)) { _ in Right() }
    try register(OtherLeft.self, scope: Scope(scope)) { _ in OtherLeft() }
    try register(OtherRight.self, scope: Scope(scope)) { _ in OtherRight() }
    try register(FirstBranch.self, scope: Scope(scope)) {
      FirstBranch(try $0.resolve(Left.self), try $0.resolve(Right.self))
    }
    try register(SecondBranch.self, scope: Scope(scope)) {
      SecondBranch(try $0.resolve(OtherLeft.self), try $0.resolve(OtherRight.self))
    }
    try register(Complex.self) {
      Complex(try $0.resolve(FirstBranch.self), try $0.resolve(SecondBranch.self))
    }
  }
}
