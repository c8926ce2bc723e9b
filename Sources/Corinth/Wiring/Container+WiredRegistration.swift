// SPDX-License-Identifier: MIT

/// The common implementation for all numbers of parameters. Out of line: a call site passes the
/// types.
extension Container {
  @usableFromInline
  func registerWired<Product>(
    _ product: Product.Type, _ name: Name?, _ arguments: [any Any.Type], _ scope: Scope<Product>?,
    _ onDuplicate: DuplicatePolicy?, _ options: RegistrationOptions<Product>?, _ file: StaticString,
    _ line: UInt,
    _ parameters: ParameterTypes, factory: @escaping @Sendable (Resolver) throws -> Product
  ) throws -> Registration<Product> {
    let arguments = argumentTypes(of: arguments)
    let attributes = try attributes(
      product, name, arguments, scope, onDuplicate, options, file, line, parameters)
    return try register(
      arguments?.record(attributes, factory: factory) ?? FactoryRecord(attributes, factory: factory)
    )
  }

  @usableFromInline
  func registerAsyncWired<Product>(
    _ product: Product.Type, _ name: Name?, _ arguments: [any Any.Type], _ scope: Scope<Product>?,
    _ onDuplicate: DuplicatePolicy?, _ options: RegistrationOptions<Product>?, _ file: StaticString,
    _ line: UInt,
    _ parameters: ParameterTypes,
    factory: @escaping @Sendable (Resolver) async throws -> sending Product
  ) throws -> Registration<Product> {
    let arguments = argumentTypes(of: arguments)
    let attributes = try attributes(
      product, name, arguments, scope, onDuplicate, options, file, line, parameters)
    return try register(
      arguments?.asyncRecord(attributes, factory: factory)
        ?? AsyncFactoryRecord(attributes, factory: factory))
  }

  private func attributes<Product>(
    _ product: Product.Type, _ name: Name?, _ arguments: (any ArgumentTypes)?,
    _ scope: Scope<Product>?, _ onDuplicate: DuplicatePolicy?,
    _ options: RegistrationOptions<Product>?,
    _ file: StaticString,
    _ line: UInt, _ parameters: ParameterTypes
  ) throws(RegistrationError) -> RegistrationAttributes {
    let wired = WiredParameters(parameters.types, arguments: arguments?.list ?? [])
    let key = RegistrationKey(product: product, name: name, arguments: arguments?.tuple)
    let location = SourceLocation(file: file, line: line)
    if let unused = wired.unusedArgument {
      throw .argumentNotTaken(key: key, argument: unused, location: location)
    }
    var attributes = attributes(
      key, scope: scope?.erased,
      onDuplicate, taking: arguments.map { .arguments($0.hashing) } ?? .nothing,
      with: options?.changes, at: location)
    attributes.parameters = wired
    return attributes
  }
}

/// The types of parameters, collected individually: with a pack at every call site, the time of the
/// compiler grew with the square of the number of registrations in a function.
@usableFromInline
struct ParameterTypes {
  private(set) var types: [any Any.Type] = []

  @usableFromInline
  init() {}

  @usableFromInline
  consuming func adding<Parameter>(_ type: Parameter.Type) -> ParameterTypes {
    types.append(type)
    return self
  }
}
