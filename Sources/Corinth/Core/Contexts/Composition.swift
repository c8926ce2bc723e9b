// SPDX-License-Identifier: MIT

internal import Synchronization

/// The decorators and behaviors of one container. Immutable: writers replace the whole.
struct Composition: Sendable {
  /// The decorators by product, for each product in the order of addition.
  var decorators: [ObjectIdentifier: [Decorator]] = [:]
  /// Products that a descendant decorates.
  var productsDecoratedBelow: Set<ObjectIdentifier> = []
  /// The behaviors, in the order of addition.
  var observers: [Observer] = [] {
    didSet { runObservers = RunObservers(of: observers) }
  }
  private(set) var runObservers: RunObservers?

  /// Whether any container of the process has a composition. Resolves read the flag first: to load
  /// a container counts a reference.
  static var isUsed: Bool { users != 0 }

  /// The number of containers with a composition.
  static var users: Int { count.load(ordering: .relaxed) }

  private static let count = Atomic<Int>(0)

  /// Counts a container that is about to get a composition.
  fileprivate static func begin() { count.add(1, ordering: .relaxed) }

  /// Counts the end of a container with a composition.
  static func end() { count.subtract(1, ordering: .relaxed) }
}

extension ContainerCore {
  /// `nil` if there are neither decorators nor behaviors.
  var composition: Composition? {
    compositionReference.load()?.value
  }

  /// Changes the composition, then runs `body`, as the only writer. No closure may run user code.
  ///
  /// - Parameter mayChange: asked with the lock held. Nothing happens if it is false.
  /// - Returns: the answer.
  @discardableResult
  func changeComposition(
    if mayChange: () -> Bool = { true }, _ change: (inout Composition) -> Void,
    then body: () -> Void = {}
  ) -> Bool {
    // Released after the lock: the former composition may have objects with deinits.
    let replaced = table.withWriterLock {
      () -> ReplaceableReference<Shared<Composition>>.Replaced? in
      if !mayChange() { return nil }
      if compositionReference.isNil { Composition.begin() }
      var composition = compositionReference.load()?.value ?? Composition()
      change(&composition)
      let replaced = compositionReference.exchange(Shared(composition))
      body()
      return replaced
    }
    guard let replaced else { return false }
    compositionReference.retire(replaced)
    return true
  }

  /// Whether this container has behaviors or decorators.
  @inline(never)
  var hasComposition: Bool { !compositionReference.isNil }

  /// Whether the container or an ancestor has behaviors or decorators.
  @inline(never)
  var isComposed: Bool {
    firstOfSelfAndAncestors { $0.compositionReference.isNil ? nil : true } ?? false
  }

  // MARK: - Decorators

  /// The decorators for the instances of this container, the outermost ancestor's first.
  func decorators(of product: any Any.Type) -> [Decorator] {
    let product = ObjectIdentifier(product)
    var found: [Decorator] = []
    for core in selfAndAncestors {
      guard let own = core.composition?.decorators[product] else { continue }
      found.insert(contentsOf: own, at: 0)
    }
    return found
  }

  /// Whether any container that resolves from the slots here may decorate a product.
  func decorates(_ product: any Any.Type) -> Bool {
    if !Composition.isUsed || !isComposed { return false }
    // The section keeps the compositions: the writer lock is often held, and deinits must not run.
    let section = Section.enter()
    defer { section.leave() }
    let isDecoratedBelow =
      composition?.productsDecoratedBelow.contains(ObjectIdentifier(product)) ?? false
    return isDecoratedBelow || !decorators(of: product).isEmpty
  }
}

/// Wraps the instances of one product.
final class Decorator: Sendable {
  /// - Parameters: an instance, and a resolver of the instance's container.
  typealias Wrap = @Sendable (AnyInstanceBox, Resolver) throws -> AnyInstanceBox

  let wrap: Wrap
  let product: any Any.Type
  let location: SourceLocation
  /// Unique in the process: recordings name a decorator by number, and do not keep its closure.
  let number = Decorator.lastNumber.wrappingAdd(1, ordering: .relaxed).newValue

  init(of product: any Any.Type, at location: SourceLocation, _ wrap: @escaping Wrap) {
    self.wrap = wrap
    self.product = product
    self.location = location
  }

  deinit { HeldLocks.assertNone(Decorator.self) }

  private static let lastNumber = Atomic<UInt64>(0)
}
