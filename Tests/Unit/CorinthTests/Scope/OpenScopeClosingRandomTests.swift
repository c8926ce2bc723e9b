// SPDX-License-Identifier: MIT

import Foundation
import TestSupport
import XCTest

@testable import Corinth

/// A node of a tree of scopes: its work, and what has become of it.
private final class ScopeNode: @unchecked Sendable {
  enum Form { case work, made, synchronous }

  // SAFETY: constant once the tree is built; the rest is only touched with the lock held.
  let number: Int
  let form: Form
  let parent: ScopeNode?
  var children: [ScopeNode] = []
  let heedsCancellation: Bool
  let throwsAtEnd: Bool
  let yields: [Int]
  let runsChildrenAtOnce: Bool

  private let lock = NSLock()
  private var storage = State()

  struct State {
    /// The numbers of its instances that were built, and of those that were disposed of, with the
    /// outcome.
    var built: Set<Int> = []
    var disposed: [(instance: Int, outcome: String)] = []
    /// How its own work ended; `nil` before.
    var end: String?
    /// Whether others have begun to close it.
    var isTargeted = false
  }

  var state: State { lock.withLock { storage } }
  func change(_ body: (inout State) -> Void) { lock.withLock { body(&storage) } }

  init(_ number: Int, below parent: ScopeNode?, _ random: inout SeededGenerator) {
    self.number = number
    self.parent = parent
    form =
      switch Int.random(in: 0..<4, using: &random) {
      case 0, 1: .work
      case 2: .made
      default: .synchronous
      }
    heedsCancellation = .random(using: &random)
    throwsAtEnd = Int.random(in: 0..<4, using: &random) == 0
    yields = (0..<4).map { _ in Int.random(in: 0..<6, using: &random) }
    runsChildrenAtOnce = .random(using: &random)
  }

  func isWithin(_ other: ScopeNode) -> Bool { self === other || parent?.isWithin(other) ?? false }
}

private struct Broken: Error {}

/// An instance that is disposed of.
private final class ScopeItem: Sendable {
  let node: ScopeNode
  let number: Int
  init(_ node: ScopeNode, _ number: Int) { (self.node, self.number) = (node, number) }
}

/// Random trees of scopes that are closed from outside beside their own ends, and what must hold
/// whichever comes first.
final class OpenScopeClosingRandomTests: AsyncTestCase {
  private static let names: [Name] = ["a", "b", "c"]

  private func run(seed: UInt64) async throws {
    var random = SeededGenerator(seed: seed)
    let container = Container()
    container.tracksScopes = true
    let (order, count) = (Locked<[(ScopeNode, Int)]>([]), AtomicCounter())
    try container.registerInput(ScopeNode.self)
    for name in Self.names {
      let registration = try container.register(ScopeItem.self, name: name, scope: .scoped) {
        resolver in
        let item = ScopeItem(try resolver.resolve(ScopeNode.self), count.add())
        item.node.change { $0.built.insert(item.number) }
        return item
      }
      let dispose: @Sendable (ScopeItem, ScopeOutcome) -> Void = { item, outcome in
        let word = Self.word(outcome)
        item.node.change { $0.disposed.append((item.number, word)) }
        order.withLock { $0.append((item.node, item.number)) }
      }
      if Bool.random(using: &random) {
        registration.onDispose(perform: dispose)
      } else {
        registration.onDispose { item, outcome async in
          await Task.yield()
          dispose(item, outcome)
        }
      }
    }
    let nodes = Self.tree(&random)
    let roots = nodes.filter { $0.parent == nil }
    let works = roots.map { root in Task { await Self.run(root, in: container) } }
    let endsAll = Bool.random(using: &random)
    let closers = (0..<Int.random(in: 1...3, using: &random)).map { number in
      let seed = random.next()
      return Task {
        await Self.close(
          scopesOf: container, nodes, endsAll: endsAll && number == 0, seed: seed)
      }
    }
    for task in works + closers { await task.value }
    // An instance that was being built when its scope was closed is disposed of when it is
    // complete.
    await waitUntil {
      nodes.allSatisfy { $0.state.built.count == $0.state.disposed.count }
        && container.statistics.openScopes == 0
    }
    Self.check(nodes, order.withLock { $0 }, seed)
    XCTAssertEqual(container.statistics.openScopes, 0, "\(seed)")
    XCTAssertEqual(container.statistics.openScopesByAge, [], "\(seed)")
  }

  private static func word(_ outcome: ScopeOutcome) -> String {
    switch outcome {
    case .completed: "completed"
    case .failed: "failed"
    case .cancelled: "cancelled"
    case .interrupted: "interrupted"
    }
  }

  private static func tree(_ random: inout SeededGenerator) -> [ScopeNode] {
    var nodes: [ScopeNode] = []
    let count = Int.random(in: 1...9, using: &random)
    for number in 0..<count {
      let possible = nodes.indices.filter { nodes[$0].form != .synchronous }
      let parent =
        Int.random(in: 0..<3, using: &random) == 0
        ? nil : possible.randomElement(using: &random).map { nodes[$0] }
      let node = ScopeNode(number, below: parent, &random)
      parent?.children.append(node)
      nodes.append(node)
    }
    return nodes
  }

