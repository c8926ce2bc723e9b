// SPDX-License-Identifier: MIT

internal import Corinth
internal import DialectSupport

/// How an injected property finds its value.
// SAFETY: all is constant. A policy is only asked; it answers for the threads that it is asked on.
@usableFromInline struct Injection: @unchecked Sendable {
  private enum Source {
    case captured(any ContainerLookupPolicy)
    case container(Container)
    case late
  }

  let isEager: Bool
  let site: Site
  private let source: Source
  private let alternative: RegistrationAlternative?

  init<Value>(
    _ kind: Injected<Value>.InitializationKind, _ alternative: RegistrationAlternative?,
    _ site: Site
  ) {
    self.site = site
    self.alternative = alternative
    isEager = if case .resolvingOnInit = kind { true } else { false }
    switch kind {
    case .capturingContainerOnInit(let container?), .resolvingOnInit(let container?):
      source = .container(container)
    case .capturingContainerOnInit, .resolvingOnInit:
      source = .captured(site.policy)
    case .lazily:
      source = .late
    }
  }

  /// - Parameter enclosing: the object that has the property.
  func container(for enclosing: Any) -> Container {
    switch source {
    case .captured(let policy): site.container(for: enclosing, by: policy)
    case .container(let container): container
    case .late: site.container(for: enclosing, by: site.policy)
    }
  }

  /// The value. Closures that take the object that has the property come first.
  ///
  /// - Parameter enclosing: `nil` for a value that is resolved without one.
  func found<Value>(in container: Container, for enclosing: Any?) throws -> Found<Value> {
    try site.found(in: container, alternative?.name, for: enclosing)
  }

  /// The value of a property that is resolved when it is made.
  func eagerValue<Value>() -> Value {
    do {
      return site.logged(try found(in: container(for: ()), for: nil))
    } catch {
      dieWithoutValue(Value.self, because: error)
    }
  }

  func dieWithoutValue(_ type: any Any.Type, because error: any Error) -> Never {
    site.dieWithoutValue(type, alternative?.value, because: error)
  }
}

/// A value that has been resolved, and what the log says of it.
struct Found<Value> {
  let value: Value
  /// The type of the object that it was resolved for, if a closure has got that.
  let enclosing: Any.Type?
}

extension Site {
  /// The value of a parameter.
  func value<Value>(from source: Injected<Value>.ResolveFrom) -> Value {
    switch source {
    case .object(let object, let alternative):
      return value(in: container(for: object, by: policy), alternative, for: object)
    case .container(let container, let alternative):
      return value(in: container, alternative, for: nil)
    case .alreadyResolved(let value):
      guard let value = value as? Value else {
        die("\(Value.self) cannot be injected: the value is of type \(type(of: value))")
      }
      return value
    }
  }

  private func value<Value>(
    in container: Container, _ alternative: String?, for enclosing: Any?
  ) -> Value {
    do {
      return logged(try found(in: container, alternative.map { Name($0) }, for: enclosing))
    } catch {
      dieWithoutValue(Value.self, alternative, because: error)
    }
  }

  /// The policy of this moment.
  var policy: any ContainerLookupPolicy {
    guard let policy = Container.lookupPolicy else { die("Container.lookupPolicy is not set") }
    return policy
  }

  func container(for enclosing: Any, by policy: any ContainerLookupPolicy) -> Container {
    let found = policy.container(for: enclosing, file: file, function: function, line: line)
    guard let found else { die("There is no container for \(type(of: enclosing))") }
    return found
  }

  /// The value, which is to be logged when no other thread waits for it any more: the logger may wait for that thread.
  func found<Value>(
    in container: Container, _ name: Name?, for enclosing: Any?
  ) throws -> Found<Value> {
    if let enclosing {
      do {
        return Found(
          value: try container.found(name, for: enclosing), enclosing: type(of: enclosing))
      } catch MacaroniError.noResolver {}
    }
    let value: Value = if let name { try container.found(name) } else { try container.found() }
    return Found(value: value, enclosing: nil)
  }

  func log<Value>(_ found: Found<Value>) {
    log("\(Value.self) was injected\(found.enclosing.map { ", for \($0)" } ?? "")")
  }

  func logged<Value>(_ found: Found<Value>) -> Value {
    log(found)
    return found.value
  }

  func dieWithoutValue(
    _ type: any Any.Type, _ alternative: String?, because error: any Error
  ) -> Never {
    if case MacaroniError.noResolver = error {
      die(
        "\(type) is not registered\(alternative.map { " under the alternative \"\($0)\"" } ?? "")")
    }
    die("\(type) cannot be injected: \(text(of: error))")
  }
}
