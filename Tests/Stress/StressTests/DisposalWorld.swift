// SPDX-License-Identifier: MIT

import Corinth
import TestSupport
import XCTest

/// A random container of parts that are built from each other, and what is true of it.
final class DisposalWorld: Sendable {
  enum Kind: CaseIterable, Sendable {
    case closure, withoutDisposer, transient, failingOnce, ofArgument, keepingItsResolver, value
    case asynchronous, asynchronousWithoutDisposer, declared

    var isAsynchronous: Bool {
      self == .asynchronous || self == .asynchronousWithoutDisposer || self == .declared
    }
    /// Whether it has to be there before a synchronous factory asks for it.
    var comesFirst: Bool { isAsynchronous || self == .value }
    var hasDisposer: Bool {
      self != .withoutDisposer && self != .transient && self != .asynchronousWithoutDisposer
    }
    var notes: Bool { self != .transient && !comesFirst }
  }

  /// How a factory gets to another part.
  enum Way: CaseIterable, Sendable {
    case plain, optional, borrowed, captured, forward, called, lazy
    /// The factory makes a lazy value, and does not use it.
    case later

    /// Whether the factory makes a lazy value or a provider.
    var isDeferred: Bool { self == .called || self == .lazy || self == .later }
  }

  struct Edge: Sendable {
    let target: Int
    let way: Way
    var isOfDecorator = false
  }

  struct Part: Sendable {
    var kind: Kind
    var edges: [Edge] = []
  }

  final class Product: Sendable, DisposablePart {
    let number: Int
    let kept: [any Sendable]
    init(_ number: Int, _ kept: [any Sendable] = []) { (self.number, self.kept) = (number, kept) }
  }

  private struct Failure: Error {}

  let parts: [Part]
  /// Whether each part is completed by a decorator.
  private let isDecorated: Bool
  let container = Container()
  let stage = DisposalStage()
  /// What has been built, in the order of completion.
  let completed = Locked<[Int]>([])
  private let failed = Locked<Set<Int>>([])
  /// Whether a lazy value or a provider was made.
  let hasDeferred = Flag()

  init(_ random: inout SeededGenerator) throws {
    let count = Int.random(in: 1...12, using: &random)
    let isDecorated = Int.random(in: 0..<3, using: &random) == 0
    let mostEdges = Int.random(in: 0...3, using: &random)
    // Mostly what can be known, or all would keep their order.
    let isMixed = Int.random(in: 0..<3, using: &random) == 0
    var parts: [Part] = []
    for number in 0..<count {
      let kinds: [Kind] =
        isMixed
        ? Kind.allCases
        : [.closure, .closure, .withoutDisposer, .transient, .failingOnce, .ofArgument, .declared]
      var part = Part(kind: kinds.randomElement(using: &random)!)
      for _ in 0..<Int.random(in: 0...mostEdges, using: &random) where number > 0 {
        let target = Int.random(in: 0..<number, using: &random)
        let isPlain =
          part.kind.isAsynchronous || part.kind == .value || parts[target].kind == .ofArgument
        let isDeferrable = !parts[target].kind.comesFirst
        let way = Way.allCases.filter { isDeferrable || ($0 != .lazy && $0 != .later) }
          .randomElement(using: &random)!
        part.edges.append(
          Edge(
            target: target, way: isPlain ? .plain : way,
            isOfDecorator: isDecorated && part.kind != .declared && part.kind != .value
              && Bool.random(using: &random)))
      }
      parts.append(part)
    }
    if isDecorated {
      // Their ends are not where the decorator is.
      for number in parts.indices where [.value, .failingOnce].contains(parts[number].kind) {
        parts[number].kind = .closure
      }
    }
    self.parts = parts
    self.isDecorated = isDecorated
  }

  // MARK: - Registration

  func register() throws {
    if isDecorated {
      try container.decorate(Product.self) { [self] product, resolver in
        let part = parts[product.number]
        _ = try resolve(part.edges.filter(\.isOfDecorator), resolver)
        if part.kind != .transient {
          completed.withLock { $0.append(product.number) }
        }
        return product
      }
    }
    for (number, part) in parts.enumerated() where part.kind != .value {
      try register(number, part)
      if part.kind != .ofArgument {
        try container.forward(
          (any DisposablePart).self, name: Name(number), to: Product.self,
          targetName: Name(number))
      }
    }
  }