  // MARK: - Work

  private static func run(_ node: ScopeNode, in container: Container) async {
    func noteEnd(_ error: (any Error)?) {
      let word = error.map { $0 is CancellationError ? "cancelled" : "failed" }
      node.change { $0.end = word ?? "completed" }
    }
    switch node.form {
    case .work:
      _ = try? await container.withScope(providing: node, line: UInt(node.number)) { scope in
        do { try await work(node, in: scope) } catch {
          noteEnd(error)
          throw error
        }
        noteEnd(nil)
      }
    case .made:
      let scope = container.makeScope(providing: node, line: UInt(node.number))
      var outcome = ScopeOutcome.completed
      do { try await work(node, in: scope) } catch {
        outcome = error is CancellationError ? .cancelled : .failed(error)
        noteEnd(error)
      }
      if case .completed = outcome { noteEnd(nil) }
      try? await scope.close(after: outcome)
    case .synchronous:
      runSynchronously(node, in: container, noteEnd)
    }
  }

  private static func runSynchronously(
    _ node: ScopeNode, in container: Container, _ noteEnd: ((any Error)?) -> Void
  ) {
    // Its asynchronous disposers make it fail, and a task end it.
    try? container.syncWithScope(providing: node, line: UInt(node.number)) { scope in
      do {
        for name in names { _ = try scope.resolve(ScopeItem.self, name: name) }
        if node.throwsAtEnd { throw Broken() }
      } catch {
        noteEnd(error)
        throw error
      }
      noteEnd(nil)
    }
  }

  private static func work(_ node: ScopeNode, in scope: Container) async throws {
    for (yields, name) in zip(node.yields, names) {
      for _ in 0..<yields { await Task.yield() }
      if node.heedsCancellation { try Task.checkCancellation() }
      _ = try scope.resolve(ScopeItem.self, name: name)
    }
    if node.runsChildrenAtOnce {
      await withTaskGroup(of: Void.self) { group in
        for child in node.children { group.addTask { await run(child, in: scope) } }
      }
    } else {
      for child in node.children { await run(child, in: scope) }
    }
    if node.throwsAtEnd { throw Broken() }
  }

  // MARK: - Others

  private static func close(
    scopesOf container: Container, _ nodes: [ScopeNode], endsAll: Bool, seed: UInt64
  ) async {
    var random = SeededGenerator(seed: seed)
    for _ in 0..<Int.random(in: 1...4, using: &random) {
      for _ in 0..<Int.random(in: 0..<12, using: &random) { await Task.yield() }
      guard
        let found = container.statistics.openScopesByAge.randomElement(using: &random)
      else { continue }
      let node = nodes[Int(found.location.line)]
      let within = nodes.filter { $0.isWithin(node) }
      for each in within { each.change { $0.isTargeted = true } }
      do {
        try await found.close(
          workLimit: [.zero, .microseconds(200), .milliseconds(2)].randomElement(using: &random)
            ?? .zero, timeLimit: hangLimit)
      } catch { XCTFail("\(error)") }
      checkClosed(node)
    }
    if !endsAll { return }
    for each in nodes { each.change { $0.isTargeted = true } }
    container.registry.openScopes.drain(isScope: false)
    let failures = await container.registry.closeOpenScopes(
      workLimit: .microseconds(Int.random(in: 0..<500, using: &random)),
      timeLimits: TimeLimits(each: hangLimit))
    XCTAssertEqual(failures.count, 0)
    XCTAssertEqual(container.statistics.openScopesByAge, [])
    for each in nodes { checkClosed(each) }
  }

  /// All that was built in a scope has been disposed of.
  private static func checkClosed(_ node: ScopeNode) {
    let state = node.state
    XCTAssertEqual(state.built.count, state.disposed.count, "\(node.number)")
  }

  // MARK: - What holds

  private static func check(_ nodes: [ScopeNode], _ order: [(ScopeNode, Int)], _ seed: UInt64) {
    for node in nodes {
      let state = node.state
      XCTAssertEqual(Set(state.disposed.map(\.instance)), state.built, "\(seed): \(node.number)")
      XCTAssertEqual(state.disposed.count, state.built.count, "\(seed): \(node.number)")
      let outcomes = Set(state.disposed.map(\.outcome))
      guard let outcome = outcomes.first else { continue }
      XCTAssertEqual(outcomes.count, 1, "\(seed): \(node.number)")
      if outcome == "interrupted" {
        XCTAssertTrue(state.isTargeted, "\(seed): \(node.number)")
      } else {
        XCTAssertEqual(outcome, state.end, "\(seed): \(node.number)")
      }
      // The end of synchronous work does not wait for a task: neither for that of others, nor for
      // its own.
      guard let parent = node.parent, node.form != .synchronous,
        let last = order.lastIndex(where: { $0.0 === node }),
        let first = order.firstIndex(where: { $0.0 === parent })
      else { continue }
      XCTAssertLessThan(last, first, "\(seed): \(node.number) within \(parent.number)")
    }
  }

  func testEachInstanceIsDisposedOfOnceAndBeforeThoseOfOuterScopes() async throws {
    for seed in 1...UInt64(StressSize.scaled(300)) { try await run(seed: seed) }
  }
}
