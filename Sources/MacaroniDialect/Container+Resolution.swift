// SPDX-License-Identifier: MIT

public import Corinth
internal import DialectSupport

/// Resolves throw ``MacaroniError/noResolver`` when nothing is registered. Where an optional is
/// expected, the registration of the optional is served, or else the registration of the wrapped
/// type. Only resolves with a parameter run closures with a parameter.
extension Container {
  /// Runs the closure registered under a type and an alternative.
  ///
  /// - Throws: ``MacaroniError/noResolver``, or the error of the closure.
  @inlinable @inline(__always)
  public func resolve<D>(
    alternative: String? = nil, file: StaticString = #fileID, function: String = #function,
    line: UInt = #line
  ) throws -> D {
    if let alternative { return try found(Name(alternative)) }
    return try core.resolveItself(D.self) { try foundWrapped(nil) }
  }

  /// Runs the closure registered under a type and an alternative, with a parameter.
  ///
  /// - Throws: ``MacaroniError/noResolver``, or the error of the closure.
  @inlinable
  public func resolve<D>(
    parameter: Any, alternative: String? = nil, file: StaticString = #fileID,
    function: String = #function, line: UInt = #line
  ) throws -> D { try found(alternative.map { Name($0) }, for: parameter) }

  /// Runs the closure registered under a type, where an optional is expected.
  ///
  /// - Throws: ``MacaroniError/noResolver``, or the error of the closure.
  @inlinable @inline(__always)
  public func resolve<D>(
    file: StaticString = #fileID, function: String = #function, line: UInt = #line
  ) throws -> D? {
    if Self.mayHaveOptionals { return try foundOptional() }
    return try core.resolveItself(D.self) { throw MacaroniError.noResolver }
  }

  /// Runs the closure registered under a type and an alternative, where an optional is expected.
  ///
  /// - Throws: ``MacaroniError/noResolver``, or the error of the closure.
  @inlinable @inline(__always)
  public func resolve<D>(
    alternative: RegistrationAlternative?, file: StaticString = #fileID,
    function: String = #function, line: UInt = #line
  ) throws -> D? {
    guard let alternative else { return try resolve() }
    let name = alternative.name
    if Self.mayHaveOptionals, let own = try core.resolveIfRegistered(D?.self, name: name) {
      return own
    }
    if let found = try core.resolveIfRegistered(D.self, name: name) { return found }
    throw MacaroniError.noResolver
  }

  /// Runs the closure registered under a type and an alternative. The original library has this
  /// function only where an optional is expected.
  ///
  /// - Throws: ``MacaroniError/noResolver``, or the error of the closure.
  @inlinable @inline(__always)
  public func resolve<D>(
    alternative: RegistrationAlternative, file: StaticString = #fileID,
    function: String = #function, line: UInt = #line
  ) throws -> D { try found(alternative.name) }

  /// Runs the closure registered under a type and an alternative, with a parameter, where an
  /// optional is expected.
  ///
  /// - Throws: ``MacaroniError/noResolver``, or the error of the closure.
  @inlinable
  public func resolve<D>(
    parameter: Any, alternative: RegistrationAlternative?, file: StaticString = #fileID,
    function: String = #function, line: UInt = #line
  ) throws -> D? { try found(alternative?.name, for: parameter) }

  @inlinable @inline(__always)
  func found<D>(_ name: Name) throws -> D {
    try core.resolveIfRegistered(D.self, name: name) ?? foundWrapped(name)
  }

  @inlinable @inline(__always)
  func found<D>(_ name: Name?, for parameter: Any) throws -> D {
    // `as Any`: otherwise the parameter's dynamic type would select the registration.
    try core.resolveIfRegistered(D.self, name: name, arguments: parameter as Any)
      ?? foundWrapped(name, for: parameter)
  }

  /// The registration of an optional, or of the wrapped type. A separate function, since debug
  /// builds spend time on variables of the optional type.
  @usableFromInline @inline(never)
  func foundOptional<D>() throws -> D? {
    if let own = try core.resolveIfRegistered(D?.self) { return own }
    return try core.resolveItself(D.self) { throw MacaroniError.noResolver }
  }

  /// The product registered under the wrapped type of an optional.
  @usableFromInline @inline(never)
  func foundWrapped<D>(_ name: Name?, for parameter: Any? = nil) throws -> D {
    guard let found: D = try wrappedIfRegistered(name, for: parameter) else {
      throw MacaroniError.noResolver
    }
    return found
  }

  /// The product of a closure with a parameter; `nil` if no such closure is registered. Most
  /// injected properties have none, and an error would take longer than all else of a miss.
  func foundIfRegistered<D>(_ name: Name?, for parameter: Any) throws -> D? {
    // `as Any`, as in `found`.
    try core.resolveIfRegistered(D.self, name: name, arguments: parameter as Any)
      ?? wrappedIfRegistered(name, for: parameter)
  }

  private func wrappedIfRegistered<D>(_ name: Name?, for parameter: Any?) throws -> D? {
    // Two steps are needed: a cast would make an optional of a missing product.
    guard let optional = optionalType(D.self),
      let wrapped = try optional.resolveWrapped(in: core, name: name, for: parameter)
    else { return nil }
    return wrapped as? D
  }
}
