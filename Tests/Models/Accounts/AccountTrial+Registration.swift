// SPDX-License-Identifier: MIT

import Corinth
import Foundation
import TestSupport

/// The registrations and the factories of a trial. They hold its ledger and not the trial, which
/// holds the containers.
extension AccountTrial {
  /// Registers a key with all that belongs to it, one modifier after the other.
  func register(_ index: Int, in container: Container) throws {
    let key = program.keys[index]
    let entry = ledger.register(
      index, hasDisposer: key.disposer != nil,
      isScoped: key.lifetime == .scoped || key.firstLifetime == .scoped)
    let maker = Maker(self, index, entry, container)
    let begin = departures[index].now
    let registration = try self.publish(key, index, entry, maker, in: container)
    var open: [Container] = []
    func next(_ modify: () -> Void) {
      if let opened = pass(index, in: container) { open.append(opened) }
      modify()
    }
    if key.firstLifetime != key.lifetime { next { registration.as(key.lifetime.scope) } }
    if key.actsFirst { next { act(on: registration, key) } }
    next { dispose(on: registration, key) }
    if !departures[index].areAbsent(since: begin, butFor: 1) {
      // A disposer changes nothing in a registration that was overridden or removed before.
      // Resolves that have found such a one may yet begin its factory: no number of runs is the
      // last. Where the registration is still there, the disposer is for all instances but those
      // that have come and gone by now.
      entry.undeclared.add(isRegistered(entry, in: container) ? entry.runs.value : .max)
    }
    if !key.actsFirst { next { act(on: registration, key) } }
    for each in departures { each.begin() }
    for each in open { try? each.syncClose() }
    open = []
    for each in departures { each.end() }
  }

  private func isRegistered(_ entry: Ledger.Registration, in container: Container) -> Bool {
    container.registrations.contains { $0.location.line == entry.line }
  }

  /// Publishes a registration without its modifiers, which lets the instances of the one before go.
  private func publish(
    _ key: AccountProgram.Key, _ index: Int, _ entry: Ledger.Registration, _ maker: Maker,
    in container: Container
  ) throws -> Registration<Instance> {
    departures[index].begin()
    defer { departures[index].end() }
    let scope = key.firstLifetime.scope
    return key.isAsync
      ? try container.registerAsync(
        Instance.self, name: names[index], scope: scope, file: Reports.file, line: entry.line
      ) { try await maker.makeAsync($0) }
      : try container.register(
        Instance.self, name: names[index], scope: scope, file: Reports.file, line: entry.line
      ) { try maker.make($0) }
  }

  /// Lets others go ahead between two modifiers, and does what the key says.
  ///
  /// - Returns: a container that has to be closed.
  private func pass(_ index: Int, in container: Container) -> Container? {
    let key = program.keys[index]
    Pause.block(key.chainPause)
    let asked: Container
    switch key.between {
    case .nothing: return nil
    case .resolve: asked = container
    case .scope: asked = container.makeScope()
    case .fork: asked = container.fork()
    }
    _ = try? asked.resolve(Instance.self, name: names[index])
    return asked === container ? nil : asked
  }

  private func dispose(on registration: Registration<Instance>, _ key: AccountProgram.Key) {
    switch key.disposer {
    case .sync?: registration.onDispose { (instance: Instance) in instance.dispose() }
    case .async?:
      registration.onDispose { (instance: Instance) async in
        await Task.yield()
        instance.dispose()
      }
    case nil: break
    }
  }

  private func act(on registration: Registration<Instance>, _ key: AccountProgram.Key) {
    guard let every = key.actionFailsEvery else { return }
    registration.afterInit { (_: Resolver, instance: Instance) throws in
      try instance.complete(failingEvery: every)
    }
  }

  /// Overrides a key. The new registration has no disposer.
  func override(_ index: Int, in container: Container) throws -> Registration<Instance> {
    let entry = ledger.register(
      index, hasDisposer: false, isScoped: program.keys[index].lifetime == .scoped)
    let maker = Maker(self, index, entry, container)
    return try container.register(
      Instance.self, name: names[index], onDuplicate: .require, file: Reports.file, line: entry.line
    ) { try maker.make($0) }
  }

