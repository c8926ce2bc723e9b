// SPDX-License-Identifier: MIT

import Corinth
import TestSupport
import XCTest

/// A container with random registrations, whose reloads a model follows.
final class ReloadWorld: @unchecked Sendable {
  struct Failure: Error {}
  /// Says which model describes a version. Each reload registers it anew.
  struct Epoch: Sendable {
    let number: Int
  }

  /// What serves the instance of a number, under its own type, or decorated, or as a part of a
  /// collection.
  protocol Carrier: AnyObject, Sendable {
    var node: Node { get }
    var decorations: [Int] { get }
  }

  final class Node: Tracked, Carrier, @unchecked Sendable {
    let (number, generation, needs, resolver): (Int, Int, [Link], Resolver)
    let isDisposed = AtomicCounter()
    var node: Node { self }
    var decorations: [Int] { [] }

    init(
      _ tracker: LifetimeTracker, _ number: Int, _ generation: Int, _ needs: [Link],
      _ resolver: Resolver, _ history: EventLog
    ) {
      (self.number, self.generation, self.needs, self.resolver) =
        (number, generation, needs, resolver)
      super.init(tracker)
      history.add(
        "\(number)#\(serial) is built in \((try? resolver.resolve(Epoch.self).number) ?? -1) from "
          + needs.flatMap { $0.isKept ? (try? $0.carriers()) ?? [] : [] }
          .map { "\($0.node.number)#\($0.node.serial)" }.joined(separator: ", "))
    }

    deinit { _ = try? resolver.resolve(Epoch.self) }
  }

  /// A product that is decorated.
  final class Extra: Carrier {
    let node: Node
    let decorations: [Int]

    init(_ node: Node, _ decorations: [Int] = []) {
      (self.node, self.decorations) = (node, decorations)
    }
  }

  /// What an instance holds of one that it needs.
  enum Link: Sendable {
    case nothing
    case direct(any Carrier)
    case later(@Sendable () throws -> any Carrier)
    case all([any Carrier])

    var isKept: Bool {
      if case .later = self { false } else { true }
    }

    func carriers() throws -> [any Carrier] {
      switch self {
      case .nothing: []
      case .direct(let carrier): [carrier]
      case .later(let carrier): [try carrier()]
      case .all(let carriers): carriers
      }
    }
  }

  // SAFETY: changed by the task that reloads.
  var random: SeededGenerator
  /// For messages.
  var place: String {
    get { step.withLock { "\(name), \($0)" } }
    set { step.withLock { $0 = newValue } }
  }
  private let step = Locked("begin")
  let name: String
  let parent = Container()
  let base: Container
  let models = ReloadModels()
  /// The instances that are disposed of, and the others.
  let (singletons, others) = (LifetimeTracker(), LifetimeTracker())
  private let disposals = AtomicCounter()
  /// For the report of a failure.
  let history = EventLog()
  /// Whether a reload, or the next disposer that can, has to end the container.
  let (endsInReload, endsInDisposer) = (Locked(false), Locked(false))
  var draining: Duration? {
    get { limit.withLock { $0 } }
    set { limit.withLock { $0 = newValue } }
  }
  private let limit = Locked<Duration?>(nil)
  /// How many instances may end late, as a factory or a disposer may have ended the container; 0 if
  /// none has.
  private let permittedLateEnds = Locked(0)
  private let lateEnds = AtomicCounter()

  /// A part of the program that ends the container, and that other disposals may wait for.
  ///
  /// The end does not wait for these disposals. Each may have claimed an instance whose disposer
  /// has not begun by then.
  enum Ender {
    /// The disposal of replaced instances may wait for a factory, and so may a reload that disposes
    /// of what it has made.
    case factory
    /// A reload that builds disposes of nothing meanwhile.
    case factoryOfReload
    /// The disposer of one of the two disposals has begun.
    case disposer

    var lateEnds: Int { self == .factory ? 2 : 1 }
  }
  /// The instance of each epoch of each singleton.
  private let instances = Locked<(serials: [[Int]: Int], epochs: [Int: [Int]])>(([:], [:]))

  init(_ random: SeededGenerator, _ name: String) {
    (self.random, self.name) = (random, name)
    base = Container(parent: parent)
  }

