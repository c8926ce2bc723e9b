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
  ///
  /// - Throws: ``ConfigurationError``, then nothing is registered; the error of a frozen or closed
  ///   container.
  ///
  /// Takes the container's writer lock for every property.
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
  /// to change several properties at once, register the properties in a fork or in a reload.
  ///
  /// In a reload of a `ReloadableContainer` a resource that was registered before keeps
  /// its place among the resources. The URL identifies a file, the name a text, the prefix the
  /// environment. A property that the resource has no longer is missing in the version, unless
  /// another resource has the property. Instances that were built from equal properties stay.
  ///
  /// - Parameters:
  ///   - resource: the file, text or environment.
  ///   - file: the file of the call, for messages.
  ///   - line: the line of the call.
  /// - Throws: ``ConfigurationError``, then nothing is registered; the error of a frozen or closed
  ///   container.
  /// - Complexity: O(*n* log *n*) in the number of properties, existing properties included.
  ///
  /// Takes the container's writer lock for every property.
  public func register(
    resource: Resource, file: StaticString = #fileID, line: UInt = #line
  ) throws {
    let loaded = try resource.load(known: { knownValues() })
    let update = try PropertyUpdate(of: self, with: resource, loaded.root, loaded.sources)
    try update.register(file: file, line: line)
  }

  /// The dotted names of the existing values, here and in parents.
  private func knownValues() -> [String] {
    propertyNames().filter { existingProperty($0)?.isSection == false }
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
