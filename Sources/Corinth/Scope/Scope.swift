// SPDX-License-Identifier: MIT

/// How long the instances of a registration live, and who shares them.
///
/// ```swift
/// try container.register(Cache.self, scope: .singleton) { _ in Cache() }
/// ```
public struct Scope: Sendable, Hashable {
  @usableFromInline
  enum Kind: UInt8, Sendable {
    case transient
    case singleton
    case weak
  }

  @usableFromInline let kind: Kind

  /// A new instance for each resolve. The default.
  public static var transient: Scope { Scope(kind: .transient) }

  /// Another word for ``transient``.
  public static var prototype: Scope { .transient }

  /// One instance for each container and registration, built by the first resolve, exactly once.
  ///
  /// It lives until the registration is overridden, removed, or the container is gone.
  public static var singleton: Scope { Scope(kind: .singleton) }

  /// One instance for as long as somebody else keeps it alive; the next resolve builds another.
  ///
  /// For class instances only, under their class or a protocol. Other product types are refused
  /// when the registration is made.
  public static var weak: Scope { Scope(kind: .weak) }
}

extension Scope: CustomStringConvertible {
  /// The scope's name, for messages.
  public var description: String { "\(kind)" }
}
