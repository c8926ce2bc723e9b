// SPDX-License-Identifier: MIT

import Corinth
import TestSupport
import XCTest

private protocol Check: Sendable {
  var name: String { get }
}

private struct Disk: Check {
  let name: String
}

private final class Probe: Check {
  let name: String
  init(_ name: String) { self.name = name }
}

final class CollectionTests: AsyncTestCase {
  private func names(_ container: Container) throws -> [String] {
    try container.resolveAll((any Check).self).map(\.name)
  }

  private func register(
    _ name: Name?, _ value: String, in container: Container, line: UInt = #line
  ) throws {
    try container.register((any Check).self, name: name, line: line) { _ in Disk(name: value) }
  }

  // MARK: - Registrations

  func testAllRegistrationsComeInTheirOrder() throws {
    try register("b", "1", in: container)
    try register(nil, "2", in: container)
    try register("a", "3", in: container)
    XCTAssertEqual(try names(container), ["1", "2", "3"])
  }

  func testNothingRegisteredIsAnEmptyCollection() throws {
    XCTAssertEqual(try names(container), [])
    try register(nil, "1", in: container)
    container.unregister((any Check).self)
    XCTAssertEqual(try names(container), [])
  }

  func testFactoriesWithArgumentsAreNotAmongThem() throws {
    try container.register((any Check).self) { (_, name: String) in Disk(name: name) }
    try register(nil, "1", in: container)
    XCTAssertEqual(try names(container), ["1"])
  }

  func testAnOverrideTakesThePlaceOfWhatItOverrides() throws {
    try register("a", "1", in: container)
    try register("b", "2", in: container)
    XCTAssertEqual(try names(container), ["1", "2"])
    try register("a", "3", in: container)
    XCTAssertEqual(try names(container), ["3", "2"])
    container.unregister((any Check).self, name: "a")
    try register("a", "4", in: container)
    XCTAssertEqual(try names(container), ["2", "4"], "not after it was removed")
  }

  func testChangesAreSeenByTheNextCall() throws {
    try register("a", "1", in: container)
    XCTAssertEqual(try names(container), ["1"])
    try register("b", "2", in: container)
    XCTAssertEqual(try names(container), ["1", "2"])
    container.unregister((any Check).self, name: "a")
    XCTAssertEqual(try names(container), ["2"])
    try register("a", "3", in: container)
    XCTAssertEqual(try names(container), ["2", "3"])
    container.removeAll()
    XCTAssertEqual(try names(container), [])
  }

  func testKeysThatCollideAreToldApart() throws {
    let container = Container(fingerprintBits: 1)
    for index in 0..<20 {
      try register(Name(index), "\(index)", in: container)
      try container.register(Int.self, name: Name(index)) { _ in index }
    }
    XCTAssertEqual(try names(container), (0..<20).map { "\($0)" })
    XCTAssertEqual(try container.resolveAll(Int.self), Array(0..<20))
  }

  func testEachElementHasItsOwnScope() throws {
    try container.register(Probe.self) { _ in Probe("transient") }
    try container.register(Probe.self, name: "s", scope: .singleton) { _ in Probe("singleton") }
    let (first, second) = (
      try container.resolveAll(Probe.self), try container.resolveAll(Probe.self)
    )
    XCTAssertFalse(first[0] === second[0])
    XCTAssertTrue(first[1] === second[1])
  }

  func testGraphInstancesAreSharedWithinOneCall() throws {
    final class Holder: Sendable {
      let shared: Probe
      init(shared: Probe) { self.shared = shared }
    }
    try container.register(Probe.self) { _ in Probe("graph") }.as(.graph)
    try container.wire(Holder.self, name: "a", using: Holder.init)
    try container.wire(Holder.self, name: "b", using: Holder.init)
    let (first, second) = (
      try container.resolveAll(Holder.self), try container.resolveAll(Holder.self)
    )
    XCTAssertTrue(first[0].shared === first[1].shared)
    XCTAssertFalse(first[0].shared === second[0].shared)
  }

