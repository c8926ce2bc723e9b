// SPDX-License-Identifier: MIT

/// The key of a registration: the product's type, a name, and the types of the factory's arguments.
///
/// Errors carry keys, and the path of an error is a list of keys. Keys with equal parts are equal.
///
/// ## Concurrency
/// Immutable; safe to share.
public struct RegistrationKey: Sendable {
  /// The product's type.
  public let product: any Any.Type
  /// The argument's type, or the tuple type of several arguments; `nil` without arguments.
  public let arguments: (any Any.Type)?
  // Last: registrations store more in the bytes behind the name.
  /// The name given; `nil` without a name.
  public let name: Name?

  package init(product: any Any.Type, name: Name? = nil, arguments: (any Any.Type)? = nil) {
    self.product = product
    self.name = name
    self.arguments = arguments
  }

  /// Makes the key of a registration, to name a root of
  /// ``Container/validate(roots:inputs:strictly:)`` or a dependency.
  ///
  /// ```swift
  /// let user = RegistrationKey(User.self, arguments: Int.self)
  /// try container.validate(roots: .keys([.init(Server.self), user]))
  /// ```
  ///
  /// - Parameters:
  ///   - product: the registered type.
  ///   - name: the registered name.
  ///   - arguments: the types of the factory's arguments, if any.
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
  @inline(never) public static func == (left: RegistrationKey, right: RegistrationKey) -> Bool {
    left.product == right.product && left.name == right.name && left.arguments == right.arguments
  }

  @inline(never) public func hash(into hasher: inout Hasher) {
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
    if let contribution = name?.contribution {
      return "contribution to [\(text)] \(contribution.description)"
    }
    if let name { text += name.value?.suffix ?? " named \(name)" }
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
