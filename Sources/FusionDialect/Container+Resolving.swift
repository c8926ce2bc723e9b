// SPDX-License-Identifier: MIT

public import Corinth
public import DialectSupport

/// A circular dependency ends the program with a message that shows the cycle.
extension Container {
  /// Resolves a service; `nil` if nothing is bound to the type, here or in a parent.
  // The forms without an id are separate: copies of an `AnyHashable` that is nil take longer than
  // the resolve.
  @inlinable @inline(__always)
  public func resolve<T>(_ type: T.Type = T.self) -> T? { find(type) }

  /// Resolves a service; `nil` if nothing is bound to the type and id, here or in a parent.
  @inlinable
  public func resolve<T>(_ type: T.Type = T.self, id: AnyHashable?) -> T? {
    find(type, id.map { Name($0) })
  }

  /// Resolves a service by an id that is a string: as `resolve(_:id:)`, but faster.
  @inlinable @inline(__always)
  public func resolve<T>(_ type: T.Type = T.self, id: String) -> T? { find(type, Name(id)) }

  /// Resolves a service by type and, if given, id.
  ///
  /// - Throws: `FusionError/notRegistered(type:id:)`, if nothing is bound, here or in a parent.
  @inlinable @inline(__always)
  public func resolveThrowing<T>(_ type: T.Type = T.self, id: AnyHashable? = nil) throws -> T {
    if let found = find(type, id.map { Name($0) }) { return found }
    throw FusionError.notRegistered(type: type, id: id)
  }

  /// Resolves a service; ends the program if nothing is bound to the type and, if given, id.
  @inlinable @inline(__always)
  public func resolveAssert<T>(_ type: T.Type = T.self, id: AnyHashable? = nil) -> T {
    orEndProgram { try resolveThrowing(type, id: id) }
  }

  @inlinable @inline(__always)
  func find<T>(_ type: T.Type, _ name: Name? = nil) -> T? {
    defer { withExtendedLifetime(self) {} }
    do {
      if let name { return try core.resolveIfRegistered(type, name: name) }
      return try core.resolveIfRegisteredItself(type)
    } catch { endProgram(error) }
  }
}
