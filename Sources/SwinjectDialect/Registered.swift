// SPDX-License-Identifier: MIT

public import Corinth

/// The value under a Swinject key in Corinth's registry: the type contains the types of the service
/// and of the arguments.
@usableFromInline final class Registered<Service, Arguments>: AnyRegistered {
  @usableFromInline let entry: Entry
  @usableFromInline let factory: (Arguments) -> Any
  @usableFromInline let name: String?
  @usableFromInline let option: (any ServiceKeyOption)?

  init(
    _ entry: Entry, _ factory: @escaping (Arguments) -> Any, _ name: String?,
    _ option: (any ServiceKeyOption)? = nil
  ) {
    (self.entry, self.factory, self.name, self.option) = (entry, factory, name, option)
  }

  var serviceType: any Any.Type { Service.self }
  var argumentsType: any Any.Type { Arguments.self }

  func register<T>(as type: T.Type, name: String?, in container: Container) {
    container.add(Registered<T, Arguments>(entry, factory, name))
  }
}

/// A ``Registered`` with the types erased.
protocol AnyRegistered {
  var entry: Entry { get }
  var name: String? { get }
  var option: (any ServiceKeyOption)? { get }
  var serviceType: any Any.Type { get }
  var argumentsType: any Any.Type { get }
  /// Registers the entry under a second type.
  func register<T>(as type: T.Type, name: String?, in container: Container)
}

extension Container {
  /// The registrations of this container.
  var registrations: [any AnyRegistered] {
    core.registrations.map(\.key).filter { $0.product is any AnyRegistered.Type }
      .compactMap { try? core.resolve(key: $0) as? any AnyRegistered }
  }
}

/// The name of a registration with an option.
struct OptionalName: Hashable, Sendable {
  let name: String?
  let option: any ServiceKeyOption

  static func == (left: Self, right: Self) -> Bool {
    left.name == right.name && left.option.isEqualTo(right.option)
  }

  func hash(into hasher: inout Hasher) {
    hasher.combine(name)
    option.hash(into: &hasher)
  }
}

extension Name {
  /// The name of a service with a name, an option, or both; `nil` for neither.
  @usableFromInline static func of(_ name: String?, _ option: (any ServiceKeyOption)?) -> Name? {
    guard let option else { return name.map { Name($0) } }
    return Name(OptionalName(name: name, option: option))
  }
}
