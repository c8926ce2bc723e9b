// SPDX-License-Identifier: MIT

import TestSupport
import XCTest

@testable import Corinth

/// What a container does with a second registration of a key.
final class DuplicatePolicyTests: XCTestCase {
  private func container(_ policy: DuplicatePolicy) throws -> Container {
    let container = Container(duplicates: policy)
    try container.register(Int.self, file: "App/First.swift", line: 1) { _ in 1 }
    return container
  }

  private func registerAgain(in container: Container) throws {
    try container.register(Int.self, file: "App/Second.swift", line: 2) { _ in 2 }
  }

  func testADuplicateOverridesByDefault() throws {
    let container = try container(.override)
    XCTAssertEqual(Container().duplicates, .override)
    let output = try standardError { try registerAgain(in: container) }
    XCTAssertEqual(try container.resolve(Int.self), 2)
    XCTAssertEqual(output, "")
  }

  func testADuplicateIsRefused() throws {
    let container = try container(.refuse)
    XCTAssertThrowsError(try registerAgain(in: container)) {
      XCTAssertTrue($0.is(RegistrationError.alreadyRegistered))
      assertGolden("duplicate-refused", "\($0)")
    }
    XCTAssertEqual(try container.resolve(Int.self), 1)
  }

  func testEveryFormOfRegistrationIsRefused() throws {
    let container = try container(.refuse)
    try container.register(Int.self) { (_, text: String) in text.count }
    for register: () throws -> Void in [
      { try container.registerAsync(Int.self) { _ in 2 } },
      { try container.register(Int.self) { (_, _: String) in 2 } },
      { try container.registerAsync(Int.self) { (_, _: String) in 2 } },
      { try container.forward(Int.self, to: String.self) },
    ] {
      XCTAssertThrowsError(try register()) {
        XCTAssertTrue($0.is(RegistrationError.alreadyRegistered))
      }
    }
    XCTAssertEqual(try container.resolve(Int.self), 1)
    XCTAssertEqual(try container.resolve(Int.self, arguments: "four"), 4)
  }

  func testAnAliasThatIsADuplicateIsAFault() throws {
    let container = try container(.refuse)
    try container.register(String.self) { _ in "" }.implements(Int.self)
    assertInvalid(.alreadyRegistered) { try container.resolve(String.self) }
  }

  func testOtherKeysAreNoDuplicates() throws {
    let container = try container(.refuse)
    try container.register(Int.self, name: "other") { _ in 2 }
    try container.register(Int.self) { (_, number: Int) in number }
    container.unregister(Int.self)
    try registerAgain(in: container)
    XCTAssertEqual(try container.resolve(Int.self), 2)
  }

  func testShadowingAParentsRegistrationIsNoDuplicate() throws {
    let child = Container(parent: try container(.refuse))
    try registerAgain(in: child)
    XCTAssertEqual(try child.resolve(Int.self), 2)
    XCTAssertThrowsError(try registerAgain(in: child), "the child does as its parent does")
    let lenient = Container(parent: try container(.refuse), duplicates: .override)
    try registerAgain(in: lenient)
    try registerAgain(in: lenient)
    let scope = try container(.refuse).makeScope()
    try registerAgain(in: scope)
    XCTAssertThrowsError(try registerAgain(in: scope))
  }

  func testModifiersAreNoDuplicates() throws {
    let container = Container(duplicates: .refuse)
    try container.register(Int.self) { _ in 1 }.as(.singleton).eager()
    try container.syncWarmUp()
  }

  func testAReplacementIsMeant() throws {
    for policy in [DuplicatePolicy.refuse, .warn] {
      let container = try container(policy)
      let output = try standardError { try container.syncReplace(Int.self) { _ in 3 } }
      XCTAssertEqual(try container.resolve(Int.self), 3)
      XCTAssertEqual(output, "")
    }
  }

  func testADuplicateIsWarnedOfOnceForEachKey() throws {
    let container = try container(.warn)
    try container.register(String.self) { _ in "" }
    let output = try standardError {
      for _ in 0..<3 { try registerAgain(in: container) }
      try container.register(String.self, file: "App/Third.swift", line: 3) { _ in "3" }
    }
    XCTAssertEqual(try container.resolve(Int.self), 2)
    XCTAssertEqual(try container.resolve(String.self), "3")
    let lines = output.split(separator: "\n")
    XCTAssertEqual(
      lines.first,
      "corinth: warning: Int, registered at App/First.swift:1, is overridden at App/Second.swift:2."
    )
    XCTAssertEqual(lines.count, 2)
    XCTAssertTrue(lines.last?.contains("String") ?? false)
  }

