// SPDX-License-Identifier: MIT

public import Corinth
internal import Foundation

extension Resolving {
  /// Reads a property, or a whole section.
  ///
  /// ```swift
  /// let port: Int = try resolver.property("db.port")
  /// let settings = try container.property("db", as: DatabaseSettings.self)
  /// ```
  ///
  /// A section is read with the values of this container and its parents, the nearest first. An
  /// optional type reads `null`; a missing property is an error for an optional type too.
  ///
  /// - Parameters:
  ///   - name: the dotted name.
  ///   - type: the type to read the property as, by the type's `Decodable` conformance.
  /// - Throws: ``ConfigurationError`` of the kind ``ConfigurationError/Kind-swift.enum/mistyped``;
  ///   `ResolutionError.noRegistrationFound` with similar names.
  /// - Complexity: O(*n*) in the size of a value; for a section O(*n* log *n*) in the number of
  ///   keys ever registered.
  ///
  /// Every call decodes: let a registration keep the result. Lock-free for a value; for a section,
  /// the call takes the writer locks of the container and its parents, for a moment.
  public func property<Value: Decodable>(
    _ name: String, as type: Value.Type = Value.self
  ) throws -> Value {
    let resolver = resolver
    let property = try resolver.resolve(Property.self, name: Name(name))
    var reading = PropertyReading(name, property)
    reading.value = try property.value ?? reading.section(name, of: resolver)
    return try reading.decode(type)
  }
}

extension Container {
  /// Registers the type to read a property or section as.
  ///
  /// ```swift
  /// try container.register(DatabaseSettings.self, property: "db")
  /// try container.wire(Pool.self, scope: .singleton, using: Pool.init(settings:))
  /// ```
  ///
  /// `validate()` knows that the registration needs the property.
  ///
  /// - Parameters:
  ///   - product: the type to resolve by.
  ///   - property: the dotted name of a value or section.
  ///   - name: distinguishes registrations of equal type.
  ///   - scope: decides which resolves share the result.
  ///   - file: the file named in messages.
  ///   - line: the line named in messages.
  /// - Returns: the registration, for modifiers.
  /// - Throws: `RegistrationError.alreadyRegistered`.
  /// - Complexity: O(1) amortized.
  ///
  /// Takes the container's writer lock.
  @discardableResult
  public func register<Product: Decodable & Sendable>(
    _ product: Product.Type, property: String, name: Name? = nil,
    scope: Scope<Product> = .singleton, file: StaticString = #fileID, line: UInt = #line
  ) throws -> Registration<Product> {
    try register(
      product, name: name, scope: scope, with: .dependsOn(keys: [.property(property)]),
      file: file, line: line
    ) { resolver in try resolver.property(property) }
  }
}