  private func register(_ number: Int, _ part: Part) throws {
    let name = Name(number)
    let edges = part.edges.filter { !$0.isOfDecorator }
    let options = part.kind.hasDisposer ? staged(number) : nil
    switch part.kind {
    case .value: break
    case .transient:
      try container.register(Product.self, name: name) { [self] in
        Product(number, try resolve(edges, $0))
      }
    case .closure, .withoutDisposer, .failingOnce, .keepingItsResolver:
      try container.register(Product.self, name: name, scope: .singleton, with: options) {
        [self] resolver in
        var kept = try resolve(edges, resolver)
        if part.kind == .failingOnce, failed.withLock({ $0.insert(number).inserted }) {
          throw Failure()
        }
        if part.kind == .keepingItsResolver { kept.append(resolver) }
        return complete(Product(number, kept))
      }
    case .ofArgument:
      try container.register(Product.self, name: name, scope: .singleton, with: options) {
        [self] (resolver, argument: Int) in
        complete(Product(argument, try resolve(edges, resolver)))
      }
    case .asynchronous, .asynchronousWithoutDisposer, .declared:
      let keys = edges.map { edge in
        RegistrationKey(
          product: Product.self, name: Name(edge.target),
          arguments: parts[edge.target].kind == .ofArgument ? Int.self : nil)
      }
      let all = part.kind == .declared ? staged(number).dependsOn(keys: keys) : options
      try container.registerAsync(Product.self, name: name, scope: .singleton, with: all) {
        [self] resolver in
        var kept: [any Sendable] = []
        for edge in edges {
          if parts[edge.target].kind == .ofArgument {
            kept.append(
              try await resolver.resolveAsync(
                Product.self, name: Name(edge.target), arguments: edge.target))
          } else {
            kept.append(try await resolver.resolveAsync(Product.self, name: Name(edge.target)))
          }
        }
        return complete(Product(number, kept))
      }
    }
  }

  private func staged(_ number: Int) -> RegistrationOptions<Product> {
    // Some belong to an actor of their own.
    number.isMultiple(of: 4)
      ? .onDispose { @DisposerActor [stage] _ in await stage.dispose("\(number)") }
      : .onDispose { [stage] _ in await stage.dispose("\(number)") }
  }

  private func complete(_ product: Product) -> Product {
    if !isDecorated { completed.withLock { $0.append(product.number) } }
    return product
  }

  private func resolve(_ edges: [Edge], _ resolver: Resolver) throws -> [any Sendable] {
    try edges.map { edge -> any Sendable in
      let name = Name(edge.target)
      if parts[edge.target].kind == .ofArgument {
        return try resolver.resolve(Product.self, name: name, arguments: edge.target)
      }
      if edge.way.isDeferred { hasDeferred.isSet = true }
      switch edge.way {
      case .plain: return try resolver.resolve(Product.self, name: name)
      case .optional:
        return try resolver.resolveIfRegistered(Product.self, name: name) as any Sendable
      case .borrowed: return try resolver.withResolved(Product.self, name: name) { $0 }
      case .captured: return try container.resolve(Product.self, name: name)
      case .forward:
        if parts[edge.target].kind == .value {
          return try resolver.resolve(Product.self, name: name)
        }
        return try resolver.resolve((any DisposablePart).self, name: name)
      case .called:
        let provider = try resolver.provider(for: Product.self, name: name)
        return try provider()
      case .lazy:
        let deferred = try resolver.resolve(Lazy<Product>.self, name: name)
        _ = try deferred.value
        return deferred
      case .later: return try resolver.resolve(Lazy<Product>.self, name: name)
      }
    }
  }

  // MARK: - Building

  func build(_ random: inout SeededGenerator) async throws {
    for number in parts.indices.shuffled(using: &random)
    where Int.random(in: 0..<8, using: &random) > 0 {
      try await build(number)
    }
  }

  /// Whether something has to be there before a synchronous resolve.
  private func needsOthersFirst(_ number: Int) -> Bool {
    parts[number].kind.comesFirst
      || parts[number].edges.contains { $0.way != .later && needsOthersFirst($0.target) }
  }

  private func build(_ number: Int) async throws {
    let part = parts[number]
    if completed.withLock({ $0.contains(number) }) { return }
    for edge in part.edges where edge.way != .later && needsOthersFirst(edge.target) {
      try await build(edge.target)
    }
    if part.kind == .transient { return }
    while !completed.withLock({ $0.contains(number) }) {
      do { try await buildOnce(number) } catch let error as ResolutionError
        where error.cause(as: Failure.self) != nil
      {}
    }
  }

  private func buildOnce(_ number: Int) async throws {
    let (name, part) = (Name(number), parts[number])
    if part.kind == .value {
      // Made of what was resolved elsewhere.
      let kept = try resolve(part.edges, container.resolver)
      let value = complete(Product(number, kept))
      try container.register(value: value, name: name, with: staged(number))
    } else if part.kind.isAsynchronous {
      _ = try await container.resolveAsync(Product.self, name: name)
    } else if part.kind == .ofArgument {
      _ = try container.resolve(Product.self, name: name, arguments: number)
    } else {
      _ = try container.resolve(Product.self, name: name)
    }
  }
}

/// What a part is served as, too.
protocol DisposablePart: AnyObject, Sendable {}

/// The actor of some disposers.
@globalActor
actor DisposerActor {
  static let shared = DisposerActor()
}
