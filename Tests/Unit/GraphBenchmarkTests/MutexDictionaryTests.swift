// SPDX-License-Identifier: MIT

import Baselines
import XCTest

/// The dictionary that benchmarks compare Corinth with does what it is compared for.
final class MutexDictionaryTests: XCTestCase {
  private final class Service: Sendable {}

  private final class Session: Sendable {
    let number: Int
    let service: Service

    init(_ number: Int, _ service: Service) {
      self.number = number
      self.service = service
    }
  }

  func testASingletonIsOneAndATransientIsNew() throws {
    let container = MutexDictionary()
    container.register(singleton: Service.self) { _ in Service() }
    XCTAssertIdentical(
      try container.resolve(Service.self), try container.resolve(Service.self))
    container.register(Service.self) { _ in Service() }
    XCTAssertNotIdentical(
      try container.resolve(Service.self), try container.resolve(Service.self))
    XCTAssertNil(try container.resolveIfRegistered(Session.self))
    XCTAssertThrowsError(try container.resolve(Session.self))
  }

  func testAScopeKeepsItsInstancesAndAsksItsParentForOthers() throws {
    let container = MutexDictionary()
    container.register(singleton: Service.self) { _ in Service() }
    container.register(scoped: Session.self) {
      Session(try $0.value(Int.self), try $0.resolve(Service.self))
    }
    let scopes = (0..<2).map { _ in MutexDictionary(parent: container, capacity: 2) }
    for (number, scope) in scopes.enumerated() { scope.provide(number) }
    let sessions = try scopes.map { try $0.resolve(Session.self) }
    XCTAssertEqual(sessions.map(\.number), [0, 1])
    XCTAssertIdentical(sessions[0], try scopes[0].resolve(Session.self))
    XCTAssertIdentical(sessions[0].service, sessions[1].service)
    let kept = try scopes[0].resolve(Session.self) {
      XCTFail("The scope has an instance.")
      return sessions[1]
    }
    XCTAssertIdentical(kept, sessions[0])
  }

  func testAChildsRegistrationIsTheChilds() throws {
    let container = MutexDictionary()
    let (ofParent, ofChild) = (Service(), Service())
    container.register(singleton: Service.self) { _ in ofParent }
    let child = MutexDictionary(parent: container)
    child.register(singleton: Service.self) { _ in ofChild }
    XCTAssertIdentical(try child.resolve(Service.self), ofChild)
    XCTAssertIdentical(try container.resolve(Service.self), ofParent)
  }

  /// The instance of the former registration is the resolve's, and is not kept.
  func testASingletonThatIsReplacedMeanwhileIsNotKept() throws {
    let container = MutexDictionary()
    let (former, later) = (Service(), Service())
    container.register(singleton: Service.self) { container in
      container.register(singleton: Service.self) { _ in later }
      return former
    }
    XCTAssertIdentical(try container.resolve(Service.self), former)
    XCTAssertIdentical(try container.resolve(Service.self), later)
  }

  func testAnAsynchronousFactoryIsAwaited() async throws {
    let container = MutexDictionary()
    container.register(async: Service.self) { _ in
      await Task.yield()
      return Service()
    }
    let scope = MutexDictionary(parent: container)
    let first = try await scope.resolveAsync(Service.self)
    let second = try await scope.resolveAsync(Service.self)
    XCTAssertNotIdentical(first, second)
    XCTAssertThrowsError(try scope.resolve(Service.self))
  }
}
