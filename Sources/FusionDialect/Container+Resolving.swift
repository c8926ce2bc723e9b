// SPDX-License-Identifier: MIT

public import Corinth
public import DialectSupport

/// A circular dependency ends the program with a message that shows it.
extension Container {
  /// Resolves a service; `nil` if nothing is bound to its type and, if given, its id, here or in a parent.
  @inlinable @inline(__always)
  public func resolve<T>(_ type: T.Type = T.self, id: AnyHashable? = nil) -> T? {
    // Asked before it is copied, here and below: a copy takes longer than the resolve.
    if case .none = id { return find(type) }
    return id.flatMap { find(type, named: Name($0)) }
  }

  /// Resolves a service by an id that is a string: as `resolve(_:id:)`, but faster.
  @inlinable @inline(__always)
  public func resolve<T>(_ type: T.Type = T.self, id: String) -> T? { find(type, named: Name(id)) }

  /// Resolves a service; throws `FusionError/notRegistered(type:id:)` if nothing is bound to its type and id.
  @inlinable @inline(__always)
  public func resolveThrowing<T>(_ type: T.Type = T.self, id: AnyHashable? = nil) throws -> T {
    if case .none = id { return try find(type) ?? found(type, nil) }
    return try found(type, id)
  }

  /// Resolves a service; ends the program if nothing is bound to its type and id.
  @inlinable @inline(__always)
  public func resolveAssert<T>(_ type: T.Type = T.self, id: AnyHashable? = nil) -> T {
    if case .none = id { return find(type) ?? orEndProgram { try found(type, nil) } }
    return orEndProgram { try found(type, id) }
  }

  /// The service, or the error that nothing is bound. A function of its own, so that its callers copy no id.
  @inlinable @inline(never)
  func found<T>(_ type: T.Type, _ id: AnyHashable?) throws -> T {
    if let found = resolve(type, id: id) { return found }
    throw FusionError.notRegistered(type: type, id: id)
  }

  @inlinable @inline(__always)
  func find<T>(_ type: T.Type) -> T? {
    defer { withExtendedLifetime(self) {} }
    do { return try core.resolveIfRegistered(type) } catch { endProgram(error) }
  }

  @inlinable @inline(__always)
  func find<T>(_ type: T.Type, named name: Name) -> T? {
    defer { withExtendedLifetime(self) {} }
    do { return try core.resolveIfRegistered(type, name: name) } catch { endProgram(error) }
  }
}
