// SPDX-License-Identifier: MIT

internal import Synchronization

/// The decorators and behaviors of one container. Immutable: writers replace the whole.
@safe
// SAFETY: Sendable but for the observers at +0, which are Sendable objects.
struct Composition: @unchecked Sendable {
  /// The decorators by product, for each product in the order of addition.
  var decorators: [ObjectIdentifier: [Decorator]] = [:] { didSet { noteDecorators() } }
  /// Products that a descendant decorates.
  var productsDecoratedBelow: Set<ObjectIdentifier> = [] { didSet { noteDecorators() } }
  /// Whether the container, or a descendant, decorates any product.
  private(set) var mayDecorate = false
  /// The behaviors, in the order of addition.
  var observers: [Observer] = [] {
    didSet {
      unsafe unretainedObservers = observers.map { unsafe Unmanaged.passUnretained($0) }
      runObservers = RunObservers(of: observers)
      observesResolves = observers.contains { $0.didResolve != nil }
      let told = observers.filter(\.hearsOfConstructions)
      latestTold = told.map(\.number).max() ?? 0
      measuresTimes = told.contains(where: \.measuresTimes)
    }
  }
  /// The observers at +0: to read one, no reference is counted.
  // SAFETY: the array above has the references.
  private(set) var unretainedObservers: [Unmanaged<Observer>] = unsafe []
  private(set) var runObservers: RunObservers?
  private(set) var observesResolves = false
  /// The number of the latest observer of constructions; 0 for none.
  private var latestTold: UInt64 = 0
  /// Whether any of them is told times.
  private var measuresTimes = false

  /// The beginning of a construction.
  @inline(__always)
  func beginConstruction() -> ObservedConstruction {
    ObservedConstruction(latest: latestTold, start: measuresTimes ? nanosecondsNow() : 0)
  }

  /// Whether all that constructions need is to be told of.
  var isPlain: Bool { runObservers == nil && !mayDecorate && !observesResolves }

  private mutating func noteDecorators() {
    mayDecorate = !decorators.isEmpty || !productsDecoratedBelow.isEmpty
  }

  /// Whether any container of the process has a composition. Resolves read the flag first: to load
  /// a container counts a reference.
  static var isUsed: Bool { users != 0 }

  /// The number of containers with a composition.
  static var users: Int { count.load(ordering: .relaxed) }

  private static let count = Atomic<Int>(0)

  /// Counts a container that is about to get a composition.
  static func begin() { count.add(1, ordering: .relaxed) }

  /// Counts the end of a container with a composition.
  static func end() { count.subtract(1, ordering: .relaxed) }
}

/// Wraps the instances of one product.
final class Decorator: Sendable {
  /// - Parameters: an instance, and a resolver of the instance's container.
  typealias Wrap = @Sendable (AnyInstanceBox, Resolver) throws -> AnyInstanceBox

  let wrap: Wrap
  let product: any Any.Type
  /// The only key whose instances are wrapped; `nil` for all keys of the product.
  let key: RegistrationKey?
  let location: SourceLocation
  /// Unique in the process: recordings name a decorator by number, and do not keep its closure.
  let number = Decorator.lastNumber.wrappingAdd(1, ordering: .relaxed).newValue

  init(
    of product: any Any.Type, only key: RegistrationKey? = nil, at location: SourceLocation,
    _ wrap: @escaping Wrap
  ) {
    self.wrap = wrap
    self.product = product
    self.key = key
    self.location = location
  }

  deinit { HeldLocks.assertNone(Decorator.self) }

  private static let lastNumber = Atomic<UInt64>(0)
}
