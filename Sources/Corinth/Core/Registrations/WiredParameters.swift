// SPDX-License-Identifier: MIT

/// The parameters of an initialiser that a registration is wired by.
///
/// Kept as types only, as each registration makes one: `dependencies` tells what they are resolved by.
@usableFromInline
final class WiredParameters: Sendable {
  /// The types of the parameters, in their order.
  let types: [any Any.Type]
  /// The type of the first argument that no parameter takes; `nil` if all are taken.
  let unusedArgument: (any Any.Type)?

  /// For each parameter, the position of the argument that it takes; empty if there are no arguments.
  private let positions: [Int?]

  /// - Parameters:
  ///   - types: the types of the parameters.
  ///   - arguments: the types of the resolve's arguments. A parameter whose type is that of the next argument takes it.
  init(_ types: [any Any.Type], arguments: [any Any.Type] = []) {
    self.types = types
    guard !arguments.isEmpty else {
      (positions, unusedArgument) = ([], nil)
      return
    }
    var next = 0
    positions = types.map { type in
      guard next < arguments.count, arguments[next] == type else { return nil }
      next += 1
      return next - 1
    }
    unusedArgument = next < arguments.count ? arguments[next] : nil
  }

  /// The position of the argument that a parameter takes; `nil` if it is resolved.
  func argument(of parameter: Int) -> Int? {
    positions.isEmpty ? nil : positions[parameter]
  }
}
