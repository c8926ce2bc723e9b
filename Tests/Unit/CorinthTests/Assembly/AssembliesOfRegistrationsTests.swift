// SPDX-License-Identifier: MIT

import TestSupport
import XCTest

@testable import Corinth

private struct Module<Marker>: Assembly {
  var id: String?
  let body: @Sendable (Container) throws -> Void
  func assemble(container: Container) throws { try body(container) }
}
private enum StorageModule {
  struct Setup: Assembly {
    func assemble(container: Container) throws { try container.register(value: "disk") }
  }
}
private enum MailModule {
  struct Setup: Assembly {
    func assemble(container: Container) throws { try container.register(value: Character("@")) }
  }
}

/// A listing names the assembly that has made a registration.
final class AssembliesOfRegistrationsTests: AsyncTestCase {
  private func assemblies(in other: Container? = nil) -> [String] {
    (other ?? container).registrations.map { "\($0.key) \($0.assembly ?? "-")" }
  }

  private func apply(_ assemblies: any Assembly..., to other: Container? = nil) throws {
    try Assembler(container: other ?? container).apply(assemblies: assemblies)
  }

  func testARegistrationNamesItsAssembly() throws {
    try container.register(value: 1)
    try apply(
      Module<A> {
        try $0.register(Double.self) { _ in 1 }.as(.singleton).implements(
          (any CustomStringConvertible).self)
      },
      Module<B>(id: "eu") { try $0.contribute(to: String.self) { _ in "" } })
    try container.register(value: true)
    XCTAssertEqual(
      container.registrations.map(\.assembly),
      [nil, "Module<A>", "Module<A>", "Module<B> \"eu\"", nil])
    try container.register(Double.self) { _ in 2 }
    XCTAssertEqual(container.registrations[1].assembly, nil, "another registration by now")
  }

  func testARegistrationIsPrintedWithItsAssembly() throws {
    try apply(
      Module<A>(id: "eu") {
        try $0.register(Int.self, file: "App/Main.swift", line: 3) { _ in 1 }
      })
    XCTAssertEqual(
      container.registrations.map(\.description),
      ["Int: transient, assembled by Module<A> \"eu\", App/Main.swift:3"])
  }

  func testAnAssemblyWithinAnotherHasItsOwn() throws {
    try apply(
      Module<A> { container in
        try container.register(value: 1)
        try Assembler(container: container).apply(
          assembly: Module<B> { try $0.register(value: 2.5) })
        try container.register(value: "after")
      })
    XCTAssertEqual(assemblies(), ["Int Module<A>", "Double Module<B>", "String Module<A>"])
  }

  func testAssembliesOfOneNameAreToldApart() throws {
    try apply(StorageModule.Setup(), MailModule.Setup())
    let names = container.registrations.compactMap(\.assembly)
    XCTAssertEqual(names[0], "Setup")
    XCTAssertTrue(names[1].hasSuffix("MailModule.Setup"), names[1])
  }

  func testRegistrationsOfSeveralThreadsAtOnceNameNoWrongAssembly() throws {
    try apply(
      Module<A> { container in
        try onThreads(1) { _ in
          try Assembler(container: container).apply(
            assembly: Module<B> { try $0.register(value: 2.5) })
        }
        try container.register(value: 1)
      })
    XCTAssertEqual(assemblies(), ["Double -", "Int Module<A>"])
  }

  func testAChildAForkAndAVersionNameTheAssemblyToo() async throws {
    try apply(
      Module<A> { container in
        try container.register(value: 1)
        try container.register(Tracked.self, scope: .singleton, with: .dependsOn(keys: [])) { _ in
          Tracked(LifetimeTracker())
        }
      })
    XCTAssertEqual(assemblies(in: container.fork()), ["Int Module<A>", "Tracked Module<A>"])
    let reloadable = ReloadableContainer(container)
    _ = try reloadable.current.resolve(Tracked.self)
    try await reloadable.reload {
      try Assembler(container: $0).apply(assembly: StorageModule.Setup())
    }
    .value
    XCTAssertEqual(
      assemblies(in: reloadable.current), ["Int Module<A>", "Tracked Module<A>", "String Setup"])
    let graph = Container(parent: container).graph()
    XCTAssertEqual(graph.registrations.map(\.assembly), ["Module<A>", "Module<A>"])
  }

  func testAModuleThatIsAppliedAgainAndAgainLeavesNothing() throws {
    for number in 0..<100 {
      try apply(Module<A> { try $0.register(value: number) }, Module<B>(id: "\(number)") { _ in })
      try apply(Module<C> { try $0.register(value: true, onDuplicate: .keep) })
    }
    XCTAssertEqual(assemblies(), ["Int Module<A>", "Bool Module<C>"])
    let known = container.registry.extras.assemblyRuns.load()?.value ?? []
    XCTAssertLessThanOrEqual(known.count, 16)
  }
}
