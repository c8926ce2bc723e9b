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
  /// The argument's type, or the tuple type of several; `nil` without arguments.
  public let arguments: (any Any.Type)?
  // Last: registrations store more in the bytes that it leaves.
  /// The name given, `nil` for none.
  public let name: Name?

  package init(product: any Any.Type, name: Name? = nil, arguments: (any Any.Type)? = nil) {
    self.product = product
    self.name = name
    self.arguments = arguments
  }

  /// The key of a registration, to name a root of ``Container/validate(roots:inputs:strictly:)`` or a dependency.
  ///
  /// ```swift
  /// try container.validate(roots: .keys([.init(Server.self), .init(User.self, arguments: Int.self)]))
  /// ```
  ///
  /// - Parameters:
  ///   - product: the type that it is registered under.
  ///   - name: the name that it is registered under.
  ///   - arguments: the types of its factory's arguments, if that takes some.
  public init<Product, each Argument>(
    _ product: Product.Type, name: Name? = nil, arguments: repeat (each Argument).Type
  ) {
    var hasArguments = false
    for _ in repeat each arguments { hasArguments = true }
    self.init(
      product: product, name: name, arguments: hasArguments ? (repeat each Argument).self : nil)
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
  package var argumentList: String? {
    guard let arguments else { return nil }
    return TypeKind(of: arguments) == .tuple
      ? Namesakes.name(of: arguments) : "(\(spelling(of: arguments)))"
  }
}
