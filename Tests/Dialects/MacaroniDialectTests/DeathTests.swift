// SPDX-License-Identifier: MIT

import MacaroniDialect
import TestSupport
import XCTest

/// A logger's `die` ends what cannot be injected. Here it parks the thread for ever, and the rest
/// goes on.
final class DeathTests: MacaroniTestCase {
  private class Owner {
    @Injected(.lazily) var value: Int
  }

  private func sharedContainer() -> Container {
    let container = Container()
    Container.lookupPolicy = .singleton(container)
    return container
  }

  func testAMissingValueDies() {
    _ = sharedContainer()
    XCTAssertEqual(lastMessage { _ = Owner().value }, "Int is not registered, for Owner")
  }

  func testANilValueOfATypeThatIsNotOptionalDies() {
    sharedContainer().register { () -> Int? in nil }
    XCTAssertEqual(lastMessage { _ = Owner().value }, "Int is not registered, for Owner")
  }

  func testAMissingEagerValueDies() {
    sharedContainer().register { (_: Any) -> Int in 1 }
    struct Eager {
      @Injected(.resolvingOnInit()) var value: Int
    }
    XCTAssertEqual(lastMessage { _ = Eager() }, "Int is not registered")
  }

  func testAMissingOptionalDies() {
    _ = sharedContainer()
    class Owner {
      @Injected var value: Int?
    }
    XCTAssertEqual(lastMessage { _ = Owner().value }, "Optional<Int> is not registered, for Owner")
  }

  func testNoPolicyAtTheInitializerDiesInClassesAndStructs() {
    class Object {
      @Injected var value: Int
    }
    struct Value {
      @Injected(.resolvingOnInit()) var value: Int
    }
    XCTAssertEqual(lastMessage { _ = Object() }, "Container.lookupPolicy is not set")
    XCTAssertEqual(lastMessage { _ = Value() }, "Container.lookupPolicy is not set")
  }

  func testNoPolicyAtTheFirstAccessDies() {
    func show(@Injected value: Int) {}
    XCTAssertEqual(lastMessage { _ = Owner().value }, "Container.lookupPolicy is not set")
    XCTAssertEqual(lastMessage { show($value: .object(1)) }, "Container.lookupPolicy is not set")
  }

  func testAMissingAlternativeDiesWithItsText() {
    let container = sharedContainer()
    container.register { 1 }
    class Owner {
      @Injected(alternative: .another) var value: Int
      @InjectedWeakly(alternative: .another) var service: MyService?
    }
    struct Eager {
      @Injected(.resolvingOnInit(), alternative: .another) var value: Int
    }
    func show(@Injected value: Int) {}
    let message = "Int is not registered under the alternative \"another\""
    XCTAssertEqual(lastMessage { _ = Owner().value }, message + ", for Owner")
    XCTAssertEqual(lastMessage { _ = Eager() }, message)
    XCTAssertEqual(
      lastMessage { show($value: container.resolved(alternative: .another)) }, message)
    XCTAssertTrue(
      lastMessage { _ = Owner().service }?.hasSuffix("alternative \"another\", for Owner") ?? false)
  }

  func testAnOwnerWithoutAContainerDies() {
    Container.lookupPolicy = .enclosingType()
    XCTAssertEqual(lastMessage { _ = Owner().value }, "There is no container for Owner")
  }

  func testALazyPropertyOfAStructDies() {
    sharedContainer().register { 1 }
    struct Value {
      @Injected var value: Int
    }
    XCTAssertTrue(
      lastMessage { _ = Value().value }?.hasPrefix("Injected value is nil") ?? false)
  }

  func testAWeakPropertyOfAStructDies() {
    let service = MyServiceImplementation()
    sharedContainer().register { () -> MyService in service }
    struct Value {
      @InjectedWeakly var service: MyService?
    }
    XCTAssertTrue(
      lastMessage { _ = Value().service }?.hasPrefix("Injected value is nil") ?? false)
  }

  func testAMissingWeakPropertyDies() {
    _ = sharedContainer()
    class Owner {
      @InjectedWeakly var service: MyService?
    }
    XCTAssertNotNil(lastMessage { _ = Owner().service })
  }

  func testAParameterOfAnotherTypeDies() {
    func show(@Injected value: Int) {}
    XCTAssertEqual(
      lastMessage { show($value: .alreadyResolved("text")) },
      "Int cannot be injected: the value is of type String")
  }

  func testAParameterWithoutARegistrationDies() {
    func show(@Injected value: Int) {}
    let container = Container()
    XCTAssertEqual(lastMessage { show($value: .container(container)) }, "Int is not registered")
    Container.lookupPolicy = .enclosingType()
    XCTAssertEqual(
      lastMessage { show($value: .object(1)) }, "There is no container for Int")
  }

  func testAPropertyThatItsOwnClosureUsesDies() {
    let container = sharedContainer()
    let owner = Owner()
    container.register { enclosing -> Int in (enclosing as? Owner)?.value ?? 0 }
    XCTAssertNotNil(lastMessage { _ = owner.value })
  }

  func testTheContainerIsUsableAfterADeathInAClosure() {
    let container = sharedContainer()
    let tracker = LifetimeTracker()
    container.register { () -> String in "\(Owner().value)" }
    XCTAssertEqual(
      lastMessage { _ = try? container.resolve() as String }, "Int is not registered, for Owner")
    container.register { tracker.make() }
    container.register { 1 }
    XCTAssertEqual(try container.resolve() as String, "1")
    XCTAssertEqual(Owner().value, 1)
    container.cleanup()
  }

  func testADeathInAClosureDoesNotKeepWhatIsReplacedLater() {
    let container = sharedContainer()
    container.register { () -> String in "\(Owner().value)" }
    container.register { () -> Double in
      ((try? container.resolve() as String) ?? "").isEmpty ? 1 : 2
    }
    XCTAssertNotNil(lastMessage { _ = try? container.resolve() as Double })
    weak var captured: MyServiceImplementation?
    do {
      let service = MyServiceImplementation()
      captured = service
      container.register { service }
    }
    container.cleanup()
    settleReclamation()
    XCTAssertNil(captured)
  }
}
