// SPDX-License-Identifier: MIT

import MacaroniDialect
import XCTest

/// Properties that hold their object weakly.
final class InjectedWeaklyTests: MacaroniTestCase {
  private class Owner {
    @InjectedWeakly var service: MyService?
    @InjectedWeakly(alternative: .another) var another: MyService?
  }

  private func sharedContainer() -> Container {
    let container = Container()
    Container.lookupPolicy = .singleton(container)
    return container
  }

  func testAnObjectThatIsGoneIsResolvedAgain() {
    let container = sharedContainer()
    let calls = Counter()
    container.register { () -> MyService in
      calls.next()
      return MyServiceImplementation()
    }
    let owner = Owner()
    var kept = owner.service
    XCTAssertTrue(owner.service === kept)
    XCTAssertEqual(calls.value, 1)
    kept = nil
    XCTAssertNotNil(owner.service)
    XCTAssertEqual(calls.value, 2)
  }

  /// The policy was asked at each access, and another container resolved again.
  func testAnObjectThatIsAliveStaysWhenThePolicyHasAnotherContainer() {
    class LazyOwner {
      @InjectedWeakly(.lazily) var service: MyService?
    }
    let service = MyServiceImplementation()
    sharedContainer().register { () -> MyService in service }
    let owner = LazyOwner()
    XCTAssertTrue(owner.service === service)
    sharedContainer().register { () -> MyService in MyServiceImplementation() }
    XCTAssertTrue(owner.service === service)
    Container.lookupPolicy = nil
    XCTAssertTrue(owner.service === service)
  }

  func testAnObjectThatTheContainerKeepsStays() {
    let container = sharedContainer()
    let service = MyServiceImplementation()
    let other = MyServiceImplementation()
    container.register { () -> MyService in service }
    container.register(alternative: .another) { () -> MyService in other }
    let owner = Owner()
    XCTAssertTrue(owner.service === service)
    XCTAssertTrue(owner.another === other)
  }

  func testThePropertyIsNilWhenTheClosureReturnsNil() {
    sharedContainer().register { () -> MyService? in nil }
    XCTAssertNil(Owner().service)
  }

  func testWhatIsAssignedIsIgnored() {
    let service = MyServiceImplementation()
    sharedContainer().register { () -> MyService in service }
    let owner = Owner()
    owner.service = nil
    XCTAssertTrue(owner.service === service)
  }

  func testAValueIsResolvedAtEachAccess() {
    class Owner {
      @InjectedWeakly var text: String?
    }
    let calls = Counter()
    sharedContainer().register { "value \(calls.next())" }
    let owner = Owner()
    XCTAssertEqual(owner.text, "value 1")
    XCTAssertEqual(owner.text, "value 2")
  }

  func testAClosureGetsTheEnclosingObject() {
    final class Named: @unchecked Sendable {
      let name: String
      init(_ name: String) { self.name = name }
    }
    class Owner {
      @InjectedWeakly var named: Named?
    }
    sharedContainer().register { enclosing -> Named in Named("\(type(of: enclosing))") }
    XCTAssertEqual(Owner().named?.name, "Owner")
  }

  func testAnEagerPropertyResolvesItsAlternative() {
    let container = sharedContainer()
    let calls = Counter()
    let service = MyServiceImplementation()
    container.register(alternative: .another) { () -> MyService in
      calls.next()
      return service
    }
    class Owner {
      @InjectedWeakly(.resolvingOnInit(), alternative: .another) var service: MyService?
    }
    let owner = Owner()
    XCTAssertEqual(calls.value, 1)
    XCTAssertTrue(owner.service === service)
    XCTAssertEqual(calls.value, 1)
  }

  func testAnObjectBehindAProtocolThatIsNotForClassesIsHeldWeakly() {
    class Owner {
      @InjectedWeakly var shape: (any Shape)?
    }
    weak var made: Circle?
    let calls = Counter()
    sharedContainer().register { () -> any Shape in
      let circle = Circle()
      made = circle
      calls.next()
      return circle
    }
    let owner = Owner()
    var kept = owner.shape
    XCTAssertNotNil(kept)
    XCTAssertNotNil(owner.shape)
    XCTAssertEqual(calls.value, 1)
    kept = nil
    XCTAssertNil(made)
  }
}

private protocol Shape {}
private final class Circle: Shape {}
