// SPDX-License-Identifier: MIT

import Corinth
import TestSupport

/// A random container whose instances hold what they depend on, with what a ``DisposalWorld``
/// lacks: cycles through actions, instances of graphs, weak and cached instances, parents, several
/// threads, keys that are registered again, lazy values that are used late, and deinits that
/// resolve.
final class OverlapWorld: Sendable {
  enum Kind: CaseIterable, Sendable {
    case singleton, withoutDisposer, transient, graph, weak, cached, failingOnce, ofArgument
  }

  /// How a factory gets to another part.
  enum Way: CaseIterable, Sendable {
    case plain, optional, borrowed, captured, forward, lazy, provider
    /// The factory looks in vain for another key first.
    case afterMiss
  }

  struct Edge: Sendable {
    let target: Int
    let way: Way
  }

  struct Part: Sendable {
    let kind: Kind
    let edges: [Edge]
    /// What an action after the initializer resolves: any part, the part itself included.
    let completion: Int?
  }

  /// An instance, and what it was given.
  final class Node: Sendable {
    let name: String
    private let held = Locked<[any Sendable]>([])
    private let onDeinit: (@Sendable () -> Void)?

    init(_ name: String, onDeinit: (@Sendable () -> Void)? = nil) {
      (self.name, self.onDeinit) = (name, onDeinit)
    }

    deinit { onDeinit?() }

    func hold(_ item: any Sendable) { held.withLock { $0.append(item) } }

    var deferred: [Deferred] { held.withLock { $0 }.compactMap { $0 as? Deferred } }

    var nodes: [Node] {
      held.withLock { $0 }.compactMap { $0 as? Node ?? ($0 as? Deferred)?.node }
    }

    func reaches(_ end: Node) -> Bool {
      var seen: Set<ObjectIdentifier> = []
      var pending = nodes
      while let next = pending.popLast() {
        if next === end { return true }
        if seen.insert(ObjectIdentifier(next)).inserted { pending += next.nodes }
      }
      return false
    }
  }

  /// A lazy value or a provider, and what it has given.
  final class Deferred: Sendable {
    private let resolve: @Sendable () throws -> Node
    private let found = Locked<Node?>(nil)

    init(_ resolve: @escaping @Sendable () throws -> Node) { self.resolve = resolve }

    var node: Node? { found.withLock { $0 } }

    func use() {
      let node = try? resolve()
      found.withLock { $0 = node }
    }
  }

  private struct Forwarded: Sendable { let node: Node }
  private struct Failure: Error {}

  let count: Int
  let container: Container
  let stage = DisposalStage()
  private let parts: Locked<[Part]>
  /// All that were ever made, by name.
  private let made = Locked<[String: Node]>([:])
  private let failed = Locked<Set<Int>>([])
  private let hasCycles: Bool

  init(_ random: inout SeededGenerator) throws {
    count = Int.random(in: 2...9, using: &random)
    hasCycles = Bool.random(using: &random)
    let root = Container()
    container = Int.random(in: 0..<4, using: &random) == 0 ? Container(parent: root) : root
    parts = Locked([])
    for number in 0..<count {
      let part = randomPart(number, &random)
      parts.withLock { $0.append(part) }
      try register(number, part)
    }
  }

  func nodes(_ names: [String]) -> [Node] {
    made.withLock { made in names.compactMap { made[$0] } }
  }

  private func randomPart(_ number: Int, _ random: inout SeededGenerator) -> Part {
    let kinds = [Kind](repeating: .singleton, count: 4) + Kind.allCases
    let kind = kinds.randomElement(using: &random)!
    let edges = (0..<Int.random(in: 0...2, using: &random)).compactMap { _ in
      number == 0
        ? nil
        : Edge(
          target: Int.random(in: 0..<number, using: &random),
          way: Way.allCases.randomElement(using: &random)!)
    }
    let mayComplete = hasCycles && (kind == .singleton || kind == .withoutDisposer)
    let completes = mayComplete && Int.random(in: 0..<3, using: &random) == 0
    return Part(
      kind: kind, edges: edges,
      completion: completes ? Int.random(in: 0..<count, using: &random) : nil)
  }

  // MARK: - Registration

  /// Registers some keys again, with other parts.
  func replaceSome(_ random: inout SeededGenerator) throws {
    for number in 0..<count where Int.random(in: 0..<3, using: &random) == 0 {
      let part = randomPart(number, &random)
      parts.withLock { $0[number] = part }
      try register(number, part)
    }
  }