  // MARK: - Registrations

  func registerBase() throws {
    let model = ReloadModel(&random)
    models.begin(with: model)
    try base.register(value: Epoch(number: 0))
    // What is decorated is registered, whatever the reloads do.
    try base.register(Extra.self) { [others, history] in Extra(Node(others, -1, 0, [], $0, history))
    }.dependsOn()
    for number in 0..<model.decorations {
      try decorate(base, number)
    }
    for number in model.nodes.indices where model.isPresent(number) {
      let node = model.nodes[number]
      try register(number, node, in: node.isInParent ? parent : base)
    }
  }

  func make(_ change: ReloadChange, in version: Container) throws {
    try version.register(value: Epoch(number: change.number), onDuplicate: .require)
    for number in change.removed {
      let product: any Any.Type = change.former.nodes[number].isExtra ? Extra.self : Node.self
      func remove<Product>(_ product: Product.Type) {
        // One that ends has no registrations.
        XCTAssert(version.unregister(product, name: Name("\(number)")) || base.isClosed, place)
        version.unregister((any Carrier).self, name: Name("\(number)"))
      }
      _openExistential(product, do: remove)
    }
    for number in change.changed.sorted() {
      try register(number, change.model.nodes[number], in: version)
    }
    if change.model.decorations > change.former.decorations {
      try decorate(version, change.former.decorations)
    }
  }

  func addBomb(to version: Container) throws {
    let number = models.latest.nodes.indices.first { models.latest.isPresent($0) } ?? 0
    let need = ReloadModel.Need(target: number, form: .optional)
    let isAsync = models.latest.nodes[number].isAsync
    let isExtra = models.latest.nodes[number].isExtra
    try version.register(
      String.self, scope: .singleton,
      with: .eager.dependsOn(keys: isAsync ? [] : [key(need, isExtra: isExtra)])
    ) { resolver in
      if !isAsync { _ = try Self.link(need, isExtra: isExtra, resolver) }
      throw Failure()
    }
  }

  private func decorate(_ container: Container, _ number: Int) throws {
    try container.decorate(Extra.self) { extra, _ in
      Extra(extra.node, extra.decorations + [number])
    }
  }

  private func register(
    _ number: Int, _ node: ReloadModel.Node, in container: Container
  ) throws {
    if node.isExtra {
      try register(number, node, in: container) { Extra($0) }
    } else {
      try register(number, node, in: container) { $0 }
    }
  }

  private func register<Product: Carrier>(
    _ number: Int, _ node: ReloadModel.Node, in container: Container,
    _ wrap: @escaping @Sendable (Node) -> Product
  ) throws {
    let (extras, history) = (models.extras, history)
    let tracker = node.kind == .singleton ? singletons : others
    let scope: Scope<Product> =
      switch node.kind {
      case .singleton: .singleton
      case .transient: .transient
      case .scoped: .scoped
      }
    let keys = node.needs.map { key($0, isExtra: extras.contains($0.target)) }
    let name = Name("\(number)")
    let registration =
      if node.isAsync {
        try container.registerAsync(Product.self, name: name, scope: scope) { resolver in
          var links: [Link] = []
          for need in node.needs {
            links.append(
              try await Self.linkAsync(need, isExtra: extras.contains(need.target), resolver))
          }
          await Task.yield()
          return wrap(Node(tracker, number, node.generation, links, resolver, history))
        }
      } else {
        try container.register(Product.self, name: name, scope: scope) { resolver in
          let links = try node.needs.map {
            try Self.link($0, isExtra: extras.contains($0.target), resolver)
          }
          return wrap(Node(tracker, number, node.generation, links, resolver, history))
        }
      }
    registration.dependsOn(keys: keys)
    if node.kind == .singleton {
      if node.isAsync {
        registration.onDispose { [self] in await noteEndAsync(of: $0.node) }
      } else {
        registration.onDispose { [self] in noteEnd(of: $0.node) }
      }
    }
    if node.implementsPart, node.renewsPart { registration.implements((any Carrier).self) }
  }

