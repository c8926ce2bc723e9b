// SPDX-License-Identifier: MIT

import TestSupport

/// An instance of a service.
///
/// Its variables are plain: a caller that gets an incomplete instance sees it in them, and
/// ThreadSanitizer reports the race.
final class Product: @unchecked Sendable {
  // SAFETY: the core runs the actions, which write the variables, before any other resolution has
  // the instance.

  /// A reference that an action has set. Weak if a strong one could close a circle.
  struct Late {
    private var strong: Product?
    private weak var weakly: Product?
    let serial: Int

    init(_ product: Product, isWeak: Bool) {
      serial = product.serial
      if isWeak { weakly = product } else { strong = product }
    }

    var product: Product? { strong ?? weakly }
  }

  let service: Int
  /// The index of the container of its resolver.
  let container: Int
  let serial: Int
  /// The references of the factory, or of the decorator, in the order of its needs.
  let early: [Product?]
  /// The instance that this one decorates.
  let wrapped: Product?
  /// The numbers of its decorators, the innermost first.
  let layers: [Int]
  private let alive: AtomicCounter
  /// What it does in its deinit.
  private let parting: GraphRun.Parting?

  /// The references of each action, in the order of its needs.
  var late: [[Late?]]
  var completedActions = 0
  /// The decorators that have got it.
  private var decorators: Set<Int> = []
  /// The time before the return of the factory.
  var returned = 0
  /// A time after the return of the factory.
  var seen = Int.max

  init(
    of service: Int, in container: Int, serial: Int, early: [Product?], actions: Int,
    alive: AtomicCounter, parting: GraphRun.Parting? = nil
  ) {
    self.service = service
    self.container = container
    self.serial = serial
    self.early = early
    wrapped = nil
    layers = []
    late = Array(repeating: [], count: actions)
    self.alive = alive
    self.parting = parting
    alive.add()
  }

  /// An instance that wraps another one of its service.
  init(decorating product: Product, by decorator: Int, _ early: [Product?]) {
    service = product.service
    container = product.container
    serial = product.serial
    self.early = early
    wrapped = product
    layers = product.layers + [decorator]
    late = []
    alive = product.alive
    parting = nil
    alive.add()
  }

  deinit {
    parting?()
    alive.add(-1)
  }

  /// The instance as its factory has made it.
  var base: Product { wrapped?.base ?? self }

  /// - Returns: `false` if the decorator has got this instance before.
  func noteDecorator(_ number: Int) -> Bool { decorators.insert(number).inserted }

  /// The instances of other services that it refers to.
  var dependencies: [Product] {
    early.compactMap { $0 } + late.joined().compactMap { $0?.product }
  }

  /// All references that are there.
  var references: [Product] {
    (wrapped.map { [$0] } ?? []) + dependencies
  }
}
