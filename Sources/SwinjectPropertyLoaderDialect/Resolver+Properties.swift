// SPDX-License-Identifier: MIT

internal import Corinth
internal import DialectSupport
public import SwinjectDialect

extension SwinjectDialect.Resolver {
  /// Loads properties into this container. A loaded property replaces the property of equal name.
  ///
  /// - Parameter loader: loads the properties.
  /// - Throws: the error of the loader; then no property is changed.
  public func applyPropertyLoader(_ loader: any PropertyLoader) throws {
    let properties = try loader.load()
    let core = properties.isEmpty ? nil : container.corinth
    for (name, value) in properties {
      try core?.register(uncheckedValue: LoadedProperty(value, in: container), name: Name(name))
    }
  }

  /// A property of this container; `nil` if no property of the name is of the type. Parents are not
  /// searched.
  ///
  /// - Parameter name: the name of the property, a key at the top of a file.
  public func property<Property>(_ name: String) -> Property? {
    let found = orEndProgram {
      try container.corinth.resolveIfRegisteredItself(LoadedProperty.self, name: Name(name))
    }
    guard let found, found.owner == ObjectIdentifier(container) else { return nil }
    return found.value as? Property
  }

  private var container: SwinjectDialect.Container {
    guard let container = self as? SwinjectDialect.Container else {
      preconditionFailure("Resolver.property: the resolver must be a Container")
    }
    return container
  }
}

/// The value under the name of a property in Corinth's registry.
private struct LoadedProperty: RemainingRegistration {
  let value: Any
  let owner: ObjectIdentifier

  init(_ value: Any, in container: SwinjectDialect.Container) {
    self.value = value
    owner = ObjectIdentifier(container)
  }
}

extension SwinjectDialect.Assembler {
  /// Applies assemblies, and then loads properties.
  ///
  /// - Parameters:
  ///   - assemblies: the assemblies to apply.
  ///   - propertyLoaders: load the properties, in order.
  ///   - container: the container in which services are registered.
  /// - Throws: the error of a loader.
  public convenience init(
    assemblies: [any SwinjectDialect.Assembly], propertyLoaders: [any PropertyLoader],
    container: SwinjectDialect.Container = SwinjectDialect.Container()
  ) throws {
    self.init(assemblies, container: container)
    for loader in propertyLoaders { try applyPropertyLoader(loader) }
  }

  /// Applies assemblies to a child, and then loads properties.
  ///
  /// - Parameters:
  ///   - assemblies: are applied.
  ///   - parentAssembler: the assembler whose container becomes the parent of the new container.
  ///   - propertyLoaders: load the properties, in order.
  /// - Throws: the error of a loader.
  public convenience init(
    assemblies: [any SwinjectDialect.Assembly], parentAssembler: SwinjectDialect.Assembler?,
    propertyLoaders: [any PropertyLoader]
  ) throws {
    self.init(assemblies, parent: parentAssembler)
    for loader in propertyLoaders { try applyPropertyLoader(loader) }
  }

  /// Loads properties into the container. A loaded property replaces the property of equal name.
  ///
  /// - Parameter propertyLoader: loads the properties.
  /// - Throws: the error of the loader; then no property is changed.
  public func applyPropertyLoader(_ propertyLoader: any PropertyLoader) throws {
    try resolver.applyPropertyLoader(propertyLoader)
  }
}
