// SPDX-License-Identifier: MIT

internal import Corinth
internal import DialectSupport
public import SwinjectDialect

extension SwinjectDialect.Resolver {
  /// Loads properties into this container, over those of the same names.
  ///
  /// - Parameter loader: loads them.
  /// - Throws: the error of the loader; nothing is changed then.
  public func applyPropertyLoader(_ loader: any PropertyLoader) throws {
    let properties = try loader.load()
    let core = properties.isEmpty ? nil : container.corinth
    for (name, value) in properties {
      try core?.register(uncheckedValue: LoadedProperty(value, in: container), name: Name(name))
    }
  }

  /// A property of this container; `nil` if there is none of the name and type. Those of parents are not looked at.
  ///
  /// - Parameter name: its name, a key on top of a file.
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

/// What Corinth's registry has under the name of a property.
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
  ///   - assemblies: are applied.
  ///   - propertyLoaders: load the properties, in their order.
  ///   - container: where services are registered.
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
  ///   - parentAssembler: its container is the parent of the new one.
  ///   - propertyLoaders: load the properties, in their order.
  /// - Throws: the error of a loader.
  public convenience init(
    assemblies: [any SwinjectDialect.Assembly], parentAssembler: SwinjectDialect.Assembler?,
    propertyLoaders: [any PropertyLoader]
  ) throws {
    self.init(assemblies, parent: parentAssembler)
    for loader in propertyLoaders { try applyPropertyLoader(loader) }
  }

  /// Loads properties into the container, over those of the same names.
  ///
  /// - Parameter propertyLoader: loads them.
  /// - Throws: the error of the loader; nothing is changed then.
  public func applyPropertyLoader(_ propertyLoader: any PropertyLoader) throws {
    try resolver.applyPropertyLoader(propertyLoader)
  }
}
