// SPDX-License-Identifier: MIT

/// The actions of a registration, and the user's ``Instance``.
struct Lifecycle: Sendable {
  var afterInit: [AfterInitAction] = []
  /// The user's storage of the instances, if any.
  var customInstance: CustomInstance?

  var isEmpty: Bool { afterInit.isEmpty && customInstance == nil }

  var isAsynchronous: Bool { afterInit.contains(where: \.isAsynchronous) }
}

/// An action that runs with a new instance, before other resolutions see it.
enum AfterInitAction: Sendable {
  case synchronous(@Sendable (Resolver, AnyInstanceBox) throws -> Void)
  case asynchronous(@Sendable (Resolver, AnyInstanceBox) async throws -> Void)

  var isAsynchronous: Bool {
    if case .asynchronous = self { true } else { false }
  }
}

/// An action that runs with an instance when the container that stores it closes.
enum Disposer: Sendable {
  case synchronous(@Sendable (AnyInstanceBox, ScopeOutcome) throws -> Void)
  case asynchronous(@Sendable (AnyInstanceBox, ScopeOutcome) async throws -> Void)

  var isAsynchronous: Bool {
    if case .asynchronous = self { true } else { false }
  }
}

/// An ``Instance`` without its product's type.
struct CustomInstance: Sendable {
  let get: @Sendable (InstanceContext) -> AnyInstanceBox?
  let set: @Sendable (AnyInstanceBox, InstanceContext) -> Void
  let release: @Sendable () -> Void
}
