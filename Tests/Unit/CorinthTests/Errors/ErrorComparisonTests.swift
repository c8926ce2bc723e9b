// SPDX-License-Identifier: MIT

import Corinth
import TestSupport
import XCTest

private struct Database {}

final class ErrorComparisonTests: ContainerTestCase {
  private func missing() throws { _ = try container.resolve(Database.self) }

  func testErrorsAreEqualWhenTheirCasesAre() throws {
    XCTAssertThrowsError(try missing()) { error in
      XCTAssertEqual(error as? ResolutionError, .noRegistrationFound)
      XCTAssertNotEqual(error as? ResolutionError, .containerClosed)
      XCTAssertTrue(error.is(.noRegistrationFound))
      XCTAssertFalse(error.is(.underlyingError))
    }
  }

  func testACaseIsCaughtWithItsContextAndWithout() throws {
    do { try missing() } catch ResolutionError.circularDependencyDetected {
      XCTFail("another case")
    } catch ResolutionError.noRegistrationFound {}
    do { try missing() } catch ResolutionError.noRegistrationFound(let context) {
      XCTAssertEqual(context.path.map(\.description), ["Database"])
    }
    do { try missing() } catch let error as ResolutionError where error == .noRegistrationFound {
      XCTAssertEqual(error.key.description, "Database")
    }
    do { try missing() } catch {
      guard case ResolutionError.noRegistrationFound(let context) = error else {
        return XCTFail("\(error)")
      }
      XCTAssertEqual(context.key.description, "Database")
    }
  }

  /// Catching some cases of a typed error made the compiler abort in such a function.
  func testAFunctionMayCatchSomeCasesBesideARethrowingCall() throws {
    let name: String? = nil
    do { try missing() } catch ResolutionError.noRegistrationFound {
      XCTAssertEqual(name ?? "none", "none")
    }
  }

  func testRefusedRegistrationsAreComparedLikewise() throws {
    try container.register(Int.self, onDuplicate: .refuse) { _ in 1 }
    XCTAssertThrowsError(try container.register(Int.self) { _ in 2 }) { error in
      XCTAssertTrue(error.is(.alreadyRegistered))
      XCTAssertEqual(error as? RegistrationError, .alreadyRegistered)
      XCTAssertEqual((error as? RegistrationError)?.key?.description, "Int")
    }
    try container.syncClose()
    XCTAssertThrowsError(try container.register(Int.self) { _ in 2 }) { error in
      XCTAssertEqual(error as? RegistrationError, .containerClosed)
      XCTAssertFalse(error.is(ResolutionError.containerClosed))
    }
  }

  func testClosingErrorsAreComparedLikewise() throws {
    try container.register(Database.self) { _ in Database() }.as(.singleton)
      .onDispose { _ in throw FixtureError("busy") }
    _ = try container.resolve(Database.self)
    XCTAssertThrowsError(try container.syncClose()) { error in
      XCTAssertTrue(error.is(.disposalFailed))
      XCTAssertFalse(error.is(.asyncCloseRequired))
    }
  }

  func testErrorsThatTellOfOthersAreComparedLikewise() throws {
    XCTAssertThrowsError(try container.validate(roots: [Database.self])) {
      XCTAssertTrue($0.is(.validationFailed))
    }
    try container.register(Database.self) { _ in Database() }.eager()
    XCTAssertThrowsError(try container.freeze()) { XCTAssertTrue($0.is(.invalidRegistrations)) }
    XCTAssertThrowsError(try container.syncWarmUp()) { error in
      XCTAssertTrue(error.is(.warmUpFailed))
      XCTAssertFalse(error.is(.invalidRegistration))
      XCTAssertEqual((error as? ResolutionError)?.key.description, "Database")
    }
  }

  func testTheFailuresOfAnErrorThatIsNotAWarmUpsAreItself() {
    XCTAssertThrowsError(try missing()) {
      XCTAssertEqual(($0 as? ResolutionError)?.failures, [.noRegistrationFound])
    }
  }

  func testAFactoryThatWarmsUpAnotherContainerFailsWithAllOfItsText() throws {
    let other = Container()
    try other.register(Int.self) { _ in throw FixtureError("no disk") }.as(.singleton).eager()
    try container.register(Database.self) { _ in
      try other.syncWarmUp()
      return Database()
    }
    XCTAssertThrowsError(try missing()) { error in
      XCTAssertTrue(error.is(.underlyingError))
      XCTAssertTrue("\(error)".contains("1 eager singleton could not be built."), "\(error)")
      XCTAssertTrue("\(error)".contains("no disk"), "\(error)")
    }
  }

  func testAnErrorToCompareWithPrintsItsCase() {
    XCTAssertEqual(
      "\(RegistrationError.validationFailed as RegistrationError)",
      "RegistrationError.validationFailed")
    XCTAssertEqual(
      "\(ResolutionError.warmUpFailed as ResolutionError)", "ResolutionError.warmUpFailed")
    XCTAssertEqual(
      "\(ResolutionError.noRegistrationFound as ResolutionError)",
      "ResolutionError.noRegistrationFound")
    XCTAssertEqual(
      "\(RegistrationError.weakRequiresClass as RegistrationError)",
      "RegistrationError.weakRequiresClass")
  }
}