  func testAForwardIsAnElement() throws {
    try container.register(Probe.self) { _ in Probe("target") }.as(.singleton)
      .implements((any Check).self)
    XCTAssertEqual(try names(container), ["target"])
  }

  func testAFailingElementFailsTheCallWithItsPath() throws {
    try register(nil, "1", in: container)
    try container.register((any Check).self, name: "bad") { resolver in
      Disk(name: try resolver.resolve())
    }
    XCTAssertThrowsError(try names(container)) { error in
      XCTAssertTrue(error.is(.noRegistrationFound))
      let path = (error as? ResolutionError)?.path.map(\.description)
      XCTAssertEqual(path, ["any Check named \"bad\"", "String"])
    }
  }

  func testAClosedContainerIsAnError() throws {
    try register(nil, "1", in: container)
    let scope = container.makeScope()
    try scope.syncClose()
    XCTAssertThrowsError(try names(scope)) { XCTAssertTrue($0.is(.containerClosed)) }
  }

  func testACycleThroughACollectionIsFound() throws {
    try container.register((any Check).self) { resolver in
      Disk(name: "\(try resolver.resolveAll((any Check).self).count)")
    }
    XCTAssertThrowsError(try names(container)) {
      XCTAssertTrue($0.is(.circularDependencyDetected))
    }
  }

  // MARK: - Parents

  func testAChildsRegistrationsComeBesideThoseOfItsParents() throws {
    let child = Container(parent: Container(parent: container))
    try register("a", "1", in: container)
    try register("c", "2", in: child)
    try register("b", "3", in: container)
    XCTAssertEqual(try names(child), ["1", "2", "3"])
    XCTAssertEqual(try names(container), ["1", "3"])
  }

  func testAChildsRegistrationHidesItsParentsOfTheSameKey() throws {
    let child = Container(parent: container)
    try register("a", "1", in: container)
    try register(nil, "2", in: container)
    try register("a", "3", in: child)
    XCTAssertEqual(try names(child), ["3", "2"])
    child.unregister((any Check).self, name: "a")
    XCTAssertEqual(try names(child), ["1", "2"])
  }

  func testARequestScopeSeesItsContainersRegistrations() throws {
    try register("a", "1", in: container)
    let scope = container.makeScope()
    XCTAssertEqual(try names(scope), ["1"])
    try scope.syncClose()
  }

  // MARK: - Contributions

  func testContributionsOfSeveralModulesAreOneCollection() throws {
    try container.contribute(to: (any Check).self) { _ in Disk(name: "1") }
    try container.contribute(to: (any Check).self, scope: .singleton) { _ in Disk(name: "2") }
    try register("named", "3", in: container)
    XCTAssertEqual(try names(container), ["1", "2", "3"])
    XCTAssertEqual(try container.resolve([any Check].self).map(\.name), ["1", "2", "3"])
  }

  func testAContributionIsNotFoundByItsType() throws {
    try container.contribute(to: (any Check).self, file: "App/Disk.swift", line: 10) { _ in
      Disk(name: "1")
    }
    XCTAssertFalse(container.contains((any Check).self))
    XCTAssertThrowsError(try container.resolve((any Check).self)) { error in
      XCTAssertTrue(error.is(.noRegistrationFound))
      assertGolden("missing-contributed", "\(error)")
    }
  }

  func testAContributionsErrorNamesIt() throws {
    try container.contribute(to: (any Check).self, file: "App/Disk.swift", line: 10) { _ in
      throw FixtureError("disk")
    }
    XCTAssertThrowsError(try names(container)) {
      assertGolden("contribution-failed", "\($0)")
    }
  }

