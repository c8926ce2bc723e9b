// SPDX-License-Identifier: MIT

public import Corinth
internal import DialectSupport

/// Resolves throw ``MacaroniError/noResolver`` when nothing is registered. Where an optional is asked for, its own
/// registration is served, or else that of the type that it wraps. Only those with a parameter run closures that take one.
extension Container {
  /// Runs the closure that is registered under a type and an alternative.
  @inlinable @inline(__always)
  public func resolve<D>(
    alternative: String? = nil, file: StaticString = #fileID, function: String = #function,
    line: UInt = #line
  ) throws -> D {
    if let alternative { return try found(Name(alternative)) }
    return try core.resolveItself(D.self) { try foundWrapped(nil) }
  }

  /// Runs the closure that is registered under a type and an alternative, with a parameter.
  @inlinable
  public func resolve<D>(
    parameter: Any, alternative: String? = nil, file: StaticString = #fileID,
    function: String = #function, line: UInt = #line
  ) throws -> D { try found(alternative.map { Name($0) }, for: parameter) }

  /// Runs the closure that is registered under a type, where an optional is expected.
  @inlinable @inline(__always)
  public func resolve<D>(
    file: StaticString = #fileID, function: String = #function, line: UInt = #line
  ) throws -> D? {
    if Self.mayHaveOptionals { return try foundOptional() }
    return try core.resolveItself(D.self) { throw MacaroniError.noResolver }
  }

  /// Runs the closure that is registered under a type and an alternative, where an optional is expected.
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

  /// Runs the closure that is registered under a type and an alternative. Upstream has it with optionals only.
  @inlinable @inline(__always)
  public func resolve<D>(
    alternative: RegistrationAlternative, file: StaticString = #fileID,
    function: String = #function, line: UInt = #line
  ) throws -> D { try found(alternative.name) }

  /// Runs the closure that is registered under a type and an alternative, with a parameter, where an optional is expected.
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

  /// An optional registered itself, or what it wraps. Apart, as debug builds spend time on variables of this type.
  @usableFromInline @inline(never)
  func foundOptional<D>() throws -> D? {
    if let own = try core.resolveIfRegistered(D?.self) { return own }
    return try core.resolveItself(D.self) { throw MacaroniError.noResolver }
  }

  /// The product registered under the type that an optional wraps.
  @usableFromInline @inline(never)
  func foundWrapped<D>(_ name: Name?, for parameter: Any? = nil) throws -> D {
    // In two steps: the cast would make an optional of a missing one.
    guard let optional = optionalType(D.self),
      let wrapped = try optional.resolveWrapped(in: core, name: name, for: parameter),
      let found = wrapped as? D
    else { throw MacaroniError.noResolver }
    return found
  }
}
