// SPDX-License-Identifier: MIT

/// A dependency that is registered under a name, as a type: for the parameters of wired
/// initializers.
///
/// ```swift
/// enum Replica: NameMarker { static let name: Name = "replica" }
///
/// struct Reports {
///   init(database: Named<any Database, Replica>) { ... }
/// }
/// try container.wire(Reports.self, using: Reports.init)
/// ```
///
/// A `Named` resolves without a registration of its own, as an instance of the named registration,
/// by the registration's scope.
///
/// ## Concurrency
/// Holds only the instance.
public struct Named<Product, Marker: NameMarker> {
  /// The instance.
  public let value: Product

  /// A dependency made by hand, for a test: `Reports(database: Named(FakeDatabase()))`.
  public init(_ value: Product) {
    self.value = value
  }
}

extension Named: Sendable where Product: Sendable {}

/// A type that stands for a name, in ``Named``.
///
/// ```swift
/// enum Replica: NameMarker { static let name: Name = "replica" }
/// ```
///
/// ## Concurrency
/// ``name`` is read on any thread: give a constant.
public protocol NameMarker {
  /// The name of the registration.
  static var name: Name { get }
}
