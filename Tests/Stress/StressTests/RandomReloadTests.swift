// SPDX-License-Identifier: MIT

import Corinth
import Foundation
import TestSupport
import XCTest

/// Random reloads of random graphs, against a model that knows which instances each of them replaces.
final class RandomReloadTests: XCTestCase {
  private final class Node: Tracked, @unchecked Sendable {
    let (generation, needs): (Int, [Node])

    init(_ tracker: LifetimeTracker, _ generation: Int, _ needs: [Node]) {
      (self.generation, self.needs) = (generation, needs)
      super.init(tracker)
    }
  }

  /// What a version should serve.
  private struct Model {
    var generations: [Int]
    var needs: [[Int]]
    /// The serial numbers of the instances that are built.
    var built: [Int?]

    func reached(from changed: Set<Int>) -> Set<Int> {
      // Each needs lower numbers only.
      needs.indices.reduce(into: changed) { reached, number in
        if needs[number].contains(where: reached.contains) { reached.insert(number) }
      }
    }
  }

  private let tracker = LifetimeTracker()
  private let disposed = Locked<[Int]>([])

  func testEachReloadReplacesWhatDependsOnItsChangesAndNothingElse() async throws {
    let seed = ProcessInfo.processInfo.environment["CORINTH_SEED"].flatMap { UInt64($0) } ?? 1
    for round in 0..<UInt64(StressSize.scaled(40)) {
      var random = SeededGenerator(seed: seed &* 1_000_003 &+ round)
      try await run(&random, "seed \(seed), round \(round)")
    }
    await tracker.waitUntilNoneIsLeft()
    XCTAssertEqual(tracker.alive, 0)
    let disposed = disposed.withLock { $0 }
    XCTAssertEqual(disposed.count, tracker.created)
    XCTAssertEqual(Set(disposed).count, tracker.created, "each is disposed of once")
  }

  private func run(_ random: inout SeededGenerator, _ name: String) async throws {
    let count = Int.random(in: 1...12, using: &random)
    var model = Model(
      generations: .init(repeating: 0, count: count), needs: [],
      built: .init(repeating: nil, count: count))
    let base = Container()
    for number in 0..<count {
      model.needs.append((0..<number).filter { _ in Int.random(in: 0..<3, using: &random) == 0 })
      try register(number, model, in: base)
    }
    let reloadable = ReloadableContainer(base)
    for step in 0..<Int.random(in: 1...8, using: &random) {
      for number in 0..<count where Int.random(in: 0..<3, using: &random) == 0 {
        try check(number, &model, reloadable.current, "\(name), step \(step)")
      }
      let changed = Set((0..<count).filter { _ in Int.random(in: 0..<4, using: &random) == 0 })
      let old = Bool.random(using: &random) ? try reloadable.scopes.makeScope() : nil
      for number in changed {
        model.generations[number] += 1
        model.needs[number] = (0..<number).filter { _ in Int.random(in: 0..<3, using: &random) == 0
        }
      }
      let before = model.built
      let next = model
      let disposal = try await reloadable.reload { version in
        for number in changed { try register(number, next, in: version) }
      }
      let reached = model.reached(from: changed)
      for number in 0..<count where before[number] != nil && reached.contains(number) {
        let node = try reloadable.current.resolve(Node.self, name: Name("\(number)"))
        XCTAssertNotEqual(node.serial, before[number], "\(name), step \(step)")
        note(node, number, &model)
      }
      for number in 0..<count where model.built[number] != nil {
        try check(number, &model, reloadable.current, "\(name), step \(step), reloaded")
      }
      try await old?.close()
      try await disposal.value
    }
    try await base.shutdown()
  }

  private func register(_ number: Int, _ model: Model, in container: Container) throws {
    let (generation, names) = (model.generations[number], model.needs[number].map { Name("\($0)") })
    try container.register(Node.self, name: Name("\(number)"), scope: .singleton) {
      [tracker] resolver in
      Node(
        tracker, generation, try names.map { try resolver.resolve(Node.self, name: $0) })
    }.dependsOn(keys: names.map { RegistrationKey(product: Node.self, name: $0) })
      .onDispose { [disposed] node in disposed.withLock { $0.append(node.serial) } }
  }

  /// Asserts that a node is the one that the model knows, if that has one, and made of nodes that are current.
  private func check(
    _ number: Int, _ model: inout Model, _ container: Container, _ place: String
  ) throws {
    let node = try container.resolve(Node.self, name: Name("\(number)"))
    if let known = model.built[number] { XCTAssertEqual(node.serial, known, place) }
    note(node, number, &model)
    XCTAssertEqual(node.generation, model.generations[number], place)
    for (need, other) in zip(node.needs, model.needs[number]) {
      XCTAssertEqual(need.serial, model.built[other], place)
      try check(other, &model, container, place)
    }
  }

  /// Notes an instance, and those that it was built from.
  private func note(_ node: Node, _ number: Int, _ model: inout Model) {
    model.built[number] = node.serial
    for (need, other) in zip(node.needs, model.needs[number]) { note(need, other, &model) }
  }
}
