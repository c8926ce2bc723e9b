// SPDX-License-Identifier: MIT

import Corinth
import TestSupport
import XCTest

private struct Broken: Error {}

private enum Main: NameMarker {
  static let name: Name = "main"
}

private typealias Resolve = @Sendable (Resolver) async throws -> Void

/// A factory in a parent asks for what only a child has, and does without it in the parent. A
/// derived product that may be missing was noted as required, so that a healthy application was
/// refused.
final class OptionalDependencyTests: ContainerTestCase {
  private func makeChild(of container: Container) throws -> Container {
    let child = Container(parent: container)
    try child.register(Quartz.self) { _ in Quartz() }
    try child.register(Quartz.self, name: Main.name) { _ in Quartz() }
    return child
  }

  private func assertHealthy(line: UInt = #line, _ body: @escaping Resolve) async throws {
    let container = Container()
    try container.registerAsync(Gearbox.self) { r in
      try await body(r)
      return Gearbox()
    }
    try container.registerAsync(Axle.self) { Axle(gearbox: try await $0.resolveAsync()) }
      .as(.singleton)
    let child = try makeChild(of: container)
    _ = try await (child.resolveAsync(Axle.self), child.resolveAsync(Gearbox.self))
    do {
      let built = try await child.validate(building: true)
      XCTAssertEqual(built.unknown, [], line: line)
    } catch { XCTFail("\(error)", line: line) }
    container.release(Axle.self)
    let recording = child.recordDependencies()
    _ = try await (child.resolveAsync(Gearbox.self), child.resolveAsync(Axle.self))
    recording.stop()
    XCTAssertNoThrow(try child.validate(), line: line)
    XCTAssertNoThrow(try container.validate(), line: line)
  }

  func testADerivedProductMayBeMissing() async throws {
    try await assertHealthy { _ = try $0.resolveIfRegistered(Provider<Quartz>.self) }
    try await assertHealthy { _ = try $0.resolveIfRegistered(Lazy<Quartz>.self) }
    try await assertHealthy { _ = try $0.resolveIfRegistered(Named<Quartz, Main>.self) }
    try await assertHealthy { _ = try $0.resolveIfRegistered([Quartz].self) }
    try await assertHealthy { _ = try $0.resolveIfRegistered([Provider<Quartz>].self) }
    try await assertHealthy {
      _ = try $0.resolveIfRegistered(Provider<Lazy<Named<Quartz, Main>>>.self)
    }
  }

  func testADerivedProductMayBeMissingInATask() async throws {
    try await assertHealthy { _ = try await $0.resolveAsyncIfRegistered(Provider<Quartz>.self) }
    try await assertHealthy { _ = try await $0.resolveAsyncIfRegistered(Lazy<Quartz>.self) }
    try await assertHealthy {
      _ = try await $0.resolveAsyncIfRegistered(Named<Quartz, Main>.self)
    }
    try await assertHealthy { _ = try await $0.resolveAsyncIfRegistered([Quartz].self) }
  }

  func testWhatAnOptionalProviderGivesAtOnceMayBeMissing() async throws {
    try await assertHealthy { _ = try $0.resolveIfRegistered(Provider<Quartz>.self)?() }
    try await assertHealthy { _ = try $0.resolveIfRegistered(Lazy<Quartz>.self)?.value }
  }

  func testAnOptionalWhoseFactoryThrowsMayBeMissing() throws {
    try container.register(Quartz.self) { _ in throw Broken() }
    try container.register(Gearbox.self) { r in
      Gearbox(quartz: try r.resolveIfRegistered(Quartz.self) ?? Quartz())
    }
    container.recordDependencies()
    XCTAssertThrowsError(try container.resolve(Gearbox.self))
    container.unregister(Quartz.self)
    XCTAssertNoThrow(try container.validate())
  }

  func testWhatAFactoryRequiresBesidesAnOptionalIsMissed() throws {
    try container.register(Quartz.self) { _ in Quartz() }
    try container.register(Gearbox.self) { r in
      _ = try r.resolve(Quartz.self)
      return Gearbox(quartz: try r.resolveIfRegistered(Provider<Quartz>.self)?() ?? Quartz())
    }
    container.recordDependencies()
    _ = try container.resolve(Gearbox.self)
    container.unregister(Quartz.self)
    XCTAssertEqual(
      findings { try container.validate() }.flatMap(\.places).map(\.key),
      [RegistrationKey(Gearbox.self)])
  }
}
