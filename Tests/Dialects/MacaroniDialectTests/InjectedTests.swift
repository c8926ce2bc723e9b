// SPDX-License-Identifier: MIT

import MacaroniDialect
import TestSupport
import XCTest

/// Injected properties and parameters.
final class InjectedTests: MacaroniTestCase {
  private func sharedContainer() -> Container {
    let container = Container()
    Container.lookupPolicy = .singleton(container)
    return container
  }

  func testALazyValueIsResolvedAtTheFirstAccessAndKept() {
    let container = sharedContainer()
    let calls = Counter()
    container.register { calls.next() }

    class Owner {
      @Injected var value: Int
    }
    let owner = Owner()
    XCTAssertEqual(calls.value, 0)
    XCTAssertEqual(owner.value, 1)
    XCTAssertEqual(owner.value, 1)
    XCTAssertEqual(Owner().value, 2)
  }

  func testAnEagerValueIsResolvedWhenThePropertyIsMade() {
    let container = sharedContainer()
    let calls = Counter()
    container.register { calls.next() }

    class Owner {
      @Injected(.resolvingOnInit()) var value: Int
    }
    let owner = Owner()
    XCTAssertEqual(calls.value, 1)
    XCTAssertEqual(owner.value, 1)
    XCTAssertEqual(calls.value, 1)
  }

  func testWhatIsAssignedIsIgnored() {
    let container = sharedContainer()
    container.register { 1 }

    class Owner {
      @Injected var lazy: Int
      @Injected(.resolvingOnInit()) var eager: Int
    }
    let owner = Owner()
    owner.lazy = 5
    owner.eager = 5
    XCTAssertEqual(owner.lazy, 1)
    owner.lazy = 5
    XCTAssertEqual(owner.lazy, 1)
    XCTAssertEqual(owner.eager, 1)
  }

  func testAPropertyWithAValueHoldsThat() {
    class Owner {
      @Injected var value: Int = 3
    }
    XCTAssertEqual(Owner().value, 3)
  }

  func testAClosureThatTakesTheObjectComesFirst() throws {
    let container = sharedContainer()
    container.register { 1 }
    container.register { (_: Any) -> Int in 2 }

    class Owner {
      @Injected var value: Int
      @Injected(.lazily) var late: Int
      @Injected(.resolvingOnInit()) var eager: Int
      @Injected var optional: Int?
    }
    let owner = Owner()
    XCTAssertEqual(owner.value, 2)
    XCTAssertEqual(owner.late, 2)
    XCTAssertEqual(owner.eager, 1)
    XCTAssertEqual(owner.optional, 2)
    XCTAssertEqual(try container.resolve() as Int, 1)
  }

  func testAClosureGetsTheVeryObject() {
    let container = sharedContainer()

    class Owner {
      @Injected(alternative: "self") var itself: Owner?
    }
    container.register(alternative: "self") { enclosing -> Owner? in enclosing as? Owner }
    let owner = Owner()
    XCTAssertTrue(owner.itself === owner)
  }

  func testACapturedPolicyOutlivesTheSetting() {
    class Owner {
      @Injected var value: Int
    }
    var container: Container? = sharedContainer()
    container?.register { 1 }
    let owner = Owner()
    container = nil
    Container.lookupPolicy = nil
    XCTAssertEqual(owner.value, 1)
  }

  func testACapturedContainerIsKept() {
    class Owner {
      @Injected(.lazily) var value: Int
      init(_ container: Container) { _value = Injected(.capturingContainerOnInit(container)) }
    }
    var container: Container? = Container()
    container?.register { 1 }
    let owner = container.map { Owner($0) }
    container = nil
    XCTAssertEqual(owner?.value, 1)
  }

