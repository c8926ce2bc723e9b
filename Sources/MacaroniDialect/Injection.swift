// SPDX-License-Identifier: MIT

internal import Corinth
internal import DialectSupport

/// The way in which an injected property or parameter finds its value.
// SAFETY: all properties are constant. A policy is only asked, and is responsible for the threads
// on which the policy is asked.
@usableFromInline struct Injection: @unchecked Sendable {
  let isEager: Bool
  let site: Site
  private let alternative: RegistrationAlternative?
  /// The policy; `nil` for the policy at the time of the resolve.
  private let policy: (any ContainerLookupPolicy)?

  init<Value>(
    _ kind: Injected<Value>.InitializationKind, _ alternative: RegistrationAlternative?,
    _ site: Site
  ) {
    self.site = site
    self.alternative = alternative
    isEager = if case .resolvingOnInit = kind { true } else { false }
    switch kind {
    case .capturingContainerOnInit(let container?), .resolvingOnInit(let container?):
      policy = SingletonContainer(container)
    case .capturingContainerOnInit, .resolvingOnInit: policy = site.policy
    case .lazily: policy = nil
    }
  }

  /// The value. The function does not return if the logger ends the program.
  ///
  /// - Parameters:
  ///   - type: the type that messages name.
  ///   - enclosing: the object with the property; `nil` for a value that is resolved without an
  ///     object.
  ///   - keep: has the value made by the function that `keep` gets, and keeps the value.
  func value<Value>(
    of type: any Any.Type, for enclosing: Any?,
    keep: (Container, () throws -> Value) throws -> Value = { try $1() }
  ) -> Value {
    let container = site.container(for: enclosing ?? (), by: policy ?? site.policy)
    let enclosingType = enclosing.map { Swift.type(of: $0) }
    var found: Found<Value>?
    // Logged when no other thread waits for the value any more: the logger may wait for such a
    // thread.
    defer {
      if let found { site.log("\(Value.self) was injected\(owner(found.enclosing))") }
    }
    do {
      return try keep(container) {
        let made: Found<Value> = try make(in: container, for: enclosing)
        found = made
        return made.value
      }
    } catch MacaroniError.noResolver {
      let place = alternative.map { " under the alternative \"\($0.value)\"" } ?? ""
      site.die("\(type) is not registered\(place)\(owner(enclosingType))")
    } catch { site.die("\(type) cannot be injected\(owner(enclosingType)): \(text(of: error))") }
  }

  private func owner(_ type: Any.Type?) -> String { type.map { ", for \($0)" } ?? "" }

  /// A value, and the type of the object for which the value was made, if a closure got the object.
  private typealias Found<Value> = (value: Value, enclosing: Any.Type?)

  /// Closures that take the object with the property come first.
  private func make<Value>(in container: Container, for enclosing: Any?) throws -> Found<Value> {
    let name = alternative?.name
    if let enclosing {
      do {
        if let value: Value = try container.foundIfRegistered(name, for: enclosing) {
          return (value, Swift.type(of: enclosing))
        }
      } catch MacaroniError.noResolver {}
    }
    let value: Value = if let name { try container.found(name) } else { try container.resolve() }
    return (value, nil)
  }
}

extension Injected.ResolveFrom {
  /// The value of a parameter.
  func value(at site: Site) -> ValueType {
    switch self {
    case .object(let object, let alternative):
      return value(.lazily, alternative, site, for: object)
    case .container(let container, let alternative):
      return value(.resolvingOnInit(from: container), alternative, site, for: nil)
    case .alreadyResolved(let value):
      guard let value = value as? ValueType else {
        site.die("\(ValueType.self) cannot be injected: the value is of type \(type(of: value))")
      }
      return value
    }
  }

  private func value(
    _ kind: Injected.InitializationKind, _ alternative: String?, _ site: Site, for object: Any?
  ) -> ValueType {
    Injection(kind, alternative.map { RegistrationAlternative($0) }, site)
      .value(of: ValueType.self, for: object)
  }
}

extension Site {
  /// The current policy.
  var policy: any ContainerLookupPolicy {
    guard let policy = Container.lookupPolicy else { die("Container.lookupPolicy is not set") }
    return policy
  }

  func container(for enclosing: Any, by policy: any ContainerLookupPolicy) -> Container {
    let found = policy.container(for: enclosing, file: file, function: function, line: line)
    guard let found else { die("There is no container for \(type(of: enclosing))") }
    return found
  }
}
