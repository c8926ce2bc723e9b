// SPDX-License-Identifier: MIT

/// The validations for roots that have no names. The overloads for keys document them.
extension Container {
  @_documentation(visibility: internal)
  @_disfavoredOverload
  @discardableResult
  public func validate(
    roots: [any Any.Type], inputs: [any Any.Type]? = nil
  ) throws -> ValidationReport {
    try validate(roots: .keys(of: roots), inputs: inputs)
  }

  @_documentation(visibility: internal)
  @_disfavoredOverload
  @discardableResult
  public func syncValidate<each Input: Sendable>(
    building: Bool, roots: [any Any.Type], providing inputs: repeat each Input
  ) throws -> ValidationReport {
    try syncValidate(building: building, roots: .keys(of: roots), providing: repeat each inputs)
  }

  @_documentation(visibility: internal)
  @_disfavoredOverload
  @discardableResult
  nonisolated(nonsending)
    public func validate<each Input: Sendable>(
      building: Bool, roots: [any Any.Type], providing inputs: repeat each Input
    ) async throws -> ValidationReport
  {
    try await validate(building: building, roots: .keys(of: roots), providing: repeat each inputs)
  }
}

extension FrozenContainer {
  @_documentation(visibility: internal)
  @_disfavoredOverload
  @discardableResult
  public func validate(
    roots: [any Any.Type], inputs: [any Any.Type]? = nil
  ) throws -> ValidationReport {
    try validate(roots: .keys(of: roots), inputs: inputs)
  }

  @_documentation(visibility: internal)
  @_disfavoredOverload
  @discardableResult
  public func syncValidate<each Input: Sendable>(
    building: Bool, roots: [any Any.Type], providing inputs: repeat each Input
  ) throws -> ValidationReport {
    try syncValidate(building: building, roots: .keys(of: roots), providing: repeat each inputs)
  }

  @_documentation(visibility: internal)
  @_disfavoredOverload
  @discardableResult
  nonisolated(nonsending)
    public func validate<each Input: Sendable>(
      building: Bool, roots: [any Any.Type], providing inputs: repeat each Input
    ) async throws -> ValidationReport
  {
    try await validate(building: building, roots: .keys(of: roots), providing: repeat each inputs)
  }
}

extension [RegistrationKey] {
  fileprivate static func keys(of types: [any Any.Type]) -> Self {
    types.map { RegistrationKey(product: $0) }
  }
}
