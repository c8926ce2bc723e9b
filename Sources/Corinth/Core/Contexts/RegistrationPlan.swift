// SPDX-License-Identifier: MIT

/// The factory of a registration, by kind, or the stand-in for a factory.
enum FactoryKind: Sendable {
  case simple
  case withArguments
  case asynchronous
  /// A value that was there before the registration.
  case constant
  /// The instance of another key, for a lazy value or a property: on a thread, and in a task.
  case lazy, lazyInTask
  /// The instances of another key.
  case forwarding
  /// The instances of another version of the container.
  case sharing
  /// Hides the registration of the key in the base.
  case absence

  /// Whether the registration serves the instances of another one.
  var isForwarding: Bool { self == .forwarding || self == .sharing || self == .absence }

  /// Whether built instances come from other registrations, already decorated and reported.
  var passesInstancesOn: Bool {
    switch self {
    case .lazy, .lazyInTask, .forwarding, .sharing, .absence: true
    case .simple, .withArguments, .asynchronous, .constant: false
    }
  }

  /// Whether a construction's resolves are its own, and on its thread. All other resolves are noted
  /// by the construction around.
  var notesDependencies: Bool { self == .simple || self == .withArguments }

  /// Whether resolves are events of their own.
  var reportsResolves: Bool { self != .sharing && self != .absence }

  /// Whether a thread builds by a call without arguments.
  fileprivate var isSimple: Bool { self == .simple || self == .lazy }

  fileprivate var isAsynchronous: Bool { self == .asynchronous || self == .lazyInTask }

  /// Whether the instances of another registration may take a task.
  var mayResolveAsynchronously: Bool { self == .forwarding || self == .sharing }
}

/// The steps that resolves may leave out for a registration.
///
/// One row for each combination of a factory, a scope and actions that there is:
///
/// | plan | factory | scope | actions | instances |
/// |---|---|---|---|---|
/// | bareFactory | synchronous | transient | none | a resolve only calls the factory, which call sites can do |
/// | bareAsyncFactory | asynchronous | transient | none | `resolveAsync` only awaits the factory, whose class is ``AsyncFactoryRecord`` |
/// | simpleSingleton | simple | singleton | none | one, in the registration's own state |
/// | inCells | simple | scoped or graph | none | request scopes, or resolutions, may keep and build them in their cells |
/// | objectsInCells | simple, of a class | scoped or graph | none | as inCells, without boxes |
/// | unchanged | synchronous | served unchanged | none | complete when the factory has returned, and stored as they are |
/// | asynchronous | asynchronous, or any | any | none, or asynchronous | only `resolveAsync` can build them |
/// | ordinary | all others | | | all steps |
enum RegistrationPlan: Sendable {
  case ordinary
  case unchanged, simpleSingleton, inCells, objectsInCells
  case bareFactory
  case asynchronous, bareAsyncFactory

  // A call, which copies the arguments, costs each registration 120 instructions.
  @inline(__always)
  init(
    _ kind: FactoryKind, _ policy: ScopePolicy, _ attributes: borrowing RegistrationAttributes
  ) {
    let hasNoActions = attributes.rare?.contents.lifecycle.isEmpty ?? true
    let isBare = policy.storage == .none && hasNoActions && attributes.fault == nil
    if kind.isAsynchronous || attributes.rare?.contents.lifecycle.isAsynchronous ?? false {
      self = isBare && kind == .asynchronous ? .bareAsyncFactory : .asynchronous
    } else if isBare, kind.isSimple || kind == .withArguments {
      self = .bareFactory
    } else if !hasNoActions || !policy.isServedUnchanged {
      self = .ordinary
    } else if kind.isSimple, policy.isPublishedToSlot {
      self = .simpleSingleton
    } else if kind.isSimple, !policy.isOfNamedScopes {
      self = mayHoldWithoutBox(attributes.key.product) ? .objectsInCells : .inCells
    } else {
      self = .unchanged
    }
  }
}

/// Whether a cell can hold an instance without a box: the product is a class.
private func mayHoldWithoutBox(_ product: any Any.Type) -> Bool {
  #if canImport(ObjectiveC)
    // Not every object is native, and the address of a foreign one has different bits.
    false
  #else
    product is AnyClass
  #endif
}
