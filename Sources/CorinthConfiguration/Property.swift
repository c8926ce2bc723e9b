// SPDX-License-Identifier: MIT

public import Corinth

/// A property under its dotted name, as registered.
struct Property: Sendable {
  /// The entry of a single resource for the property.
  struct Entry: Sendable {
    /// The value; `nil` for a section, whose values have separate registrations.
    let value: PropertyValue?
    /// The name of the resource in messages.
    let source: String
    let origin: Resource.Origin

    var isSection: Bool { value == nil }
    var kind: String { isSection ? "a section" : "a value" }
  }

  /// The entries of all resources, the effective entry first. A lower entry becomes effective when
  /// a reload finds that the resources above have the property no longer.
  let entries: [Entry]
  /// The value, or the values of the section from all resources.
  let content: PropertyValue
  let isSecret: Bool

  var value: PropertyValue? { entries[0].value }
  var source: String { entries[0].source }
  var isSection: Bool { entries[0].isSection }

  /// The keys of the properties directly within a section; none for a value.
  ///
  /// - Parameter name: the dotted name of this property.
  func keysOfContents(named name: String) -> [RegistrationKey] {
    guard case .section(let values) = content else { return [] }
    return values.keys.sorted().map { .property("\(name).\($0)") }
  }
}

/// A reload compares properties: instances that were built from an equal property stay. The source
/// of a value does not count.
extension Property: Equatable {
  static func == (left: Property, right: Property) -> Bool { left.content == right.content }
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
  /// let port = RegistrationKey.property("db.port")
  /// try container.register(Pool.self, with: .dependsOn(keys: [port])) { resolver in
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