  /// A test had overridden a service, and a module that another assembler applied later undid that
  /// without a word.
  func testThatAnOverrideIsUndoneIsWarnedOf() throws {
    let container = try container(.override)
    let override = try container.register(
      Int.self, onDuplicate: .require, file: "App/Mock.swift", line: 1
    ) { _ in 3 }
    let output = try standardError {
      try registerAgain(in: container)
      try registerAgain(in: container)
    }
    XCTAssertEqual(
      output,
      "corinth: warning: Int, registered at App/Mock.swift:1, is overridden at App/Second.swift:2.\n"
    )
    let other = try self.container(.override)
    let silent = try standardError {
      for _ in 0..<2 { try other.register(Int.self, onDuplicate: .require) { _ in 4 }.restore() }
      try other.register(Int.self, onDuplicate: .require) { _ in 5 }
      try other.register(Int.self, onDuplicate: .override) { _ in 6 }
    }
    XCTAssertEqual(silent, "")
    withExtendedLifetime(override) {}
  }

  func testThreadsThatRegisterTheSameKeyAreWarnedOfOnce() throws {
    let container = Container(duplicates: .warn)
    let output = try standardError {
      try onThreads(8) { thread in
        for _ in 0..<100 { try container.register(Int.self) { _ in thread } }
      }
    }
    XCTAssertEqual(output.split(separator: "\n").count, 1)
  }

  func testThreadsThatRegisterAKeyWhoseDuplicatesAreRefused() throws {
    for _ in 0..<100 {
      let container = Container(duplicates: .refuse)
      let won = try onThreads(8) { thread in
        do {
          try container.register(Int.self) { _ in thread }
          return true
        } catch RegistrationError.alreadyRegistered {
          return false
        }
      }
      XCTAssertEqual(won.filter { $0 }.count, 1)
      XCTAssertEqual(try container.resolve(Int.self), won.firstIndex(of: true))
    }
  }

  // MARK: - Policies of registrations

  func testThePolicyOfARegistrationCountsInsteadOfTheContainers() throws {
    for policy in [DuplicatePolicy.override, .warn, .keep, .refuse] {
      func resolved(_ own: DuplicatePolicy) throws -> Int {
        let container = try container(policy)
        try container.register(Int.self, onDuplicate: own) { _ in 2 }
        return try container.resolve(Int.self)
      }
      XCTAssertEqual(try resolved(.override), 2)
      XCTAssertEqual(try resolved(.require), 2)
      XCTAssertEqual(try resolved(.keep), 1)
      XCTAssertThrowsError(try resolved(.refuse)) {
        XCTAssertTrue($0.is(RegistrationError.alreadyRegistered))
      }
    }
  }

  func testAContainerMayKeepWhatIsRegisteredFirst() throws {
    let container = try container(.keep)
    XCTAssertFalse(try container.register(value: 2).isCurrent)
    XCTAssertTrue(try container.register(value: "text").isCurrent)
    XCTAssertEqual(try container.resolve(Int.self), 1)
  }

  func testEveryFormHasAPolicy() async throws {
    let container = try container(.refuse)
    XCTAssertFalse(try container.registerAsync(Int.self, onDuplicate: .keep) { _ in 2 }.isCurrent)
    XCTAssertFalse(try container.register(value: 2, onDuplicate: .keep).isCurrent)
    XCTAssertFalse(try container.register(uncheckedValue: 2, onDuplicate: .keep).isCurrent)
    XCTAssertFalse(try container.register(evaluating: 2, onDuplicate: .keep).isCurrent)
    XCTAssertFalse(try container.wire(Int.self, onDuplicate: .keep, using: { 2 }).isCurrent)
    XCTAssertFalse(try container.wireAsync(Int.self, onDuplicate: .keep, using: { 2 }).isCurrent)
    try container.forward(Int.self, to: String.self, onDuplicate: .keep)
    XCTAssertEqual(try container.resolve(Int.self), 1)
    try container.wireAsync(Int.self, onDuplicate: .require, using: { 3 })
    let wired = try await container.resolveAsync(Int.self)
    XCTAssertEqual(wired, 3)
  }

