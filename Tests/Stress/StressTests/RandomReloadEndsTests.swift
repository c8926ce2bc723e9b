// SPDX-License-Identifier: MIT

import Corinth
import TestSupport
import XCTest

/// Random ends of a container that is reloaded at random, while others resolve from it, and from
/// what they have kept of its versions, outside of units of work.
///
/// Invariants that are checked
///  1. Each singleton is disposed of once, and its disposal ends before that of anything it was
///     made of begins: also of what
///     was built again outside of units, which may be replaced at any time.
///  2. Where nothing is being disposed of, nothing that is resolved has been.
///  3. A reload that meets the end fails, and so do all after that.
///  4. Nothing is left.
final class RandomReloadEndsTests: XCTestCase {
  func testEndsBesideRandomReloadsDisposeOfAllThereIsInOrder() async throws {
    let seed = ProcessInfo.processInfo.environment["CORINTH_SEED"].flatMap { UInt64($0) } ?? 1
    for round in 0..<UInt64(StressSize.scaled(150)) {
      let place = "seed \(seed), round \(round)"
      let watchdog = Watchdog(guarding: "\(name), \(place)")
      defer { watchdog.stop() }
      let world = ReloadWorld(SeededGenerator(seed: seed &* 1_000_003 &+ round), place)
      try await world.runWithEnds()
      await world.checkNothingIsLeft()
      if let run = testRun, run.totalFailureCount > 0 {
        print(world.history.entries.joined(separator: "\n"))
        return
      }
    }
  }
}

/// How a container ends.
private struct RandomEnd: Sendable {
  enum Place: CaseIterable {
    case task, factory, factoryOfReload, disposer
  }

  let place: Place
  let draining: Duration?
  /// How long others go on before.
  let yields: Int

  init(_ random: inout SeededGenerator) {
    place =
      Bool.random(using: &random)
      ? .task : Place.allCases[Int.random(in: 0..<Place.allCases.count, using: &random)]
    draining = Bool.random(using: &random) ? .seconds(1000) : nil
    yields = Int.random(in: 0..<60, using: &random)
  }
}

extension ReloadWorld {
  /// Ends its container from a factory.
  private final class EndingService: Sendable {}

  fileprivate func runWithEnds() async throws {
    try registerBase()
    try base.registerAsync(EndingService.self) { [self] _ in
      try await end(within: .factory)
      return EndingService()
    }.dependsOn()
    history.add("\(models.latest)")
    let reloadable = ReloadableContainer(base)
    let kept = Locked([base])
    let users = (0..<Int.random(in: 0...2, using: &random)).map { _ in
      use(reloadable, kept, random.next())
    }
    var (scopes, disposals): ([Container], [Task<Void, any Error>]) = ([], [])
    for step in 0..<Int.random(in: 0...8, using: &random) {
      place = "step \(step)"
      if Bool.random(using: &random) { kept.withLock { $0.append(reloadable.current) } }
      if Int.random(in: 0..<3, using: &random) == 0 {
        scopes.append(try reloadable.scopes.makeScope())
      }
      if let disposal = try await reload(reloadable, isAlone: false) { disposals.append(disposal) }
      while scopes.count > Int.random(in: 0...3, using: &random) {
        scopes.remove(at: Int.random(in: scopes.indices, using: &random))
      }
      if Bool.random(using: &random) {
        let former = kept.withLock { kept in
          kept.count > 1 ? kept.remove(at: Int.random(in: 1..<kept.count, using: &random)) : nil
        }
        // It may be the last to refer to it.
        withExtendedLifetime(former) {}
      }
      if users.isEmpty, scopes.isEmpty, Bool.random(using: &random) {
        for disposal in disposals { try await disposal.value }
        await useAlone(kept.withLock { $0 })
      }
    }
    disposals += try await end(reloadable, kept, scopes)
    for user in users { await user.value }
    scopes = []
    try await base.shutdown()
    for disposal in disposals { try await disposal.value }
    kept.withLock { $0 = [] }
    try await parent.shutdown()
  }

  /// Resolves at random until the container ends.
  private func use(
    _ reloadable: ReloadableContainer, _ kept: Locked<[Container]>, _ seed: UInt64
  ) -> Task<Void, Never> {
    Task { [self] in
      var random = SeededGenerator(seed: seed)
      while !base.isClosed {
        let kept = kept.withLock { $0 }
        for container in [reloadable.current, kept[Int.random(in: kept.indices, using: &random)]] {
          let number = Int.random(in: models.latest.nodes.indices, using: &random)
          if models.latest.nodes[number].kind == .scoped { continue }
          // Some versions have not got it, and some have ended.
          _ = try? await carrier(of: number, in: container)
        }
        await Task.yield()
      }
    }
  }

  /// Resolves some of what there is, of which nothing is being disposed of.
  private func useAlone(_ containers: [Container]) async {
    for container in containers {
      for number in models.latest.nodes.indices where Int.random(in: 0..<3, using: &random) == 0 {
        if models.latest.nodes[number].kind == .scoped { continue }
        guard let node = try? await carrier(of: number, in: container).node else { continue }
        XCTAssertEqual(node.isDisposed.value, 0, "in use: \(number), \(place)")
        checkOutlasts(node)
      }
    }
  }

  /// Ends the container in one or two ways while it is reloaded again and again, and used.
  ///
  /// - Returns: the disposals of the reloads that have come before the end.
  private func end(
    _ reloadable: ReloadableContainer, _ kept: Locked<[Container]>, _ scopes: [Container]
  ) async throws -> [Task<Void, any Error>] {
    place = "the end"
    var ends: [RandomEnd] = []
    for _ in 0...Int.random(in: 0...1, using: &random) { ends.append(RandomEnd(&random)) }
    history.add("the end: \(ends)")
    draining = ends[0].draining
    let tasks = ends.map { end in
      Task { [self] in
        for _ in 0..<end.yields { await Task.yield() }
        switch end.place {
        case .task: try await base.shutdown(draining: end.draining)
        case .factory: _ = try? await base.resolveAsync(EndingService.self)
        case .factoryOfReload: endsInReload.withLock { $0 = true }
        case .disposer: endsInDisposer.withLock { $0 = true }
        }
      }
    }
    let user = use(reloadable, kept, random.next())
    let closing = Task {
      for scope in scopes { try await scope.close() }
    }
    var disposals: [Task<Void, any Error>] = []
    var count = 0
    do {
      while true {
        count += 1
        if count == 30 { try await base.shutdown() }
        let change = nextChange()
        history.add("reload \(change.number): \(change.changed), without \(change.removed)")
        disposals.append(
          try await reloadable.reload(validating: Bool.random(using: &random)) { version in
            try make(change, in: version)
            if endsInReload.withLock({ $0 }) {
              try version.registerAsync(
                EndingService.self, name: "reload", scope: .singleton, with: .eager
              ) { [self] _ in
                try await end(within: .factoryOfReload)
                return EndingService()
              }.dependsOn()
            }
          })
        models.succeed(change.number)
        history.add("reload \(change.number) has ended")
      }
    } catch {
      XCTAssert(error.is(.containerClosed), "\(error), \(place)")
    }
    for task in tasks { try await task.value }
    try await closing.value
    await user.value
    return disposals
  }
}
