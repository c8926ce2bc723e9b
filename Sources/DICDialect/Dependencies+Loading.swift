// SPDX-License-Identifier: MIT

public import Corinth
internal import DialectSupport

/// Singletons come before plain builders, and plain builders before throwing builders. Within a
/// kind, the registration of an optional serves the wrapped type if the wrapped type has no
/// registration, unless the optional is a singleton that is `nil`.
extension Dependencies {
  @inlinable @inline(__always)
  func load<T>(_ type: T.Type) -> T {
    if let found = loadOrNil(type) { return found }
    fatalError("[ERROR] DIC: cannot find dependency for \(type)")
  }

  /// The first registered kind decides: an error, or an optional for which a builder returns `nil`,
  /// hides the later kinds.
  @inlinable @inline(__always)
  func loadOrNil<T>(_ type: T.Type) -> T? {
    do { return try find(type, skipsNil: false) } catch { return loaded(insteadOf: error) }
  }

  /// An optional that is `nil` passes on to the next kind.
  @inlinable @inline(__always)
  func loadOrThrow<T>(_ type: T.Type, orThrow missing: @autoclosure () -> any Error) throws -> T {
    do {
      if let found = try find(type, skipsNil: true) { return found }
    } catch { throw error.thrownByBuilder }
    throw missing()
  }

  /// - Parameter skipsNil: whether a builder's optional that is `nil` passes on to the next kind.
  @inlinable @inline(__always)
  func find<T>(_ type: T.Type, skipsNil: Bool) throws -> T? {
    if let found = try core.resolveIfRegisteredItself(type) { return found }
    if let found = try core.resolveIfRegistered(type, name: Self.plain) { return found }
    return try findSlowly(type, skipsNil: skipsNil)
  }

  /// Loads a dependency that is neither a singleton nor made by a plain builder of the type.
  @inlinable @inline(never)
  func findSlowly<T>(_ type: T.Type, skipsNil: Bool) throws -> T? {
    func isFound(_ optional: T?) -> Bool { optional != nil || !skipsNil }
    if let found = try core.resolveIfRegistered(T?.self), found != nil { return found }
    if let found = try core.resolveIfRegistered(T?.self, name: Self.plain), isFound(found) {
      return found
    }
    if let found = try core.resolveIfRegistered(type, name: Self.throwing) { return found }
    if let found = try core.resolveIfRegistered(T?.self, name: Self.throwing), isFound(found) {
      return found
    }
    // A last look at the singletons: a singleton may have been registered after the first look,
    // before the builders were removed, and was then the only registration.
    if let found = try core.resolveIfRegisteredItself(type) { return found }
    return try core.resolveIfRegistered(T?.self) ?? nil
  }

  /// `nil` as a value of the type, if the type is an optional, when a builder has thrown.
  @usableFromInline @inline(never)
  func loaded<T>(insteadOf error: any Error) -> T? {
    if let error = error as? ResolutionError, error.underlyingError == nil { endProgram(error) }
    return optionalType(T.self)?.empty(as: T.self)
  }
}

/// Wraps an error of Corinth's that a builder threw, to distinguish the error from the container's
/// own errors.
private struct BuilderError: Error {
  let error: any Error
}

extension Error {
  /// The error to throw for a builder that threw `self`. A cycle is the container's own error.
  @usableFromInline var ofBuilder: any Error {
    self is ResolutionError && !self.is(.circularDependencyDetected)
      ? BuilderError(error: self) : self
  }

  /// The error that a builder threw, without the text that the core adds.
  @usableFromInline var thrownByBuilder: any Error {
    let thrown = (self as? ResolutionError)?.underlyingError ?? self
    return (thrown as? BuilderError)?.error ?? thrown
  }
}
