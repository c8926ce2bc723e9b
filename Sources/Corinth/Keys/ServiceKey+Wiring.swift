// SPDX-License-Identifier: MIT

// A parameter pack: a default is built once, or seldom, and an overload for each number of
// parameters, as `wire` has, would be the larger part of the interface. An autoclosure takes no
// trailing closure, so that a factory in braces is never taken for an initializer.
extension ServiceKey {
  /// Declares a part by an initializer, whose parameters are resolved by their types.
  ///
  /// ```swift
  /// static let mailer: ServiceKey<any Mailer> = ServiceKey(
  ///   scope: .singleton, using: SMTPMailer.init)
  /// ```
  ///
  /// The parameters work like the parameters of an initializer registered by `wire`. A parameter is
  /// resolved by its type and not by a key: it can be missing, and validation finds it. A variadic
  /// initializer crashes the compiler (Swift 6.3): give a factory in braces.
  ///
  /// - Parameters:
  ///   - name: tells keys apart that one line makes, and is shown in messages.
  ///   - scope: the scope of the instances, transient when left out.
  ///   - options: actions and the like for the instances of the default.
  ///   - initializer: builds an instance from the dependencies. May throw.
  ///   - file: the file of the declaration.
  ///   - line: the line of the declaration.
  ///   - column: the column of the declaration.
  public init<each Parameter>(
    name: String? = nil, scope: Scope<Product> = .transient,
    with options: RegistrationOptions<Product>? = nil,
    using initializer: @autoclosure () -> (@Sendable (repeat each Parameter) throws -> Product),
    file: StaticString = #fileID, line: UInt = #line, column: UInt = #column
  ) {
    var types: [any Any.Type] = []
    repeat types.append((each Parameter).self)
    let parameters = WiredParameters(types)
    let wiring = AttributeChange.attributes { $0.parameters = parameters }
    declaration = KeyDeclaration(
      of: Product.self,
      at: KeyPlace(name: name, location: SourceLocation(file: file, line: line), column: column),
      scope: scope.erased, changes: [wiring] + (options?.changes ?? [])
    ) { [initializer = initializer()] attributes in
      FactoryRecord(attributes) { resolver in
        try initializer(repeat resolver.parameter((each Parameter).self))
      }
    }
  }

  /// An initializer of another type, for which the compiler would have no message.
  @_documentation(visibility: internal)
  @available(
    *, unavailable,
    message:
      "the initializer makes another type than the key's, or is asynchronous: AsyncServiceKey takes a factory that awaits it"
  )
  @_disfavoredOverload
  public init<each Parameter, Other>(
    name: String? = nil, scope: Scope<Product> = .transient,
    with options: RegistrationOptions<Product>? = nil,
    using initializer: @autoclosure () -> ((repeat each Parameter) async throws -> Other)
  ) {
    preconditionFailure("ServiceKey.init: the compiler refuses the call")
  }
}
