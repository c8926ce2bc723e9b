// SPDX-License-Identifier: MIT

import DICDialect
import TestSupport
import XCTest

final class BuilderTests: XCTestCase {
  func testEveryKindIsRegisteredInEitherForm() throws {
    let container = DICBuilder()
      .register { 1 }
      .register("a")
      .registerThrowable { try XCTUnwrap(2.5) }
      .registerThrowable(try XCTUnwrap(Example1(value: 1)))
      .registerSingleton { OtherDependency() }
      .registerSingleton(DatabaseService())
      .build()
    XCTAssertEqual(container.load(Int.self), 1)
    XCTAssertEqual(container.load(String.self), "a")
    XCTAssertEqual(try container.loadOrThrow(Double.self), 2.5)
    XCTAssertEqual(container.loadOrNil(Example1.self)?.value, 1)
    XCTAssertTrue(container.load(OtherDependency.self) === container.load(OtherDependency.self))
    XCTAssertTrue(container.load(DatabaseService.self) === container.load(DatabaseService.self))
  }

  func testEveryKindIsRegisteredAsAProtocol() {
    let make = { DefaultUserRepository(otherDependency: OtherDependency()) }
    let builders = [
      DICBuilder().register(make(), as: UserRepository.self),
      DICBuilder().register({ make() }, as: UserRepository.self),
      DICBuilder().registerThrowable(make(), as: UserRepository.self),
      DICBuilder().registerThrowable({ make() }, as: UserRepository.self),
      DICBuilder().registerSingleton(make(), as: UserRepository.self),
      DICBuilder().registerSingleton({ make() }, as: UserRepository.self),
    ]
    for builder in builders {
      XCTAssertNotNil(builder.build().loadOrNil(UserRepository.self))
      XCTAssertNil(builder.build().loadOrNil(DefaultUserRepository.self))
    }
  }

  func testAContainerHasTheRegistrationsOfItsMoment() {
    let builder = DependencyInjectionContainerBuilder()
    builder.register(1)
    let first = builder.build()
    builder.register(2)
    builder.register("late")
    builder.registerSingleton(2.5)
    XCTAssertEqual(first.load(Int.self), 1)
    XCTAssertNil(first.loadOrNil(String.self))
    XCTAssertNil(first.loadOrNil(Double.self))
    let second = builder.build()
    XCTAssertEqual(second.load(Int.self), 2)
    XCTAssertEqual(second.load(String.self), "late")
    XCTAssertEqual(first.load(Int.self), 1)
  }

  func testCopiesOfABuilderShareTheirRegistrations() {
    let builder = DICBuilder()
    let copy = builder
    copy.register(1)
    XCTAssertEqual(builder.build().load(Int.self), 1)
  }

  func testASingletonIsOneInAllContainersOfABuilder() {
    let tracker = LifetimeTracker()
    do {
      let builder = DICBuilder().registerSingleton(tracker.make())
      XCTAssertEqual(tracker.created, 1)
      let (first, second) = (builder.build(), builder.build())
      XCTAssertTrue(first.load(Tracked.self) === second.load(Tracked.self))
    }
    settleReclamation()
    XCTAssertEqual(tracker.created, 1)
    XCTAssertEqual(tracker.alive, 0)
  }

  func testABuilderIsNotNeededByWhatItHasBuilt() {
    func made() -> ImmutableDependencyInjectionContainer {
      DICBuilder().register { Example1(value: 1) }.build()
    }
    XCTAssertEqual(made().load(Example1.self).value, 1)
  }

  func testThePrecedenceIsThatOfTheMutableContainer() throws {
    let container = DICBuilder()
      .registerThrowable { 1 }.registerSingleton(2).register(3)
      .register({ nil }, as: String?.self).registerThrowable { "thrown" }
      .build()
    XCTAssertEqual(container.load(Int.self), 2)
    XCTAssertNil(container.loadOrNil(String.self))
    XCTAssertEqual(try container.loadOrThrow(String.self), "thrown")
  }

  func testAMissingDependencyIsNilOrItsOwnError() {
    let container = DICBuilder().build()
    XCTAssertNil(container.loadOrNil(Int.self))
    XCTAssertThrowsError(try container.loadOrThrow(Int.self)) { error in
      guard
        case ImmutableDependencyInjectionContainer.InjectionLoadError.cannotFindDependency = error
      else { return XCTFail("\(error)") }
    }
  }

  func testAnOptionalServesItsTypeAndNotTheReverse() {
    let container = DICBuilder().register(Even(4)).register(1).build()
    XCTAssertEqual(container.load(Even.self), Even(4))
    XCTAssertEqual(container.load(Even?.self), Even(4))
    XCTAssertEqual(container.loadOrNil(Int?.self).map { $0 == nil }, nil)
  }
}