  private func register(_ number: Int, _ part: Part) throws {
    let name = Name(number)
    let disposal = RegistrationOptions<Node>.onDispose { [stage] in await stage.dispose($0.name) }
    let factory: @Sendable (Resolver) throws -> Node = { [self] in try make(number, part, $0) }
    var registration: Registration<Node>?
    switch part.kind {
    case .singleton, .failingOnce:
      registration = try container.register(
        Node.self, name: name, scope: .singleton, with: disposal, factory: factory)
    case .withoutDisposer:
      registration = try container.register(
        Node.self, name: name, scope: .singleton, factory: factory)
    case .transient: try container.register(Node.self, name: name, factory: factory)
    case .graph: try container.register(Node.self, name: name, scope: .graph, factory: factory)
    case .weak: try container.register(Node.self, name: name, scope: .weak, factory: factory)
    case .cached:
      try container.register(
        Node.self, name: name, scope: .cached(for: .seconds(1000)), factory: factory)
    case .ofArgument:
      try container.register(Node.self, name: name, scope: .singleton, with: disposal) {
        (resolver, _: Int) in try factory(resolver)
      }
    }
    if let completion = part.completion {
      registration?.afterInit { [self] resolver, node in
        node.hold(try resolve(Edge(target: completion, way: .plain), resolver))
      }
    }
    try container.register(Forwarded.self, name: name) {
      Forwarded(node: try $0.resolve(Node.self, name: name))
    }
  }

  // MARK: - Building

  private func make(_ number: Int, _ part: Part, _ resolver: Resolver) throws -> Node {
    if part.kind == .failingOnce, failed.withLock({ $0.insert(number).inserted }) {
      for edge in part.edges { _ = try resolve(edge, resolver) }
      throw Failure()
    }
    // Its deinit resolves inside of the construction.
    _ = Node("") { [container] in _ = try? container.resolve(Node.self, name: Name(0)) }
    let node = made.withLock { made in
      let node = Node("\(number).\(made.count)")
      made[node.name] = node
      return node
    }
    for edge in part.edges { node.hold(try resolve(edge, resolver)) }
    return node
  }

  private func resolve(_ edge: Edge, _ resolver: Resolver) throws -> any Sendable {
    let name = Name(edge.target)
    if isOfArgument(edge.target) {
      return try resolver.resolve(Node.self, name: name, arguments: edge.target % 2)
    }
    switch edge.way {
    case .plain: return try resolver.resolve(Node.self, name: name)
    case .optional: return try resolver.resolveIfRegistered(Node.self, name: name) as any Sendable
    case .borrowed: return try resolver.withResolved(Node.self, name: name) { $0 }
    case .captured: return try container.resolve(Node.self, name: name)
    case .forward: return try resolver.resolve(Forwarded.self, name: name).node
    case .lazy:
      let lazy = try resolver.resolve(Lazy<Node>.self, name: name)
      return Deferred { try lazy.value }
    case .provider:
      let provider = try resolver.provider(for: Node.self, name: name)
      return Deferred { try provider() }
    case .afterMiss:
      _ = try? resolver.resolve(Failure.self, name: name)
      return try resolver.resolve(Node.self, name: name)
    }
  }

  private func isOfArgument(_ number: Int) -> Bool {
    parts.withLock { $0[number].kind == .ofArgument }
  }

  /// Resolves on several threads, of which all but the first take the parts backwards.
  func build(_ numbers: [Int], threads: Int) throws {
    try onThreads(threads) { [self] index in
      for number in index == 0 ? numbers : numbers.reversed() {
        if isOfArgument(number) {
          _ = try? container.resolve(Node.self, name: Name(number), arguments: index % 2)
        } else {
          _ = try? container.resolve(Node.self, name: Name(number))
        }
      }
    }
  }

  /// Uses some lazy values and providers whose instances are complete.
  func useSomeDeferred(_ random: inout SeededGenerator) {
    let nodes = made.withLock { Array($0.values) }.sorted { $0.name < $1.name }
    for deferred in nodes.flatMap(\.deferred) where Bool.random(using: &random) { deferred.use() }
  }
}

extension OverlapWorld: CustomStringConvertible {
  var description: String {
    let parts = parts.withLock { $0 }.enumerated().map { number, part in
      let edges = part.edges.map { "\($0.target) \($0.way)" }
      let completion = part.completion.map { ", completed by \($0)" } ?? ""
      return "\(number): \(part.kind) -> \(edges)\(completion)"
    }
    let held = made.withLock { $0.values.map { "\($0.name) holds \($0.nodes.map(\.name))" } }
    return (parts + held.sorted()).joined(separator: "\n")
  }
}
