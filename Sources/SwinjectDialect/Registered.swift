// SPDX-License-Identifier: MIT

public import Corinth

/// What Corinth's registry has under a key of Swinject: its type has those of the service and of the arguments, its name the
/// rest.
@usableFromInline final class Registered<Service, Arguments>: AnyRegistered {
  @usableFromInline let factory: (Arguments) -> Any

  init(entry: Entry, factory: @escaping (Arguments) -> Any) {
    self.factory = factory
    super.init(entry: entry)
  }

  override class var serviceType: any Any.Type { Service.self }
}

/// The same, whatever the types.
@usableFromInline class AnyRegistered {
  @usableFromInline final let entry: Entry

  init(entry: Entry) {
    self.entry = entry
  }

  class var serviceType: any Any.Type {
    preconditionFailure("AnyRegistered.serviceType: must be overridden for each type of service")
  }
}

/// The name of a registration that has an option.
struct OptionalName: Hashable, Sendable {
  let name: String?
  let option: any ServiceKeyOption

  static func == (left: OptionalName, right: OptionalName) -> Bool {
    left.name == right.name && left.option.isEqualTo(right.option)
  }

  func hash(into hasher: inout Hasher) {
    hasher.combine(name)
    option.hash(into: &hasher)
  }
}

extension Name {
  /// That of a service with a name, an option, or both; `nil` for neither.
  @usableFromInline static func of(_ name: String?, _ option: (any ServiceKeyOption)?) -> Name? {
    guard let option else { return name.map { Name($0) } }
    return Name(OptionalName(name: name, option: option))
  }
}

/// A registration as texts list it.
struct ListedEntry {
  let serviceType: any Any.Type
  let name: String?
  let option: (any ServiceKeyOption)?
  let entry: Entry

  init?(_ key: RegistrationKey, in core: Corinth.Container) {
    guard key.product is AnyRegistered.Type,
      let found = try? core.resolve(key: key) as? AnyRegistered
    else { return nil }
    let optional = key.name?.base as? OptionalName
    serviceType = type(of: found).serviceType
    name = optional.map(\.name) ?? key.name?.base as? String
    option = optional?.option
    entry = found.entry
  }
}

extension Container {
  /// The registrations of this container.
  var entries: [ListedEntry] {
    core.registrations.compactMap { ListedEntry($0.key, in: core) }
  }
}
