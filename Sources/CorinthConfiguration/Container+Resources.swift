// SPDX-License-Identifier: MIT

public import Corinth
public import Foundation

extension Container {
  /// Registers the properties of a file.
  ///
  /// ```swift
  /// try container.register(resource: URL(filePath: "/etc/shop/settings.json"))
  /// let port = try container.property("db.port", as: Int.self)
  /// ```
  ///
  /// As ``register(resource:file:line:)-(Resource,_,_)``.
  public func register(
    resource url: URL, file: StaticString = #fileID, line: UInt = #line
  ) throws {
    try register(resource: .file(url), file: file, line: line)
  }

  /// Registers the properties of a resource. The properties override properties of resources
  /// registered before.
  ///
  /// ```swift
  /// try container.register(resource: .json(#"{"db": {"port": 5432}}"#, named: "defaults"))
  /// try container.register(resource: .environment(prefix: "SHOP_"))
  /// ```
  ///
  /// A section and a value do not override each other. An array is a single value. Every property
  /// is a separate registration, which `validate()`, drawings and
  /// ``Corinth/RegistrationKey/property(_:)`` know. Readers see the properties appear one by one:
  /// to change several properties at once, register the properties in a fork.
  ///
  /// - Parameters:
  ///   - resource: the file, text or environment.
  ///   - file: the file of the call, for messages.
  ///   - line: the line of the call.
  /// - Throws: ``ConfigurationError``, then nothing is registered; the error of a frozen or closed
  ///   container.
  /// - Complexity: O(*n*) in the number of properties.
  ///
  /// Takes the container's writer lock for every property.
  public func register(
    resource: Resource, file: StaticString = #fileID, line: UInt = #line
  ) throws {
    let loaded = try resource.load(known: { knownValues() })
    var found: [(name: String, property: Property)] = []
    try collect(loaded.root, below: nil, of: resource, loaded.sources, secret: false, into: &found)
    for (name, property) in found {
      try register(
        value: property, name: Name(name), onDuplicate: .override, file: file, line: line)
    }
  }

  /// The dotted names of the existing values, here and in parents.
  private func knownValues() -> [String] {
    propertyNames().filter { existing($0)?.isSection == false }
  }

  private func existing(_ name: String) -> Property? {
    (try? resolveIfRegistered(Property.self, name: Name(name))) ?? nil
  }

  private func collect(
    _ section: [String: PropertyValue], below prefix: String?, of resource: Resource,
    _ sources: [String: String], secret isSecret: Bool,
    into found: inout [(name: String, property: Property)]
  ) throws(ConfigurationError) {
    for (key, value) in section.sorted(by: { $0.key < $1.key }) {
      let name = prefix.map { "\($0).\(key)" } ?? key
      let source = sources[name] ?? resource.name
      if name.utf8.count > ResourceLimits.nameBytes {
        throw ConfigurationError(
          .malformed, in: source.shortened, property: name.shortened,
          "The resource \(source.shortened) is malformed: the name \(name.shortened) is longer than \(ResourceLimits.nameBytes) bytes."
        )
      }
      // A combining mark at the beginning would join the dot before the key.
      if ".\(key)".split(separator: ".").map(String.init) != [key] {
        throw ConfigurationError(
          .conflicting, in: source, property: name,
          "The resource \(source) has the key \"\(key)\"\(prefix.map { " in \($0)" } ?? ""): a key must neither be empty nor have a dot in it, nor begin with a combining mark."
        )
      }
      let existing = existing(name)
      let isSecret = isSecret || resource.isSecret(name) || existing?.isSecret ?? false
      var leaf: PropertyValue? = value
      if case .section(let inner) = value {
        try collect(inner, below: name, of: resource, sources, secret: isSecret, into: &found)
        leaf = nil
      }
      let property = Property(value: leaf, source: source, isSecret: isSecret)
      if let existing, existing.isSection != property.isSection {
        throw ConfigurationError(
          .conflicting, in: source, property: name,
          "The property \(name) is \(property.kind) in \(source), and \(existing.kind) in \(existing.source): rename one of them."
        )
      }
      found.append((name, property))
    }
  }
}

extension Container {
  /// The dotted names of the existing properties, here and in parents, sections included.
  func propertyNames() -> Set<String> {
    Set(
      registrations(includingParents: true).compactMap { listed in
        listed.key.product == Property.self ? listed.key.name?.base as? String : nil
      })
  }
}
