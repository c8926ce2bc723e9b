// SPDX-License-Identifier: MIT

import Corinth

/// What a container should do, said as plainly as possible: a dictionary, used by one thread.
struct ReferenceContainer {
  struct Registration {
    let serial: Int
    var scope: AnyScope
    let isOverridable: Bool
    /// What a singleton resolved to first.
    var instance: Built?
  }

  /// An instance, told apart by the registration that built it and a running number.
  struct Built: Equatable, Sendable {
    let registration: Int
    let number: Int
  }

  enum Outcome: Equatable {
    case resolved(Built)
    case missing
    case refused
    case done(Bool)
  }

  private var registrations: [Int: Registration] = [:]
  private(set) var built = 0

  mutating func register(
    _ key: Int, serial: Int, scope: AnyScope, isOverridable: Bool
  ) -> Outcome {
    if let existing = registrations[key], !existing.isOverridable || !isOverridable {
      return .refused
    }
    registrations[key] = Registration(
      serial: serial, scope: scope, isOverridable: isOverridable)
    return .done(true)
  }

  mutating func unregister(_ key: Int) -> Outcome {
    .done(registrations.removeValue(forKey: key) != nil)
  }

  mutating func removeAll() -> Outcome {
    registrations.removeAll()
    return .done(true)
  }

  func contains(_ key: Int) -> Outcome {
    .done(registrations[key] != nil)
  }

  /// Changes the scope if the key's registration is still the one given.
  mutating func chain(_ key: Int, serial: Int, scope: AnyScope) -> Outcome {
    if registrations[key]?.serial == serial {
      registrations[key]?.scope = scope
      registrations[key]?.instance = nil
    }
    return .done(true)
  }

  /// Nobody keeps what is resolved, so that a weak instance is built each time.
  mutating func resolve(_ key: Int) -> Outcome {
    guard let registration = registrations[key] else { return .missing }
    if let instance = registration.instance { return .resolved(instance) }
    built += 1
    let instance = Built(registration: registration.serial, number: built)
    if registration.scope == .singleton { registrations[key]?.instance = instance }
    return .resolved(instance)
  }
}
