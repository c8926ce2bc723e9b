// SPDX-License-Identifier: MIT

/// What is done with the instances of a registration besides building them.
struct Lifecycle: Sendable {
  var afterInit: [AfterInitAction] = []
  var disposers: [Disposer] = []
  /// Where the instances are kept, when that is the user's.
  var customInstance: CustomInstance?

  var isEmpty: Bool { afterInit.isEmpty && disposers.isEmpty && customInstance == nil }

  var isAsynchronous: Bool { afterInit.contains(where: \.isAsynchronous) }

  var hasAsynchronousDisposers: Bool { disposers.contains(where: \.isAsynchronous) }
}

/// What is done with an instance when it has been built, before others than its own resolution see it.
enum AfterInitAction: Sendable {
  case synchronous(@Sendable (Resolver, AnyInstanceBox) throws -> Void)
  case asynchronous(@Sendable (Resolver, AnyInstanceBox) async throws -> Void)

  var isAsynchronous: Bool {
    if case .asynchronous = self { true } else { false }
  }
}

/// What is done with an instance when the container that keeps it closes.
enum Disposer: Sendable {
  case synchronous(@Sendable (AnyInstanceBox) throws -> Void)
  case asynchronous(@Sendable (AnyInstanceBox) async throws -> Void)

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
