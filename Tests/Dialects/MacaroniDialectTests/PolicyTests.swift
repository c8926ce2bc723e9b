// SPDX-License-Identifier: MIT

import MacaroniDialect
import TestSupport
import XCTest

/// Policies find the container of a property.
final class PolicyTests: MacaroniTestCase {
  private class Owner {
    @Injected var value: String
  }

  private class ContainerableOwner: Containerable {
    let container: Container!
    @Injected var value: String

    init(_ container: Container?) { self.container = container }
  }

  private final class OtherOwner: Owner {}

  private func container(with text: String) -> Container {
    let container = Container()
    container.register { text }
    return container
  }

  func testThereIsNoPolicyAtFirst() {
    XCTAssertNil(Container.lookupPolicy)
  }

  func testAPolicyIsSetInTwoWays() {
    let policy = SingletonContainer(container(with: "one"))
    Macaroni.set(lookupPolicy: policy)
    XCTAssertTrue(Container.lookupPolicy === policy)
    Container.lookupPolicy = .singleton(container(with: "two"))
    XCTAssertEqual(Owner().value, "two")
    Container.lookupPolicy = nil
    XCTAssertNil(Container.lookupPolicy)
  }

  func testAnObjectsOwnContainerIsUsed() {
    Container.lookupPolicy = .enclosingType()
    XCTAssertEqual(ContainerableOwner(container(with: "own")).value, "own")
  }

  func testTheDefaultContainerIsUsedForOtherObjects() {
    Container.lookupPolicy = .enclosingType(default: container(with: "default"))
    XCTAssertEqual(ContainerableOwner(container(with: "own")).value, "own")
    XCTAssertEqual(Owner().value, "default")
    XCTAssertEqual(ContainerableOwner(nil).value, "default")
  }

  func testAPolicyOfTheUserChoosesByTheObject() {
    class Chooser: ContainerLookupPolicy {
      let first: Container
      let second: Container

      init(_ first: Container, _ second: Container) {
        self.first = first
        self.second = second
      }

      func container<EnclosingType>(
        for instance: EnclosingType, file: StaticString, function: String, line: UInt
      ) -> Container? {
        instance is OtherOwner ? second : first
      }
    }
    Container.lookupPolicy = Chooser(container(with: "first"), container(with: "second"))
    XCTAssertEqual(Owner().value, "first")
    XCTAssertEqual(OtherOwner().value, "second")
  }

  func testAPolicyGetsTheStaticPlaceOfTheProperty() {
    class Recorder: ContainerLookupPolicy {
      let found: Container
      var file = ""

      init(_ found: Container) { self.found = found }

      func container<EnclosingType>(
        for instance: EnclosingType, file: StaticString, function: String, line: UInt
      ) -> Container? {
        self.file = "\(file)"
        return found
      }
    }
    let policy = Recorder(container(with: "value"))
    Container.lookupPolicy = policy
    XCTAssertEqual(Owner().value, "value")
    XCTAssertTrue(policy.file.hasSuffix("PolicyTests.swift"))
  }

  func testAPolicyIsAskedWithoutAnObjectForAnEagerProperty() {
    class Recorder: ContainerLookupPolicy {
      let found: Container
      var isAskedWithoutObject = false

      init(_ found: Container) { self.found = found }

      func container<EnclosingType>(
        for instance: EnclosingType, file: StaticString, function: String, line: UInt
      ) -> Container? {
        isAskedWithoutObject = instance is Void
        return found
      }
    }
    struct Eager {
      @Injected(.resolvingOnInit()) var value: String
    }
    let policy = Recorder(container(with: "value"))
    Container.lookupPolicy = policy
    XCTAssertEqual(Eager().value, "value")
    XCTAssertTrue(policy.isAskedWithoutObject)
  }

  func testAReplacedPolicyIsReleased() {
    weak var former: SingletonContainer?
    do {
      let policy = SingletonContainer(Container())
      former = policy
      Container.lookupPolicy = policy
    }
    Container.lookupPolicy = .singleton(Container())
    settleReclamation()
    XCTAssertNil(former)
  }
}
