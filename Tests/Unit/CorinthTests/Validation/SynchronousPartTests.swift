// SPDX-License-Identifier: MIT

import Corinth
import TestSupport
import XCTest

/// A finding says which part of a registration cannot wait: the factory, an action, or a decorator.
final class SynchronousPartTests: ContainerTestCase {
  private func lines(_ finding: ValidationFinding?) -> [String] {
    let lines = finding.map { "\($0)".split(separator: "\n").map(String.init) } ?? []
    return lines.filter { !$0.contains(" is registered at ") && !$0.contains("  path: ") }
  }

  private let remedy =
    "  hint: or give Quartz `scope: .singleton, with: .eager` if one instance will do, and call warmUp() beforehand: resolve "
    + "finds a singleton that is there."

  private func asynchronousFinding() -> ValidationFinding? {
    findings { try container.validate() }.first { $0.kind == .asynchronous }
  }

  func testAWiredInitializerIsToBeWiredAsynchronously() throws {
    try container.wireAsync(Quartz.self, using: { @Sendable () async in Quartz() })
    try container.wire(Gearbox.self, using: Gearbox.init(quartz:))
    XCTAssertEqual(
      lines(asynchronousFinding()),
      [
        "Gearbox is synchronous, and depends on Quartz, which only resolveAsync can build.",
        "  hint: use wireAsync in place of wire for Gearbox: wireAsync awaits the parameters.",
        remedy,
      ])
  }

  func testTheActionOfASynchronousFactoryCannotWait() throws {
    try container.registerAsync(Quartz.self) { _ in Quartz() }.dependsOn()
    try container.register(Gearbox.self) { _ in Gearbox() }
      .afterInit { resolver, _ in _ = try resolver.resolve(Quartz.self) }
    container.recordDependencies()
    XCTAssertThrowsError(try container.resolve(Gearbox.self))
    XCTAssertEqual(
      lines(asynchronousFinding()),
      [
        "An afterInit action of Gearbox is synchronous, and resolves Quartz, which only resolveAsync can build.",
        "  hint: have the action `try await resolver.resolveAsync(...)`.", remedy,
      ])
  }

  func testWhatIsDeclaredMayBeForTheAction() throws {
    try container.registerAsync(Quartz.self) { _ in Quartz() }.dependsOn()
    try container.register(Gearbox.self) { _ in Gearbox() }
      .afterInit { resolver, _ in _ = try resolver.resolve(Quartz.self) }
      .dependsOn(Quartz.self)
    XCTAssertEqual(
      lines(asynchronousFinding()),
      [
        "Gearbox is synchronous, and depends on Quartz, which only resolveAsync can build.",
        "  hint: have the afterInit action `try await resolver.resolveAsync(...)`, or register Gearbox with registerAsync "
          + "too if its factory needs Quartz.",
        remedy,
      ])
  }

  private func assertADecoratorIsFound() {
    XCTAssertEqual(
      lines(asynchronousFinding()),
      [
        "A decorator of Gearbox is synchronous, and resolves Quartz, which only resolveAsync can build.",
        remedy.replacingOccurrences(of: "or give", with: "give"),
      ])
  }

  private func decorateGearboxes() throws {
    try container.decorate(Gearbox.self) { gearbox, resolver in
      _ = try resolver.resolve(Quartz.self)
      return gearbox
    }
    container.recordDependencies()
  }

  func testADecoratorOfASynchronousFactoryCannotWait() throws {
    try container.registerAsync(Quartz.self) { _ in Quartz() }.dependsOn()
    try container.register(Gearbox.self) { _ in Gearbox() }
    try decorateGearboxes()
    XCTAssertThrowsError(try container.resolve(Gearbox.self))
    assertADecoratorIsFound()
  }

  func testADecoratorOfAnAsynchronousFactoryCannotWait() async throws {
    try container.registerAsync(Quartz.self) { _ in Quartz() }.dependsOn()
    try container.registerAsync(Gearbox.self) { _ in Gearbox() }
    try decorateGearboxes()
    do {
      _ = try await container.resolveAsync(Gearbox.self)
      XCTFail("The decorator has resolved what only a task can build.")
    } catch {}
    assertADecoratorIsFound()
  }

  func testADecoratorFindsWhatTheFactoryHasAwaited() async throws {
    try container.registerAsync(Quartz.self) { _ in Quartz() }.as(.graph)
    try container.registerAsync(Gearbox.self) { Gearbox(quartz: try await $0.resolveAsync()) }
    try decorateGearboxes()
    _ = try await container.resolveAsync(Gearbox.self)
    XCTAssertEqual(try container.validate().unknown, [])
  }

  func testADecoratorOfAForwardIsNotTheFactoryThatResolvesTheForward() throws {
    try container.registerAsync(Quartz.self) { _ in Quartz() }.dependsOn()
    try container.register(Gearbox.self) { _ in Gearbox() }.implements(Component.self)
    try container.decorate(Component.self) { component, resolver in
      _ = try resolver.resolve(Quartz.self)
      return component
    }
    try container.register(Int.self) { r in
      _ = try r.resolve(Component.self)
      return 7
    }
    container.recordDependencies()
    XCTAssertThrowsError(try container.resolve(Int.self))
    XCTAssertEqual(
      findings { try container.validate() }.map(\.path),
      [[RegistrationKey(Component.self), RegistrationKey(Quartz.self)]])
  }
}