  func testAPropertyLetsGoOfItsPolicyOnceItHasItsValue() {
    class Owner {
      @Injected var value: Int
    }
    weak var policy: SingletonContainer?
    let owner: Owner
    do {
      let made = SingletonContainer(Container())
      policy = made
      Container.lookupPolicy = made
      owner = Owner()
      made.container(for: owner, file: #fileID, function: #function, line: 1)?.register { 1 }
      Container.lookupPolicy = nil
    }
    settleReclamation()
    XCTAssertNotNil(policy)
    XCTAssertEqual(owner.value, 1)
    settleReclamation()
    XCTAssertNil(policy)
  }

  func testALateLookupAsksTheSettingOfTheFirstAccess() {
    class Owner {
      @Injected(.lazily) var late: Int
    }
    let owner = Owner()
    sharedContainer().register { 2 }
    XCTAssertEqual(owner.late, 2)
    sharedContainer().register { 3 }
    XCTAssertEqual(owner.late, 2)
  }

  func testACapturedLookupAsksTheSettingOfTheInitializer() {
    class Owner {
      @Injected var value: Int
    }
    sharedContainer().register { 1 }
    let owner = Owner()
    sharedContainer().register { 2 }
    XCTAssertEqual(owner.value, 1)
  }

  func testAnEagerValueIsInjectedIntoAStruct() {
    sharedContainer().register(alternative: .another) { 4 }
    struct Owner {
      @Injected(.resolvingOnInit(), alternative: .another) var value: Int
    }
    var owner = Owner()
    owner.value = 5
    XCTAssertEqual(owner.value, 4)
  }

  func testAPropertyIsPassedOnAsAParameter() {
    let container = sharedContainer()
    let calls = Counter()
    container.register { calls.next() }

    class Owner {
      @Injected var value: Int
      func passed(to function: (Injected<Int>.ResolveFrom) -> Int) -> Int { function($value) }
    }
    func show(@Injected value: Int) -> Int { value }
    let owner = Owner()
    XCTAssertEqual(owner.passed { show($value: $0) }, 1)
    XCTAssertEqual(owner.value, 1)
    XCTAssertEqual(owner.passed { show($value: $0) }, 1)
    XCTAssertEqual(calls.value, 1)
  }

  func testAParameterIsResolvedFromWhatItsCallerNames() {
    let container = sharedContainer()
    let other = Container()
    container.register { "plain" }
    container.register { enclosing -> String in "for \(type(of: enclosing))" }
    container.register(alternative: "a") { "alternative" }
    other.register { "other" }
    func show(@Injected value: String) -> String { value }
    XCTAssertEqual(show($value: .object(self)), "for InjectedTests")
    XCTAssertEqual(show($value: .object(self, alternative: "a")), "alternative")
    XCTAssertEqual(show($value: .container(other)), "other")
    XCTAssertEqual(show($value: .container(container)), "plain")
    XCTAssertEqual(show($value: .container(container, alternative: "a")), "alternative")
    XCTAssertEqual(show($value: .alreadyResolved("value")), "value")
    XCTAssertEqual(show(value: "given"), "given")
  }

  func testAParameterOfOptionalTypeTakesAValueOfTheType() {
    func show(@Injected value: Int?) -> Int? { value }
    XCTAssertEqual(show($value: .alreadyResolved(1)), 1)
    XCTAssertNil(show($value: .alreadyResolved(Int?.none as Any)))
  }

  func testAnInjectedIsMadeOfAResolver() {
    let container = Container()
    container.register { 1 }
    XCTAssertEqual(Injected<Int>(resolver: container.resolved()).wrappedValue, 1)
    XCTAssertEqual(Injected<Int>(projectedValue: .container(container)).wrappedValue, 1)
  }

  func testAFailedAccessLeavesNothingBehind() {
    let container = sharedContainer()
    class Owner {
      @Injected var value: Int
    }
    let owner = Owner()
    XCTAssertNotNil(lastMessage { _ = owner.value })
    container.register { 1 }
    XCTAssertEqual(owner.value, 1)
  }

  func testSubclassesInheritInjectedProperties() {
    let container = sharedContainer()
    container.register { 1 }
    container.register { enclosing -> String in "\(type(of: enclosing))" }
    class Base {
      @Injected var number: Int
      @Injected var name: String
    }
    class Derived: Base {
      @Injected(alternative: "own") var own: Int
    }
    container.register(alternative: "own") { 2 }
    let object = Derived()
    XCTAssertEqual(object.number, 1)
    XCTAssertEqual(object.own, 2)
    XCTAssertEqual(object.name, "Derived")
  }
}
