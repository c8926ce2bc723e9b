// SPDX-License-Identifier: MIT

import MacaroniDialect
import TestSupport
import XCTest

/// A registration of a type serves its optional.
final class OptionalTests: MacaroniTestCase {
  func testARegistrationServesTheOptionalOfItsType() throws {
    let container = Container()
    container.register { 1 }
    let inferred: Int? = try container.resolve()
    XCTAssertEqual(inferred, 1)
    XCTAssertEqual(try generic(container) as Int?, 1)
  }

  func testTheOptionalOfAMissingTypeThrows() {
    let container = Container()
    XCTAssertThrowsError(try container.resolve() as Int?) { error in
      XCTAssertEqual(error as? MacaroniError, .noResolver)
    }
    XCTAssertThrowsError(try generic(container) as Int?)
    let attempted: Int? = try? container.resolve()
    XCTAssertNil(attempted)
  }

  func testARegistrationOfTheOptionalWinsWhicheverComesFirst() throws {
    for isFirst in [true, false] {
      let container = Container()
      if isFirst { container.register { () -> Int? in nil } }
      container.register { 1 }
      if !isFirst { container.register { () -> Int? in nil } }
      let inferred: Int? = try container.resolve()
      XCTAssertNil(inferred)
      XCTAssertNil(try generic(container) as Int?)
      XCTAssertEqual(try container.resolve() as Int, 1)
    }
  }

  /// As in Macaroni: closures that take the object come first, whichever of the two types they are
  /// registered under.
  func testAPropertyPrefersClosuresThatTakeTheObjectToARegistrationOfTheOptional() throws {
    let container = Container()
    container.register { () -> Int? in 1 }
    container.register { (_: Any) -> Int in 2 }
    Container.lookupPolicy = .singleton(container)
    class Owner {
      @Injected var value: Int?
    }
    XCTAssertEqual(Owner().value, 2)
    let inferred: Int? = try container.resolve()
    XCTAssertEqual(inferred, 1)
    container.register { (_: Any) -> Int? in 3 }
    XCTAssertEqual(Owner().value, 3)
  }

  func testARegistrationOfTheOptionalDoesNotServeTheType() {
    let container = Container()
    container.register { () -> Int? in 1 }
    XCTAssertThrowsError(try generic(container) as Int) { error in
      XCTAssertEqual(error as? MacaroniError, .noResolver)
    }
    XCTAssertFalse(container.isResolvable(Int.self))
  }

  func testTheOptionalIsServedByTheLastRegistration() throws {
    let container = Container()
    container.register { 1 }
    container.register { 2 }
    let inferred: Int? = try container.resolve()
    XCTAssertEqual(inferred, 2)
  }

  func testAReplacedClosureIsNotKeptForTheOptional() {
    let container = Container()
    weak var captured: MyServiceImplementation?
    do {
      let service = MyServiceImplementation()
      captured = service
      container.register { service }
    }
    let other = MyServiceImplementation()
    container.register { other }
    settleReclamation()
    XCTAssertNil(captured)
  }

  func testAnAlternativeServesTheOptionalToo() throws {
    let container = Container()
    container.register(alternative: .another) { 1 }
    let inferred: Int? = try container.resolve(alternative: .another)
    XCTAssertEqual(inferred, 1)
    let byText: Int? = try container.resolve(alternative: "another")
    XCTAssertEqual(byText, 1)
    XCTAssertThrowsError(try container.resolve() as Int?)
  }

  func testAClosureWithAParameterServesTheOptionalToo() throws {
    let container = Container()
    container.register { parameter -> Int in parameter as? Int ?? 0 }
    let inferred: Int? = try container.resolve(parameter: 5)
    XCTAssertEqual(inferred, 5)
    XCTAssertThrowsError(try container.resolve() as Int?)
  }

  func testOneLevelIsServed() {
    let container = Container()
    container.register { 1 }
    XCTAssertThrowsError(try generic(container) as Int??)
    // These forms are generic in `Int?`.
    XCTAssertThrowsError(try container.resolve() as Int??)
    let none: RegistrationAlternative? = nil
    XCTAssertThrowsError(try container.resolve(alternative: none) as Int??)
    container.register { () -> Int? in 2 }
    XCTAssertEqual(try generic(container) as Int??, .some(.some(2)))
  }

  func testAnOptionalOfAProtocolIsServed() throws {
    let container = Container()
    let service = MyServiceImplementation()
    container.register { () -> MyService in service }
    let inferred: MyService? = try container.resolve()
    XCTAssertTrue(inferred === service)
    let attempted: MyService? = try? container.resolve()
    XCTAssertTrue(attempted === service)
  }

  func testPropertiesOfOptionalTypesAreInjected() {
    let container = Container()
    Container.lookupPolicy = .singleton(container)
    let service = MyServiceImplementation()
    container.register { () -> MyService in service }

    class Owner {
      @Injected var optional: MyService?
      @Injected var unwrapped: MyService!
      @Injected(.resolvingOnInit()) var eager: MyService?
    }
    let owner = Owner()
    XCTAssertTrue(owner.optional === service)
    XCTAssertTrue(owner.unwrapped === service)
    XCTAssertTrue(owner.eager === service)
  }

  func testAPropertyIsNilWhenTheClosureSaysSo() {
    let container = Container()
    Container.lookupPolicy = .singleton(container)
    let calls = Counter()
    container.register { () -> MyService? in
      calls.next()
      return nil
    }

    class Owner {
      @Injected var service: MyService?
    }
    let owner = Owner()
    XCTAssertNil(owner.service)
    XCTAssertNil(owner.service)
    XCTAssertEqual(calls.value, 1)
  }
}

/// Resolves where the type is not known to be an optional.
private func generic<D>(_ container: Container) throws -> D {
  try container.resolve(alternative: nil as String?)
}