  /// Replaces a key, whose disposers the new registration takes over.
  func syncReplace(_ index: Int, in container: Container) throws {
    let (entry, maker) = replacement(of: index, in: container)
    try container.syncReplace(
      Instance.self, name: names[index], file: Reports.file, line: entry.line
    ) { try maker.make($0) }
  }

  func replace(_ index: Int, in container: Container, disposesOld: Bool) async throws {
    let (entry, maker) = replacement(of: index, in: container)
    try await container.replace(
      Instance.self, name: names[index], disposingOfOld: disposesOld, file: Reports.file,
      line: entry.line
    ) { try await maker.makeAsync($0) }
  }

  private func replacement(
    of index: Int, in container: Container
  ) -> (Ledger.Registration, Maker) {
    let key = program.keys[index]
    let entry = ledger.register(
      index, hasDisposer: key.disposer != nil, isScoped: key.lifetime == .scoped)
    return (entry, Maker(self, index, entry, container))
  }
}

extension AccountTrial {
  /// The factory of one registration.
  struct Maker: Sendable {
    private let key: AccountProgram.Key
    private let need: Name?
    private let ledger: Ledger
    private let registration: Ledger.Registration
    // Weak: the container holds the factory.
    private weak let container: Container?

    init(
      _ trial: AccountTrial, _ index: Int, _ registration: Ledger.Registration,
      _ container: Container
    ) {
      key = trial.program.keys[index]
      need = key.need.map { trial.names[$0] }
      ledger = trial.ledger
      self.registration = registration
      self.container = container
    }

    func make(_ resolver: Resolver) throws -> Instance {
      let entry = try begin()
      let instance = try? need.map { try resolver.resolve(Instance.self, name: $0) }
      Pause.block(key.pause)
      return finish(entry, instance)
    }

    func makeAsync(_ resolver: Resolver) async throws -> Instance {
      let entry = try begin()
      var instance: Instance?
      if let need { instance = try? await resolver.resolveAsync(Instance.self, name: need) }
      for _ in 0..<key.pause { await Task.yield() }
      return finish(entry, instance)
    }

    private func begin() throws -> Ledger.Entry {
      let runs = registration.runs.add()
      if key.factoryFailsEvery > 0, runs.isMultiple(of: key.factoryFailsEvery) { throw Failure() }
      return Ledger.Entry(registration)
    }

    private func finish(_ entry: Ledger.Entry, _ need: Instance?) -> Instance {
      guard key.resolvesAtTheEnd, let name = self.need else {
        return Instance(entry, in: ledger, need: need, atEnd: nil)
      }
      weak let container = container
      return Instance(entry, in: ledger, need: need) {
        _ = try? container?.resolve(Instance.self, name: name)
      }
    }
  }

  /// Waits that let others go ahead.
  enum Pause {
    /// Yields once at most: on a busy machine, that may take as long as thousands of programs.
    static func block(_ length: Int) {
      let spins = AtomicCounter()
      for _ in 0..<(40 * length) { spins.add() }
      if length > 3 { sched_yield() }
    }
  }
}

extension AccountTrial.Instance {
  fileprivate func dispose() { entry.disposals.add() }

  /// The action.
  fileprivate func complete(failingEvery every: Int) throws {
    let count = entry.registration.actions.add()
    if every > 0, count.isMultiple(of: every) {
      entry.failures.add()
      throw AccountTrial.Failure()
    }
  }
}

extension AccountProgram.Key {
  /// The lifetime before the modifiers: another one in whose end the container disposes of
  /// instances, or the same.
  fileprivate var firstLifetime: Lifetime {
    switch lifetime {
    case .singleton where chainsScope: .scoped
    case .scoped where chainsScope: .singleton
    default: lifetime
    }
  }
}

extension AccountProgram.Key.Lifetime {
  fileprivate var scope: Scope<AccountTrial.Instance> {
    switch self {
    case .singleton: .singleton
    case .scoped: .scoped
    case .cached: .cached(for: .microseconds(20))
    case .weak: .weak
    }
  }
}
