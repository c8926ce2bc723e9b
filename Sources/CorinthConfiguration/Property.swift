// SPDX-License-Identifier: MIT

public import Corinth

/// A property as it is registered, by its dotted name.
struct Property: Sendable {
  /// `nil` for a section: its values are registered on their own.
  let value: PropertyValue?
  /// The resource that it is from.
  let source: String
  let isSecret: Bool

  var isSection: Bool { value == nil }
  var kind: String { isSection ? "a section" : "a value" }
}

/// The value is not shown: loggers print what resolves return.
extension Property: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  var description: String { isSecret ? "a secret of \(source)" : "a property of \(source)" }
  var debugDescription: String { description }
  var customMirror: Mirror { Mirror(self, children: []) }
}

extension RegistrationKey {
  /// The key of a property, to declare that a registration reads it.
  ///
  /// ```swift
  /// try container.register(Pool.self, with: .dependsOn(keys: [.property("db.port")])) { resolver in
  ///   Pool(port: try resolver.property("db.port"))
  /// }
  /// ```
  ///
  /// `validate()` reports it if no resource has the property. The name is that of a value or of a section.
  ///
  /// A value is made: takes no lock.
  public static func property(_ name: String) -> RegistrationKey {
    RegistrationKey(Property.self, name: Name(name))
  }
}
