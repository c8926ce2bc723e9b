// SPDX-License-Identifier: MIT

import Corinth
import TestSupport
import XCTest

private final class Owner {
  @InjectedWeakly var tracked: Tracked?
  @InjectedWeakly var engine: (any Engine)?
  @InjectedWeakly var number: Int?

  init(_ container: Container) {
    _tracked = InjectedWeakly(from: .container(container))
    _engine = InjectedWeakly(from: .container(container))
    _number = InjectedWeakly(from: .container(container))
  }

  func resolveNumber() throws -> Int? { try $number() }
}

private final class Member: Containerized, @unchecked Sendable {
  unowned let container: Container
  @InjectedWeakly var tracked: Tracked?
  @Injected var number: Int

  init(_ container: Container) {
    self.container = container
  }

  func resolveNumber() throws -> Int { try $number() }
}

final class InjectedWeaklyTests: ContainerTestCase {
  func testItIsNilWhenNothingIsRegistered() throws {
    let owner = Owner(container)
    XCTAssertNil(owner.tracked)
    try container.register((any Engine).self) { _ in Motor() }
    XCTAssertNotNil(owner.engine)
  }

  func testItDoesNotKeepTheObject() throws {
    let tracker = LifetimeTracker()
    try container.register(Tracked.self) { _ in tracker.make() }
    let owner = Owner(container)
    do {
      let kept = owner.tracked
      XCTAssertIdentical(owner.tracked, kept)
      XCTAssertEqual(tracker.created, 1)
    }
    settleReclamation()
    XCTAssertEqual(tracker.alive, 0)
    XCTAssertEqual(owner.tracked?.serial, 2)
  }

  func testAValueCannotBeHeldWeakly() throws {
    try container.register(Int.self) { _ in 1 }
    XCTAssertThrowsError(try Owner(container).resolveNumber()) { error in
      XCTAssertEqual((error as? ResolutionError)?.context.property, "Owner.number")
    }
  }

  /// Its singleton has the property, and the property must not have the container.
  func testAUsedPropertyDoesNotKeepTheContainerThatItsPolicyDoesNot() throws {
    weak var used: Container?
    do {
      let container = Container()
      used = container
      try container.register(Tracked.self, scope: .singleton) { _ in LifetimeTracker().make() }
      try container.register(Member.self, scope: .singleton) { [unowned container] _ in
        Member(container)
      }
      let member = try container.resolve(Member.self)
      XCTAssertNotNil(member.tracked)
      XCTAssertThrowsError(try member.resolveNumber())
    }
    settleReclamation()
    XCTAssertNil(used)
  }
}
