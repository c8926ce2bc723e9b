// SPDX-License-Identifier: MIT

import Corinth
import TestSupport

/// What products use in their deinits, beside the services of the graph. Its deinit may use a
/// container too.
final class Aide: @unchecked Sendable {
  // SAFETY: all is constant.
  private let alive: AtomicCounter
  private let atEnd: (@Sendable () -> Void)?

  init(_ alive: AtomicCounter, atEnd: (@Sendable () -> Void)? = nil) {
    self.alive = alive
    self.atEnd = atEnd
    alive.add()
  }

  deinit {
    atEnd?()
    alive.add(-1)
  }

  /// The failure of an action.
  struct Failure: Error {}

  static let kept: Name = "kept"
  static let passing: Name = "passing"
  static let failing: Name = "failing"
}

extension Container {
  /// Registers what the deinits of products resolve.
  func registerAides(_ alive: AtomicCounter) throws {
    // Weak: the container holds the factories.
    weak let container = self
    try register(Aide.self, name: Aide.kept, scope: .singleton) { _ in
      // Long enough that others find it under construction.
      ServiceDescription.Pause.spin.block()
      return Aide(alive) { _ = try? container?.resolve(Aide.self, name: Aide.passing) }
    }
    try register(Aide.self, name: Aide.passing, scope: .transient) { _ in
      Aide(alive) { container?.release(Aide.self, name: Aide.passing) }
    }
    try register(Aide.self, name: Aide.failing, scope: .singleton) { _ in
      Aide(alive) { _ = try? container?.resolve(Aide.self, name: Aide.kept) }
    }.afterInit { (_: Resolver, _: Aide) throws in throw Aide.Failure() }
  }

  /// Does a deed in the deinit of a product.
  ///
  /// - Parameter number: distinguishes it from all others of the run.
  func perform(_ deed: Farewell.Deed, _ number: Int, _ alive: AtomicCounter) throws {
    switch deed {
    case .resolve: _ = try resolve(Aide.self, name: Aide.kept)
    case .injected:
      // The property itself would end the program in a container that is closed.
      let property = Injected<Aide>(name: Aide.kept, from: .container(self))
      _ = try property.projectedValue()
    case .register: try useOwnKey(number, alive)
    case .scope:
      let scope = makeScope()
      _ = try scope.resolve(Aide.self, name: Aide.passing)
      try scope.syncClose()
    case .release:
      release(Aide.self, name: Aide.kept)
      _ = try resolve(Aide.self, name: Aide.kept)
    case .child:
      let child = Container(parent: self)
      try child.register(Aide.self, scope: .singleton) { _ in Aide(alive) }.onDispose { _ in }
      _ = try child.resolve(Aide.self)
    case .failing: _ = try resolve(Aide.self, name: Aide.failing)
    case .join:
      let body: @Sendable () throws -> Void = { try self.useOwnKey(number, alive) }
      _ = WorkerPool.shared.wait([body])
    }
  }

  private func useOwnKey(_ number: Int, _ alive: AtomicCounter) throws {
    let name = Name("own\(number)")
    try register(Aide.self, name: name, scope: .singleton) { _ in Aide(alive) }
      .afterInit { _, _ in }
    _ = try resolve(Aide.self, name: name)
    try register(Aide.self, name: name, scope: .singleton) { _ in Aide(alive) }
    _ = try resolve(Aide.self, name: name)
    unregister(Aide.self, name: name)
  }
}