  private func key(_ need: ReloadModel.Need, isExtra: Bool) -> RegistrationKey {
    let product: any Any.Type =
      switch need.form {
      case .direct: isExtra ? Extra.self : Node.self
      case .optional: isExtra ? Extra?.self : Node?.self
      case .lazy: isExtra ? Lazy<Extra>.self : Lazy<Node>.self
      case .provider: isExtra ? Provider<Extra>.self : Provider<Node>.self
      case .part: (any Carrier).self
      case .parts: [any Carrier].self
      }
    return RegistrationKey(
      product: product, name: need.form == .parts ? nil : Name("\(need.target)"))
  }

  private static func link(
    _ need: ReloadModel.Need, isExtra: Bool, _ resolver: Resolver
  ) throws -> Link {
    func link<Product: Carrier>(_ product: Product.Type) throws -> Link {
      let name = Name("\(need.target)")
      switch need.form {
      case .direct: return .direct(try resolver.resolve(product, name: name))
      case .optional:
        return try resolver.resolveIfRegistered(product, name: name).map { .direct($0) } ?? .nothing
      case .lazy:
        let lazy = try resolver.resolve(Lazy<Product>.self, name: name)
        return .later { try lazy.value }
      case .provider:
        let provider = try resolver.resolve(Provider<Product>.self, name: name)
        return .later { try provider() }
      case .part: return .direct(try resolver.resolve((any Carrier).self, name: name))
      case .parts: return .all(try resolver.resolve([any Carrier].self))
      }
    }
    return try isExtra ? link(Extra.self) : link(Node.self)
  }

  private static func linkAsync(
    _ need: ReloadModel.Need, isExtra: Bool, _ resolver: Resolver
  ) async throws -> Link {
    guard need.form == .direct else { return try link(need, isExtra: isExtra, resolver) }
    let name = Name("\(need.target)")
    return .direct(
      isExtra
        ? try await resolver.resolveAsync(Extra.self, name: name)
        : try await resolver.resolveAsync(Node.self, name: name))
  }

  // MARK: - Checks

  /// What is disposed of ends before all that it was made of.
  private func noteEnd(of node: Node) {
    XCTAssertEqual(node.isDisposed.add(), 1, "disposed of once: \(node.number), \(place)")
    disposals.add()
    history.add("\(node.number)#\(node.serial) ends")
    _ = try? node.resolver.resolve(Epoch.self)
    checkOutlasts(node)
  }

  private func noteEndAsync(of node: Node) async {
    noteEnd(of: node)
    let endsHere = endsInDisposer.withLock { endsInDisposer in
      defer { endsInDisposer = false }
      return endsInDisposer
    }
    if endsHere {
      history.add("\(node.number)#\(node.serial) ends the container")
      try? await end(within: .disposer)
    } else {
      await Task.yield()
      // An end within a factory or a disposer waits for no disposal under way, which may wait for
      // that.
      if permittedLateEnds.withLock({ $0 }) == 0 { checkOutlasts(node) }
    }
  }

  /// Ends the container from a factory or a disposer.
  func end(within place: Ender) async throws {
    // An end that has begun waits for what is under way.
    if !base.isClosed { permittedLateEnds.withLock { $0 = max($0, place.lateEnds) } }
    try await base.shutdown(draining: draining)
  }

  func checkOutlasts(_ node: Node) {
    let ended = dependencies(of: node).filter { $0.node.isDisposed.value > 0 }
    if ended.isEmpty { return }
    if lateEnds.add() <= permittedLateEnds.withLock({ $0 }) { return }
    let ends = ended.map { "\($0.node.number)#\($0.node.serial)" }
    XCTFail("\(node.number)#\(node.serial) ends after \(ends): \(place)")
  }

  /// Those that it was made of, at any depth.
  private func dependencies(of node: Node) -> [any Carrier] {
    node.needs.filter(\.isKept).flatMap { (try? $0.carriers()) ?? [] }
      .flatMap { [$0] + dependencies(of: $0.node) }
  }

  func checkNothingIsLeft() async {
    await singletons.waitUntilNoneIsLeft()
    await others.waitUntilNoneIsLeft()
    XCTAssertEqual(singletons.alive, 0, name)
    XCTAssertEqual(others.alive, 0, name)
    XCTAssertEqual(disposals.value, singletons.created, name)
  }

