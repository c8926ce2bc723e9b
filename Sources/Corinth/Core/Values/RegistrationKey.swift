// SPDX-License-Identifier: MIT

/// The key of a registration: the product's type, a name, and the types of the factory's arguments.
///
/// Errors carry keys, and their path is a list of them. Two keys are equal when all three parts are.
///
/// ## Concurrency
/// Immutable; safe to share.
public struct RegistrationKey: Sendable {
  /// The product's type.
  public let product: any Any.Type
  /// The name given, `nil` for none.
  public let name: Name?
  /// The argument's type, or the tuple type of several; `nil` without arguments.
  public let arguments: (any Any.Type)?

  package init(product: any Any.Type, name: Name? = nil, arguments: (any Any.Type)? = nil) {
    self.product = product
    self.name = name
    self.arguments = arguments
  }
}

extension RegistrationKey: Hashable {
  public static func == (left: RegistrationKey, right: RegistrationKey) -> Bool {
    left.product == right.product && left.name == right.name && left.arguments == right.arguments
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(ObjectIdentifier(product))
    hasher.combine(name)
    hasher.combine(arguments.map { ObjectIdentifier($0) })
  }
}

extension RegistrationKey: CustomStringConvertible {
  /// For example `Database named "mysql"`, `User with arguments (Int, String)`, or
  /// `contribution to [HealthCheck] (App/main.swift:12)`.
  public var description: String {
    var text = spelling(of: product)
    if let contribution = name?.contribution { return "contribution to [\(text)] \(contribution)" }
    if let name { text += " named \(name)" }
    if let argumentList { text += " with arguments \(argumentList)" }
    return text
  }

  /// The argument types in parentheses.
  var argumentList: String? {
    guard let arguments else { return nil }
    return TypeKind(of: arguments) == .tuple
      ? Namesakes.name(of: arguments) : "(\(spelling(of: arguments)))"
  }
}
