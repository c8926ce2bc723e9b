// SPDX-License-Identifier: MIT

import Corinth
import TestSupport
import XCTest

/// What `graph()` shows, in one example for each kind of dependency.
final class DependencyGraphTests: ContainerTestCase {
  private struct Line: Hashable, CustomStringConvertible {
    let source: String
    let target: String
    let kind: DependencyKind
    let evidence: DependencyEvidence

    var description: String { "\(source) -> \(target) (\(kind), \(evidence))" }

    init(_ source: String, _ target: String, _ kind: DependencyKind, _ evidence: DependencyEvidence)
    {
      (self.source, self.target, self.kind, self.evidence) = (source, target, kind, evidence)
    }
  }

  private func lines(_ graph: DependencyGraph) -> [Line] {
    graph.edges.map { edge in
      let target = edge.target.map { "\(graph.registrations[$0].key)" } ?? "missing \(edge.key)"
      return Line("\(graph.registrations[edge.source].key)", target, edge.kind, edge.evidence)
    }
  }

  private func unknown(_ graph: DependencyGraph) -> [RegistrationKey] {
    graph.unknown.map { graph.registrations[$0].key }
  }

  func testTheParametersOfAnInitializerAreKnown() throws {
    struct All: Sendable {
      let quartz: Quartz
      let lazy: Lazy<Gearbox>
      let provider: Provider<Axle>
      let components: [Component]
      let absent: Int?
      let input: String
    }
    try container.wire(Quartz.self, using: Quartz.init)
    try container.wire(Gearbox.self, using: Gearbox.init(quartz:))
    try container.registerInput(String.self)
    try container.contribute(to: Component.self) { _ in Component() }
    try container.wire(
      All.self,
      using: All.init(quartz:lazy:provider:components:absent:input:))
    let graph = container.graph()
    let ofAll = lines(graph).filter { $0.source == "All" }
    XCTAssertEqual(
      ofAll.map(\.kind), [.direct, .lazy, .provider, .collection, .input], "\(ofAll)")
    XCTAssertEqual(ofAll[2].target, "missing Axle")
    XCTAssertEqual(Set(ofAll.map(\.evidence)), [.known])
    XCTAssertEqual(lines(graph).filter { $0.source == "Gearbox" }.map(\.target), ["Quartz"])
    XCTAssertEqual(unknown(graph).count, 1, "the contribution is a closure")
  }

  func testADecoratorAndAForwardHaveEdgesOfTheirOwn() throws {
    try container.wire(Quartz.self, using: Quartz.init)
    try container.wire(Gearbox.self, using: Gearbox.init(quartz:)).implements(Component.self)
    try container.decorate(Gearbox.self) { gearbox, resolver in
      _ = try resolver.resolve(Quartz.self)
      return gearbox
    }
    container.recordDependencies()
    _ = try container.resolve(Gearbox.self)
    XCTAssertEqual(
      Set(lines(container.graph())),
      [
        Line("Gearbox", "Quartz", .direct, .known),
        Line("Gearbox", "Quartz", .decorator, .recorded),
        Line("Component", "Gearbox", .forward, .known),
      ])
  }

  func testWhatWasRecordedSaysHowItWasResolved() throws {
    try container.register(Quartz.self) { _ in Quartz() }
    struct Holder: Sendable { let quartz: Lazy<Quartz> }
    try container.register(Holder.self) { resolver in Holder(quartz: try resolver.resolve()) }
    try container.register(Gearbox.self) { resolver in
      Gearbox(quartz: try resolver.resolve(Lazy<Quartz>.self).value)
    }
    try container.register(Axle.self, with: .dependsOn(Holder.self)) { _ in Axle() }
    XCTAssertEqual(lines(container.graph()), [Line("Axle", "Holder", .direct, .declared)])
    XCTAssertEqual(unknown(container.graph()).count, 3)
    container.recordDependencies()
    let holder = try container.resolve(Holder.self)
    _ = try holder.quartz.value
    _ = try container.resolve(Gearbox.self)
    XCTAssertEqual(
      lines(container.graph()),
      [
        Line("Holder", "Quartz", .provider, .recorded),
        Line("Gearbox", "Quartz", .direct, .recorded),
        Line("Axle", "Holder", .direct, .declared),
      ], "one that uses its Lazy while it is built depends on the instance")
    XCTAssertEqual(unknown(container.graph()), [])
  }

