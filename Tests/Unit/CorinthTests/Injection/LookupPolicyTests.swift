// SPDX-License-Identifier: MIT

import Corinth
import TestSupport
import XCTest

private final class Plain {
  @Injected var captured: Int
  @Injected(.lazy) var late: Int
  @Injected(.everyAccess) var each: Int

  func resolve() throws -> [Int] { [try $captured(), try $late(), try $each()] }
}

private final class Owner: Containerized {
  let container: Container
  @Injected var number: Int

  init(_ container: Container) {
    self.container = container
  }
}

final class LookupPolicyTests: ContainerTestCase {
  override func tearDown() {
    Container.lookupPolicy = .enclosing(else: .current)
    super.tearDown()
  }

  private func numbered(_ number: Int) throws -> Container {
    let container = Container()
    try container.register(Int.self) { _ in number }
    return container
  }

  func testTheModesDifferInWhenTheyLookTheContainerUp() throws {
    Container.lookupPolicy = .container(try numbered(1))
    let plain = Plain()
    Container.lookupPolicy = .container(try numbered(2))
    XCTAssertEqual(try plain.resolve(), [1, 2, 2])
    Container.lookupPolicy = .container(try numbered(3))
    XCTAssertEqual(try plain.resolve(), [1, 2, 3])
  }

  func testTheCurrentContainerIsCapturedToo() throws {
    let (first, second) = (try numbered(1), try numbered(2))
    let plain = first.withCurrent { Plain() }
    try second.withCurrent { XCTAssertEqual(try plain.resolve(), [1, 2, 2]) }
    XCTAssertThrowsError(try plain.resolve())
  }

  /// A global, or an object that a framework makes, may come first: it kept the policy of that
  /// moment, and the hint of the error was to set what had been set.
  func testAPropertyMadeBeforeThePolicyIsSetAsksItAtItsFirstAccess() throws {
    let first = try numbered(1)
    let (early, captured) = (Plain(), first.withCurrent { Plain() })
    let owned = Owner(first)
    XCTAssertThrowsError(try early.resolve())
    Container.lookupPolicy = .current(else: .container(try numbered(2)))
    XCTAssertEqual(try early.resolve(), [2, 2, 2])
    XCTAssertEqual(try captured.resolve(), [1, 2, 2])
    let late = Owner(first)
    XCTAssertEqual([owned.number, late.number], [2, 2])
  }

  /// The singleton had the scope of the first request, or the fork of a test, which was closed when
  /// it was used next.
  func testASingletonBuiltInAScopeOrAForkHasTheContainerThatKeepsIt() throws {
    let container = try numbered(1)
    try container.register(Plain.self) { _ in Plain() }.as(.unchecked(.singleton))
    try container.register(Plain.self, name: "transient inside") {
      try $0.resolve(Plain.self, name: "transient")
    }.as(.unchecked(.singleton))
    try container.register(Plain.self, name: "transient") { _ in Plain() }
    try container.register(Plain.self, name: "fork") { _ in Plain() }.as(.unchecked(.singleton))
    try container.syncWithScope { scope in
      try scope.register(Int.self) { _ in 2 }
      try scope.withCurrent {
        _ = try scope.resolve(Plain.self)
        _ = try scope.resolve(Plain.self, name: "transient inside")
        XCTAssertEqual(try scope.resolve(Plain.self, name: "transient").captured, 2)
      }
    }
    try container.syncWithOverrides {
      try $0.register(Int.self, onDuplicate: .require) { _ in 3 }
    } run: { fork in
      _ = try container.resolve(Plain.self, name: "fork")
      XCTAssertEqual(try fork.resolve(Plain.self, name: "fork").captured, 3)
    }
    for name in [nil, "transient inside", "fork"] as [Name?] {
      XCTAssertEqual(try container.resolve(Plain.self, name: name).captured, 1)
    }
  }

  func testAFactoryMayChooseTheCurrentContainerItself() throws {
    let container = try numbered(1)
    try container.register(Int.self, name: "of a scope") { resolver in
      try resolver.container.syncWithScope { scope in
        try scope.register(Int.self) { _ in 2 }
        let plain = scope.withCurrent { Plain() }
        return plain.captured
      }
    }.as(.singleton)
    try container.registerAsync(Int.self, name: "of a child") { resolver in
      let child = Container(parent: try resolver.container)
      try child.register(Int.self) { _ in 3 }
      let plain = child.withCurrent { Plain() }
      return plain.captured
    }.as(.singleton)
    try container.withCurrent {
      XCTAssertEqual(try container.resolve(Int.self, name: "of a scope"), 2)
    }
    let isDone = expectation(description: "resolved")
    Task {
      let number = try await container.resolveAsync(Int.self, name: "of a child")
      XCTAssertEqual(number, 3)
      isDone.fulfill()
    }
    wait(for: [isDone], timeout: hangLimit.inSeconds)
  }

  func testASingletonBuiltInAScopeDoesNotKeepItsContainer() throws {
    weak var former: Container?
    do {
      let container = try numbered(1)
      former = container
      try container.register(Plain.self) { _ in Plain() }.as(.unchecked(.singleton))
      try container.syncWithScope { scope in
        _ = try scope.withCurrent { try scope.resolve(Plain.self) }
      }
    }
    settleReclamation()
    XCTAssertNil(former)
  }

  func testTheEnclosingObjectComesBeforeTheCurrentContainer() throws {
    let (first, second) = (try numbered(1), try numbered(2))
    first.withCurrent { XCTAssertEqual(Owner(second).number, 2) }
    Container.lookupPolicy = .enclosing()
    let found = try? first.withCurrent { try Plain().resolve() }
    XCTAssertNil(found)
  }

  // `.container(application)` hid the forks of tests from injected properties.
  func testTheCurrentContainerComesBeforeTheApplication() throws {
    let application = try numbered(1)
    Container.lookupPolicy = .current(else: .container(application))
    let plain = Plain()
    let fork = try application.fork { fork in
      try fork.register(Int.self, onDuplicate: .require) { _ in 2 }
    }
    XCTAssertEqual(try fork.withCurrent { try Plain().resolve() }, [2, 2, 2])
    XCTAssertEqual(try fork.withCurrent { try plain.resolve() }, [1, 2, 2])
    XCTAssertEqual(try plain.resolve(), [1, 2, 1], "kept by the modes that keep it")
  }

  func testAPolicyOfOnesOwnSeesTheEnclosingObject() throws {
    let (first, second) = (try numbered(1), try numbered(2))
    Container.lookupPolicy = LookupPolicy { $0 is Plain ? first : second }
    XCTAssertEqual(try Plain().resolve(), [1, 1, 1])
    XCTAssertEqual(Owner(Container()).number, 2)
    struct Value {
      @Injected var number: Int
    }
    XCTAssertEqual(Value().number, 2)
  }

  func testACapturedContainerOutlivesTheReferencesOfOthers() throws {
    Container.lookupPolicy = .container(try numbered(1))
    let plain = Plain()
    Container.lookupPolicy = .current
    settleReclamation()
    XCTAssertEqual(plain.captured, 1)
  }

  func testThreadsReadThePolicyWhileAnotherSetsIt() throws {
    let containers = try (0..<2).map { try numbered($0) }
    Container.lookupPolicy = .container(containers[0])
    try onThreads(8) { index in
      for round in 0..<100 {
        if index == 0 {
          Container.lookupPolicy = .container(containers[round % 2])
        } else {
          let found = try Plain().resolve()
          XCTAssertTrue(found.allSatisfy { $0 < 2 })
        }
      }
    }
  }
}
