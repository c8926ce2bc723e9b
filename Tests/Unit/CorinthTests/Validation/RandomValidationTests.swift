// SPDX-License-Identifier: MIT

import Corinth
import TestSupport
import XCTest

final class Item: Sendable {}

func label(_ number: Int) -> Name { Name("\(number)") }

extension RegistrationKey {
  var number: Int { name.flatMap { Int($0.base.description) } ?? -1 }
}

extension AbstractGraph {
  /// The graph in a container. The factories resolve what they declare.
  func makeContainer() throws -> Container {
    let container = Container()
    for (number, node) in nodes.enumerated() { try register(number, node, in: container) }
    return container
  }

  private func register(_ number: Int, _ node: Node, in container: Container) throws {
    let dependencies = node.dependencies
    let registration: Registration<Item>
    switch node.kind {
    case .input:
      if !container.contains(Item.self) { try container.registerInput(Item.self) }
      try container.forward(Item.self, name: label(number), to: Item.self)
      return
    case .forward(let target, let before):
      for target in [before, target].compactMap({ $0 }) {
        try container.forward(
          Item.self, name: label(number), to: Item.self, targetName: label(target))
      }
      return
    case .factory:
      registration = try container.register(Item.self, name: label(number)) { resolver in
        for (target, form) in dependencies {
          let name = label(target)
          switch form {
          case .plain: _ = try resolver.resolve(Item.self, name: name)
          case .optional: _ = try resolver.resolveIfRegistered(Item.self, name: name)
          case .lazy: _ = try resolver.resolve(Lazy<Item>.self, name: name)
          case .provider: _ = try resolver.provider(for: Item.self, name: name)
          }
        }
        return Item()
      }
    case .asynchronous:
      registration = try container.registerAsync(Item.self, name: label(number)) { resolver in
        for (target, form) in dependencies {
          let name = label(target)
          switch form {
          case .plain: _ = try await resolver.resolveAsync(Item.self, name: name)
          case .optional: _ = try await resolver.resolveAsyncIfRegistered(Item.self, name: name)
          case .lazy: _ = try resolver.resolve(Lazy<Item>.self, name: name)
          case .provider: _ = try resolver.provider(for: Item.self, name: name)
          }
        }
        return Item()
      }
    }
    registration.as(scope(of: node)).dependsOn(
      keys: dependencies.map { target, form in
        let name = label(target)
        return switch form {
        case .plain: RegistrationKey(Item.self, name: name)
        case .optional: RegistrationKey(Item?.self, name: name)
        case .lazy: RegistrationKey(Lazy<Item>.self, name: name)
        case .provider: RegistrationKey(Provider<Item>.self, name: name)
        }
      })
    if node.isEager { registration.eager() }
  }

  private func scope(of node: Node) -> Scope<Item> {
    switch node.lifetime {
    case .transient: .transient
    case .graph: .graph
    case .singleton: .singleton
    case .weak: .weak
    case .cached: .cached(for: .seconds(3_600))
    case .scoped: .scoped
    }
  }
}

/// Random graphs against an oracle that knows no container.
final class RandomValidationTests: AsyncTestCase {
  private func report(_ graph: AbstractGraph, _ container: Container) -> [ValidationFinding] {
    findings {
      try container.validate(
        roots: graph.roots.map { .keys($0.map { RegistrationKey(Item.self, name: label($0)) }) },
        inputs: graph.givesInputs ? nil : [])
    }
  }

  /// A finding as the oracle says it. A cycle is that of its group.
  private func translate(
    _ finding: ValidationFinding, _ groups: Set<ValidationOracle.Finding>
  ) -> ValidationOracle.Finding? {
    let numbers = finding.path.map(\.number)
    let places = Set(finding.places.map(\.key.number))
    func group() -> ValidationOracle.Finding? {
      groups.first {
        switch $0 {
        case .cyclic(let members), .circle(let members): places.isSubset(of: members)
        default: false
        }
      }
    }
    switch finding.kind {
    case .missing: return .missing(needed: places)
    case .cyclic: return group()
    case .captive: return .captive(numbers[0], finding.key.number)
    case .asynchronous: return .asynchronous(numbers[0], finding.key.number)
    case .missingInput:
      return "\(finding)".contains("not among")
        ? .inputNotGiven : .inputOutside(numbers[0])
    case .forwarding:
      if numbers.count == 1 { return .forwardedTwice(numbers[0]) }
      if numbers.first == numbers.last { return group() }
      return .forwardedToNothing(numbers[numbers.count - 2])
    case .unused: return .unused(finding.key.number)
    default: return nil
    }
  }

  func testTenThousandRandomGraphsHaveTheFindingsOfTheOracle() async throws {
    try skipUnderThreadSanitizer()
    var random = SeededGenerator(seed: 11)
    var kinds: [ValidationFinding.Kind: Int] = [:]
    var clean = 0
    for round in 0..<10_000 {
      let graph = AbstractGraph(&random)
      let expected = ValidationOracle(graph).findings
      let container = try graph.makeContainer()
      let found = report(graph, container)
      let translated = found.map { translate($0, expected) }
      XCTAssertEqual(Set(translated), Set(expected.map { $0 }), "graph \(round): \(graph)")
      XCTAssertEqual(translated.count, expected.count, "graph \(round): \(graph)")
      if Set(translated) != Set(expected.map { $0 }) { return }
      for finding in found { kinds[finding.kind, default: 0] += 1 }
      if found.allSatisfy({ $0.kind == .unused }) {
        clean += 1
        try await assertAllResolve(graph, container, "graph \(round): \(graph)")
      }
      try await assertFindingsAreReal(found, container)
    }
    // Each of them has been met, and many graphs had none.
    let others: Set<ValidationFinding.Kind> = [.invalid, .ineffective, .failed, .unknown]
    for kind in ValidationFinding.Kind.allCases where !others.contains(kind) {
      XCTAssertGreaterThan(kinds[kind, default: 0], 100, "\(kind)")
    }
    XCTAssertGreaterThan(clean, 1_000)
  }

  private func assertAllResolve(
    _ graph: AbstractGraph, _ container: Container, _ message: String
  ) async throws {
    do {
      try await container.warmUp()
      let scope = container.makeScope(providing: Item())
      for (number, node) in graph.nodes.enumerated() {
        if case .factory = node.kind {
          _ = try scope.resolve(Item.self, name: label(number))
        } else {
          _ = try await scope.resolveAsync(Item.self, name: label(number))
        }
      }
      try await scope.close()
    } catch {
      XCTFail("\(error)\n\(message)")
    }
  }

  /// What is missing or cyclic fails where its path begins.
  private func assertFindingsAreReal(
    _ findings: [ValidationFinding], _ container: Container
  ) async throws {
    let scope = container.makeScope()
    for finding in findings where finding.kind == .cyclic {
      do {
        _ = try await scope.resolveAsync(Item.self, name: finding.path[0].name ?? "")
        XCTFail("\(finding)")
      } catch {}
    }
    try await scope.close()
  }
}