  func testTheRegistrationsOfParentsComeFirstAndThoseThatAreShadowedAreNotShown() throws {
    try container.wire(Quartz.self, using: Quartz.init)
    try container.wire(Axle.self, scope: .singleton, using: Axle.init(gearbox:))
    let child = Container(parent: container)
    try child.wire(Gearbox.self, using: Gearbox.init(quartz:))
    try child.wire(Quartz.self, using: Quartz.init)
    let graph = child.graph()
    XCTAssertEqual(graph.registrations.map(\.level), [1, 0, 0])
    XCTAssertEqual(
      lines(graph),
      [
        Line("Axle", "missing Gearbox", .direct, .known),
        Line("Gearbox", "Quartz", .direct, .known),
      ], "the parent's singleton resolves in the parent")
  }

  func testPartsAndPathsFollowTheDependencies() throws {
    try container.wire(Quartz.self, using: Quartz.init)
    try container.wire(Gearbox.self, using: Gearbox.init(quartz:))
    try container.wire(Axle.self, using: Axle.init(gearbox:))
    try container.register(value: 7)
    let graph = container.graph()
    let (quartz, gearbox) = (RegistrationKey(Quartz.self), RegistrationKey(Gearbox.self))
    let axle = RegistrationKey(Axle.self)
    XCTAssertEqual(graph.dependencies(of: gearbox).registrations.map(\.key), [quartz, gearbox])
    XCTAssertEqual(graph.dependents(of: gearbox).registrations.map(\.key), [gearbox, axle])
    XCTAssertEqual(
      lines(graph.dependents(of: gearbox)), [Line("Axle", "Gearbox", .direct, .known)])
    XCTAssertEqual(graph.path(from: axle, to: quartz), [axle, gearbox, quartz])
    XCTAssertEqual(graph.path(from: axle, to: axle), [axle])
    XCTAssertNil(graph.path(from: quartz, to: axle))
    XCTAssertNil(graph.path(from: axle, to: RegistrationKey(String.self)))
    XCTAssertEqual(graph.dependencies(of: RegistrationKey(String.self)).registrations.count, 0)
  }

  func testACycleIsAGroupAndStaysOneInAPartThatHasItWhole() throws {
    final class Hen: Sendable { init(egg: Egg) {} }
    final class Egg: Sendable { init(hen: Hen) {} }
    try container.wire(Quartz.self, using: Quartz.init)
    try container.wire(Hen.self, using: Hen.init(egg:))
    try container.wire(Egg.self, using: Egg.init(hen:))
    let graph = container.graph()
    XCTAssertEqual(graph.cycles, [[1, 2]])
    XCTAssertEqual(graph.dependents(of: RegistrationKey(Egg.self)).cycles, [[0, 1]])
    XCTAssertEqual(graph.dependencies(of: RegistrationKey(Quartz.self)).cycles, [])
  }

  func testNoFactoryRuns() throws {
    try container.wire(Quartz.self, scope: .singleton, using: Quartz.init)
    let before = Component.runs.value
    XCTAssertFalse(container.graph().registrations[0].isBuilt)
    XCTAssertEqual(Component.runs.value, before)
  }

  func testAListedRegistrationHasWhatItSaysItDependsOn() throws {
    try container.wire(Quartz.self, using: Quartz.init).implements(Component.self)
    try container.wire(Gearbox.self, using: Gearbox.init(quartz:)).dependsOn(Int.self)
    try container.register(Axle.self) { _ in Axle() }
    try container.register(value: 7)
    let (quartz, int) = (RegistrationKey(Quartz.self), RegistrationKey(Int.self))
    let stated = Dictionary(
      uniqueKeysWithValues: container.registrations.map { ("\($0.key)", $0.dependencies) })
    XCTAssertEqual(
      stated,
      [
        "Quartz": [], "Component": [quartz], "Gearbox": [quartz, int], "Axle": nil as [_]?,
        "Int": [],
      ])
  }
}
