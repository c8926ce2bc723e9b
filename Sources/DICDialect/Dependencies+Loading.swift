// SPDX-License-Identifier: MIT

public import Corinth
public import DialectSupport

/// Singletons come before plain builders, and those before throwing ones. Within these, the registration of an optional
/// serves the type that it wraps, if that has none.
extension Dependencies {
  @inlinable @inline(__always)
  func load<T>(_ type: T.Type) -> T {
    if let found = loadOrNil(type) { return found }
    fatalError("[ERROR] DIC: cannot find dependency for \(type)")
  }

  /// The first kind that is registered decides: an error, or an optional that is `nil`, hides the others.
  @inlinable @inline(__always)
  func loadOrNil<T>(_ type: T.Type) -> T? {
    do {
      if let found = try find(type) { return found }
    } catch { endProgram(error) }
    return loadOrNilSlowly(type)
  }

  /// An optional that is `nil` leaves it to the next kind.
  @inlinable @inline(__always)
  func loadOrThrow<T>(_ type: T.Type, orThrow missing: @autoclosure () -> any Error) throws -> T {
    do {
      if let found = try find(type) ?? findSlowly(type) { return found }
    } catch { throw error.thrownByBuilder }
    throw missing()
  }

  /// A singleton, or what a plain builder of the type itself makes.
  @inlinable @inline(__always)
  func find<T>(_ type: T.Type) throws -> T? {
    if let found = try core.resolveIfRegistered(type) { return found }
    return try core.resolveIfRegistered(type, name: Self.plain)
  }

  @inlinable @inline(never)
  func loadOrNilSlowly<T>(_ type: T.Type) -> T? {
    do {
      if let found = try find(T?.self) { return found }
      if let found = try core.resolveIfRegistered(type, name: Self.throwing) { return found }
      if let found = try core.resolveIfRegistered(T?.self, name: Self.throwing) { return found }
      return try latecomer(type)
    } catch let error as ResolutionError where error.underlyingError == nil {
      endProgram(error)
    } catch {
      // `nil` as a value of the type, if that is an optional.
      return Any?.none as Any as? T
    }
  }

  @inlinable @inline(never)
  func findSlowly<T>(_ type: T.Type) throws -> T? {
    if let found = try core.resolveIfRegistered(T?.self) ?? nil { return found }
    if let found = try core.resolveIfRegistered(T?.self, name: Self.plain) ?? nil { return found }
    if let found = try core.resolveIfRegistered(type, name: Self.throwing) { return found }
    if let found = try core.resolveIfRegistered(T?.self, name: Self.throwing) ?? nil {
      return found
    }
    return try latecomer(type)
  }

  /// A singleton that was registered after the first look, before the builders were removed: it was all there was.
  @inlinable @inline(never)
  func latecomer<T>(_ type: T.Type) throws -> T? {
    if let found = try core.resolveIfRegistered(type) { return found }
    return try core.resolveIfRegistered(T?.self) ?? nil
  }
}

/// An error of Corinth's that a builder threw, which is none of the container's own.
@usableFromInline
struct ErrorOfBuilder: Error {
  let error: ResolutionError

  /// What to throw on. A cycle is the container's own.
  @usableFromInline
  static func wrapping(_ error: ResolutionError) -> any Error {
    error.is(.circularDependencyDetected) ? error : ErrorOfBuilder(error: error)
  }
}

extension Error {
  /// The error that a builder threw, without what the core says about it.
  @usableFromInline
  var thrownByBuilder: any Error {
    let thrown = (self as? ResolutionError)?.underlyingError ?? self
    return (thrown as? ErrorOfBuilder)?.error ?? thrown
  }
}
