// SPDX-License-Identifier: MIT

/// The actions of a registration, and the user's ``CustomStorage``.
struct Lifecycle: Sendable {
  var afterInit: [AfterInitAction] = []
  /// The user's storage of the instances, if any.
  var customStorage: AnyCustomStorage?

  var isEmpty: Bool { afterInit.isEmpty && customStorage == nil }

  var isAsynchronous: Bool { afterInit.contains(where: \.isAsynchronous) }
}

/// An action run with a new instance, before the instance is visible to further resolutions.
enum AfterInitAction: Sendable {
  case synchronous(@Sendable (Resolver, AnyInstanceBox) throws -> Void)
  case asynchronous(@Sendable (Resolver, AnyInstanceBox) async throws -> Void)

  var isAsynchronous: Bool {
    if case .asynchronous = self { true } else { false }
  }
}

/// An action run with an instance when the container that stores the instance closes.
///
/// An object: running a closure stored in an enumeration or array would count references to the
/// closure, a write to memory shared by all threads.
@safe
// SAFETY: an action gets only addresses of instances of the registration's product.
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
