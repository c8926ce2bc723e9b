// SPDX-License-Identifier: MIT

import Corinth
import TestSupport

/// What a factory throws by itself.
struct BrokenPiece: Error {}

/// What a factory may ask for.
protocol Resolvable: SendableMetatype {
  /// What it holds, or resolves now.
  func contents() async throws -> [any Resolvable]

  static func resolveIfRegistered(by resolver: Resolver) throws -> any Resolvable
  static func resolveAsyncIfRegistered(by resolver: Resolver) async throws -> any Resolvable
}

extension Resolvable {
  static var key: RegistrationKey { RegistrationKey(Self.self) }
  static func resolve(by resolver: Resolver) throws -> any Resolvable {
    try resolver.resolve(Self.self)
  }
  static func resolveAsync(by resolver: Resolver) async throws -> any Resolvable {
    try await resolver.resolveAsync(Self.self)
  }
  /// For an optional: what it wraps, if there is one.
  static func resolveIfRegistered(by resolver: Resolver) throws -> any Resolvable {
    try resolver.resolveIfRegistered(Self.self)
  }
  static func resolveAsyncIfRegistered(by resolver: Resolver) async throws -> any Resolvable {
    try await resolver.resolveAsyncIfRegistered(Self.self)
  }
}

extension Named: Resolvable where Product: Resolvable {
  func contents() -> [any Resolvable] { [value] }
}

extension Lazy: Resolvable where Product: Resolvable {
  func contents() async throws -> [any Resolvable] { [try await valueAsync] }
}

extension Provider: Resolvable where Product: Resolvable {
  /// What only a task can build is not for providers.
  func contents() throws -> [any Resolvable] {
    do { return [try self()] } catch ResolutionError.asyncResolutionRequired { return [] }
  }
}

extension Optional: Resolvable where Wrapped: Resolvable {
  static func resolveIfRegistered(by resolver: Resolver) throws -> any Resolvable {
    try resolver.resolveIfRegistered(Wrapped.self)
  }
  static func resolveAsyncIfRegistered(by resolver: Resolver) async throws -> any Resolvable {
    try await resolver.resolveAsyncIfRegistered(Wrapped.self)
  }
  func contents() -> [any Resolvable] { map { [$0] } ?? [] }
}

extension Array: Resolvable where Element: Resolvable {
  func contents() -> [any Resolvable] { self }
}

/// What a request brings.
struct Request: Resolvable, Sendable {
  func contents() -> [any Resolvable] { [] }
}

class AnyPiece: Resolvable, @unchecked Sendable {
  private let held: Guarded<[any Resolvable]>

  init(_ held: [any Resolvable]) {
    self.held = Guarded(held)
  }

  func contents() -> [any Resolvable] { held.value ?? [] }
  func add(_ more: [any Resolvable]) { held.value = contents() + more }
}

/// An instance, with what it was built with. Decorators are those of a side.
final class Piece<Side>: AnyPiece, @unchecked Sendable {}

/// A number as a name.
protocol PieceLabel: NameMarker { associatedtype Side }

enum PieceLabels {
  enum Upper {}
  enum Lower {}

  enum N0: PieceLabel {
    typealias Side = Upper
    static let name: Name = "0"
  }
  enum N1: PieceLabel {
    typealias Side = Upper
    static let name: Name = "1"
  }
  enum N2: PieceLabel {
    typealias Side = Upper
    static let name: Name = "2"
  }
  enum N3: PieceLabel {
    typealias Side = Lower
    static let name: Name = "3"
  }
  enum N4: PieceLabel {
    typealias Side = Lower
    static let name: Name = "4"
  }
  enum N5: PieceLabel {
    typealias Side = Lower
    static let name: Name = "5"
  }

  static var all: [any PieceLabel.Type] { [N0.self, N1.self, N2.self, N3.self, N4.self, N5.self] }
}
