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
  /// A section is read with what this container and its parents have of it, the nearest first. An optional type reads `null`; a
  /// property that is missing is an error for it too.
  ///
  /// - Parameters:
  ///   - name: the dotted name.
  ///   - type: what to read it as; by its `Decodable` conformance.
  /// - Throws: ``ConfigurationError`` of the kind ``ConfigurationError/Kind-swift.enum/mistyped``;
  ///   `ResolutionError.noRegistrationFound` with similar names.
  /// - Complexity: O(*n*) in the size of a value; for a section O(*n* log *n*) in the number of keys ever registered.
  ///
  /// It decodes each time: let a registration keep what is read. Lock-free for a value; for a section it takes the writer locks
  /// of the container and its parents, for a moment.
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
  /// Registers what a property or section is read as.
  ///
  /// ```swift
  /// try container.register(DatabaseSettings.self, property: "db")
  /// try container.wire(Pool.self, scope: .singleton, using: Pool.init(settings:))
  /// ```
  ///
  /// `validate()` knows that it needs the property.
  ///
  /// - Parameters:
  ///   - product: the type to resolve by.
  ///   - property: the dotted name of a value or section.
  ///   - name: distinguishes registrations of the same type.
  ///   - scope: which resolves share what was read.
  ///   - file: the file that messages name.
  ///   - line: the line that messages name.
  /// - Returns: the registration, for modifiers.
  /// - Throws: `RegistrationError.alreadyRegistered`.
  /// - Complexity: O(1) amortised.
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