  func testAForkMayOverrideWhatItsBaseRefusesToAndKeepsOrRequiresIt() throws {
    let container = try container(.refuse)
    try container.register(value: "base", onDuplicate: .refuse)
    let fork = container.fork()
    XCTAssertFalse(try fork.register(value: "kept", onDuplicate: .keep).isCurrent)
    XCTAssertEqual(try fork.resolve(String.self), "base")
    let required = try fork.register(value: "required", onDuplicate: .require)
    XCTAssertEqual(try fork.resolve(String.self), "required")
    XCTAssertTrue(required.restore())
    XCTAssertEqual(try fork.resolve(String.self), "base")
    try fork.register(value: 2, onDuplicate: .refuse)
    XCTAssertThrowsError(try fork.register(value: 3, onDuplicate: .override)) {
      XCTAssertTrue($0.is(RegistrationError.alreadyRegistered))
    }
    XCTAssertEqual(try fork.resolve(Int.self), 2)
    XCTAssertEqual(try container.resolve(Int.self), 1)
  }

  func testAForwardGivesWayToWhatIsThereAndToWhatComesLater() throws {
    let container = Container()
    try container.register(Int.self) { _ in 1 }
    try container.forward(Int?.self, to: Int.self, onDuplicate: .keep)
    XCTAssertEqual(try container.resolve(Int?.self), 1)
    try container.register(Int?.self) { _ in 2 }
    try container.forward(Int?.self, to: Int.self, onDuplicate: .keep)
    XCTAssertEqual(try container.resolve(Int?.self), 2)
    try container.validate()
  }

  func testWhatMustOverrideAndWhatIsKeptIsCopiedForAValidation() throws {
    let container = try container(.refuse)
    try container.register(Int.self, onDuplicate: .require) { _ in 2 }
    try container.register(String.self, onDuplicate: .keep) { "\(try $0.resolve(Int.self))" }
    XCTAssertNoThrow(try container.syncValidate(building: true))
  }

  func testARegistrationIsCurrentUntilItIsOverriddenOrRemoved() throws {
    let container = Container()
    let first = try container.register(Int.self) { _ in 1 }
    let second = try container.register(Int.self, onDuplicate: .require) { _ in 2 }
    XCTAssertEqual([first.isCurrent, second.isCurrent], [false, true])
    XCTAssertFalse(first.restore(), "it has overridden nothing")
    XCTAssertTrue(second.restore())
    XCTAssertEqual([first.isCurrent, second.isCurrent], [true, false])
    container.unregister(Int.self)
    XCTAssertFalse(first.isCurrent)
  }

  // MARK: - Overriding on purpose

  private func override(_ container: Container) throws {
    try container.register(Int.self, onDuplicate: .require, file: "App/Test.swift", line: 9) { _ in
      9
    }
  }

  func testAnOverrideIsMeantWhateverThePolicy() throws {
    for policy in [DuplicatePolicy.override, .refuse, .warn] {
      let container = try container(policy)
      let output = try standardError { try override(container) }
      XCTAssertEqual(output, "")
      XCTAssertEqual(try container.resolve(Int.self), 9)
    }
  }

  func testAnOverrideOfNothingNamesWhatIsSimilar() throws {
    let container = Container()
    XCTAssertThrowsError(try override(container)) {
      XCTAssertTrue($0.is(.noRegistrationFound))
      assertGolden("override-nothing", "\($0)")
    }
    try container.register(Int.self, name: "port", file: "App/First.swift", line: 1) { _ in 1 }
    XCTAssertThrowsError(try override(container)) { assertGolden("override-near-miss", "\($0)") }
    let child = Container(parent: try self.container(.override))
    XCTAssertThrowsError(try override(child)) { assertGolden("override-in-a-child", "\($0)") }
    XCTAssertFalse(container.contains(Int.self))
  }

  func testAnOverrideOfAFinalRegistrationIsRefused() throws {
    let container = Container()
    try container.register(Int.self, onDuplicate: .refuse) { _ in 1 }
    XCTAssertThrowsError(try override(container)) {
      XCTAssertTrue($0.is(RegistrationError.alreadyRegistered))
    }
    XCTAssertEqual(try container.resolve(Int.self), 1)
  }

  /// An override would find nothing: the name belongs to the collection.
  func testADuplicateContributionIsNotToldToOverride() throws {
    let container = try container(.refuse)
    try container.contribute(
      to: Int.self, name: "one", value: 1, file: "App/First.swift", line: 1)
    XCTAssertThrowsError(
      try container.contribute(
        to: Int.self, name: "one", value: 2, file: "App/Second.swift", line: 2)
    ) { assertGolden("duplicate-contribution-refused", "\($0)") }
  }
}