  /// Resolves some of what there is, and checks it against the model of the version.
  func checkSome(of container: Container, _ random: inout SeededGenerator) async throws {
    let model = models[try container.resolve(Epoch.self).number]
    for number in model.nodes.indices where Int.random(in: 0..<3, using: &random) == 0 {
      try await check(number, in: container, model)
    }
    if Bool.random(using: &random) {
      try check(parts: try container.resolve([any Carrier].self), model)
    }
  }

  func check(_ number: Int, in container: Container, _ model: ReloadModel) async throws {
    let node = model.nodes[number]
    if node.kind == .scoped, container.parent?.parent?.parent == nil { return }
    let name = Name("\(number)")
    if !node.isPresent {
      let isThere =
        node.isExtra
        ? container.contains(Extra.self, name: name) : container.contains(Node.self, name: name)
      return XCTAssertFalse(isThere, "\(number), \(place)")
    }
    let carrier = try await carrier(of: number, in: container)
    try check(carrier, number, model)
    if node.kind == .scoped, !node.isAsync {
      let again = try container.resolve(Node.self, name: name)
      XCTAssert(again === carrier, place)
    }
  }

  @discardableResult
  func carrier(of number: Int, in container: Container) async throws -> any Carrier {
    let (node, name) = (models.latest.nodes[number], Name("\(number)"))
    return switch (node.isExtra, node.isAsync) {
    case (true, true): try await container.resolveAsync(Extra.self, name: name)
    case (true, false): try container.resolve(Extra.self, name: name)
    case (false, true): try await container.resolveAsync(Node.self, name: name)
    case (false, false): try container.resolve(Node.self, name: name)
    }
  }

  private func check(_ carrier: any Carrier, _ number: Int, _ model: ReloadModel) throws {
    let (node, expected) = (carrier.node, model.nodes[number])
    XCTAssertEqual(node.number, number, place)
    XCTAssertEqual(
      node.generation, expected.generation, "\(number) of model \(model.number), \(place)")
    XCTAssertEqual(node.isDisposed.value, 0, "in use: \(number), \(place)")
    XCTAssertEqual(
      carrier.decorations, expected.isExtra ? Array(0..<model.decorations) : [],
      "\(number), \(place)")
    if expected.kind == .singleton { noteInstance(node, [number, expected.epoch]) }
    guard node.needs.count == expected.needs.count else {
      return XCTFail("\(number) needs \(node.needs.count), \(place)")
    }
    for (link, need) in zip(node.needs, expected.needs) {
      let carriers = try link.carriers()
      if need.form == .parts {
        try check(parts: carriers, model)
      } else if model.isPresent(need.target) {
        guard carriers.count == 1 else { return XCTFail("\(number) lacks \(need), \(place)") }
        try check(carriers[0], need.target, model)
      } else {
        XCTAssertEqual(carriers.count, 0, "\(number) has \(need), \(place)")
      }
    }
  }

  private func check(parts: [any Carrier], _ model: ReloadModel) throws {
    XCTAssertEqual(parts.map(\.node.number), model.parts, place)
    for part in parts where model.nodes.indices.contains(part.node.number) {
      try check(part, part.node.number, model)
    }
  }

  private func noteInstance(_ node: Node, _ epoch: [Int]) {
    instances.withLock { instances in
      let serial = instances.serials[epoch, default: node.serial]
      XCTAssertEqual(serial, node.serial, "one for each epoch: \(epoch), \(place)")
      let other = instances.epochs[node.serial, default: epoch]
      XCTAssertEqual(other, epoch, "another for each epoch: \(epoch), \(place)")
      instances.serials[epoch] = node.serial
      instances.epochs[node.serial] = epoch
    }
  }

  /// The singletons of a model that have been seen.
  func built(in model: ReloadModel) -> [Int] {
    instances.withLock { instances in
      model.nodes.indices.filter { number in
        let node = model.nodes[number]
        return node.isPresent && node.kind == .singleton
          && instances.serials[[number, node.epoch]] != nil
      }
    }
  }

  /// A random change of the latest model.
  func nextChange() -> ReloadChange { models.change(&random) }
}
