// SPDX-License-Identifier: MIT

public import Corinth

/// A property under its dotted name, as registered.
struct Property: Sendable {
  /// The value; `nil` for a section, whose values have separate registrations.
  let value: PropertyValue?
  /// The resource of the property.
  let source: String
  let isSecret: Bool

  var isSection: Bool { value == nil }
  var kind: String { isSection ? "a section" : "a value" }
}

/// The value is not shown: loggers print the results of resolves.
extension Property: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  var description: String { isSecret ? "a secret of \(source)" : "a property of \(source)" }
  var debugDescription: String { description }
  var customMirror: Mirror { Mirror(self, children: []) }
}

extension RegistrationKey {
  /// The key of a property, to declare that a registration reads the property.
  ///
  /// ```swift
  /// try container.register(Pool.self, with: .dependsOn(keys: [.property("db.port")])) { resolver in
  ///   Pool(port: try resolver.property("db.port"))
  /// }
  /// ```
  ///
  /// `validate()` reports a key whose property no resource has. The name is the name of a value or
  /// of a section.
  ///
  /// A value is made: takes no lock.
  public static func property(_ name: String) -> RegistrationKey {
    RegistrationKey(Property.self, name: Name(name))
  }
}
