// SPDX-License-Identifier: MIT

/// The actions of a registration, and the user's ``CustomStorage``.
struct Lifecycle: Sendable {
  var afterInit: [AfterInitAction] = []
  /// The user's storage of the instances, if any.
  var customStorage: AnyCustomStorage?

  var isEmpty: Bool { afterInit.isEmpty && customStorage == nil }

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
///
/// An object: to run a closure that is stored in an enumeration or in an array counts references to it, which is a write to
/// memory that all threads share.
@safe
// SAFETY: the addresses that an action gets are those of instances of its registration's product.
final class Disposer: Sendable {
  /// Gets the address of the instance.
  typealias Synchronous = @Sendable (UnsafeRawPointer, ScopeOutcome) throws -> Void
  typealias Asynchronous = @Sendable (AnyInstanceBox, ScopeOutcome) async throws -> Void

  /// Runs a synchronous action.
  let dispose: Synchronous
  private let disposeAsync: Asynchronous?

  private init(_ dispose: @escaping Synchronous, _ disposeAsync: Asynchronous?) {
    unsafe self.dispose = dispose
    self.disposeAsync = disposeAsync
  }

  deinit { HeldLocks.assertNone(Disposer.self) }

  static func synchronous(_ action: @escaping Synchronous) -> Disposer {
    unsafe Disposer(action, nil)
  }

  static func asynchronous(_ action: @escaping Asynchronous) -> Disposer {
    unsafe Disposer({ _, _ in preconditionFailure("Disposer.dispose: is asynchronous") }, action)
  }

  var isAsynchronous: Bool { disposeAsync != nil }

  /// Runs the action with the instance of a box.
  func run(_ box: AnyInstanceBox, _ outcome: ScopeOutcome) async throws {
    if let disposeAsync { return try await disposeAsync(box, outcome) }
    unsafe try box.withProduct { unsafe try dispose($0, outcome) }
  }
}

/// A ``CustomStorage`` without its product's type.
struct AnyCustomStorage: Sendable {
  let get: @Sendable (StorageContext) -> AnyInstanceBox?
  let set: @Sendable (AnyInstanceBox, StorageContext) -> Void
  let release: @Sendable () -> Void
}