  func testAContributionWithANameTakesThePlaceOfAnEarlierOne() throws {
    let child = Container(parent: container)
    try container.contribute(to: (any Check).self, name: "disk") { _ in Disk(name: "1") }
    try container.contribute(to: (any Check).self, name: "disk") { _ in Disk(name: "2") }
    try container.contribute(to: (any Check).self, name: "net") { _ in Disk(name: "3") }
    XCTAssertEqual(try names(container), ["2", "3"])
    try child.contribute(to: (any Check).self, name: "disk") { _ in Disk(name: "4") }
    XCTAssertEqual(try names(child), ["4", "3"])
    XCTAssertThrowsError(try container.resolve((any Check).self, name: "disk"))
  }

  func testAContributionIsModifiedAndRemovedByItsRegistration() throws {
    let first = try container.contribute(to: Probe.self) { _ in Probe("1") }
    try container.contribute(to: Probe.self) { _ in Probe("2") }
    first.as(.singleton)
    let all = try container.resolveAll(Probe.self)
    XCTAssertTrue(all[0] === (try container.resolveAll(Probe.self))[0])
    XCTAssertTrue(container.unregister(first))
    XCTAssertFalse(container.unregister(first))
    XCTAssertEqual(try container.resolveAll(Probe.self).map(\.name), ["2"])
  }

  func testUnregisteringARegistrationLeavesALaterOneAlone() throws {
    let first = try container.register(Int.self) { _ in 1 }
    try container.register(Int.self) { _ in 2 }
    XCTAssertFalse(container.unregister(first))
    XCTAssertEqual(try container.resolve(Int.self), 2)
  }

  func testProvidersOfAllContributionsAreResolved() throws {
    try container.contribute(to: (any Check).self) { _ in Disk(name: "1") }
    try container.contribute(to: (any Check).self) { _ in Disk(name: "2") }
    let providers = try container.resolve([Provider<any Check>].self)
    XCTAssertEqual(try providers.map { try $0().name }, ["1", "2"])
  }

  // MARK: - Asynchronously

  func testAsynchronousElementsAreResolvedInOrder() async throws {
    try register("a", "1", in: container)
    try container.contributeAsync(to: (any Check).self) { _ in
      await Task.yield()
      return Disk(name: "2")
    }
    try register("c", "3", in: container)
    let names = try await container.resolveAllAsync((any Check).self).map(\.name)
    let array = try await container.resolveAsync([any Check].self).map(\.name)
    XCTAssertEqual(names, ["1", "2", "3"])
    XCTAssertEqual(array, ["1", "2", "3"])
    XCTAssertThrowsError(try self.names(container)) {
      XCTAssertTrue($0.is(.asyncResolutionRequired))
    }
  }

  func testGraphInstancesAreSharedWithinOneAsynchronousCall() async throws {
    final class Holder: Sendable {
      let shared: Probe
      init(shared: Probe) { self.shared = shared }
    }
    try container.register(Probe.self) { _ in Probe("graph") }.as(.graph)
    try container.wireAsync(Holder.self, name: "a", using: Holder.init)
    try container.wireAsync(Holder.self, name: "b", using: Holder.init)
    let first = try await container.resolveAllAsync(Holder.self)
    let second = try await container.resolveAllAsync(Holder.self)
    XCTAssertTrue(first[0].shared === first[1].shared)
    XCTAssertFalse(first[0].shared === second[0].shared)
  }

  func testAnArrayIsNotContributedInPlaceOfItsElements() throws {
    for contribute: () throws -> Void in [
      {
        try self.container.contribute(to: [Int].self, file: "App/Numbers.swift", line: 3) { _ in
          [1]
        }
      },
      {
        try self.container.contribute(
          to: [Int].self, name: "more", value: [1], file: "App/Numbers.swift", line: 3)
      },
    ] {
      XCTAssertThrowsError(try contribute()) { error in
        XCTAssertTrue(error.is(RegistrationError.arrayContributed), "\(error)")
        if "\(error)".contains("(App") { assertGolden("array-contributed", "\(error)") }
      }
    }
    try container.register([Int].self, name: "a") { _ in [1] }
    XCTAssertEqual(try container.resolveAll([Int].self), [[1]])
  }
}
