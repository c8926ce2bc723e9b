// SPDX-License-Identifier: MIT

import XCTest

@testable import Corinth

/// What follows from the row of a scope: see note 11.
final class ScopePolicyTests: XCTestCase {
  private let kinds: [AnyScope.Kind] = [
    .transient, .singleton, .weak, .graph, .scoped, .named, .cached, .custom,
  ]

  private func assertOnly(
    _ expected: [AnyScope.Kind], _ property: KeyPath<ScopePolicy, Bool>, line: UInt = #line
  ) {
    XCTAssertEqual(kinds.filter { $0.policy[keyPath: property] }, expected, line: line)
  }

  func testWhatFollowsFromStorageAndBox() {
    assertOnly([.singleton, .graph, .scoped, .named], \.isServedUnchanged)
    assertOnly([.singleton], \.isPublishedToSlot)
    assertOnly([.singleton, .scoped, .named], \.endsWithContainer)
    assertOnly([.graph, .custom], \.tracksResolutions)
    assertOnly([.named], \.isOfNamedScopes)
    assertOnly(Array(kinds.dropFirst()), \.requiresHashableArguments)
  }

  func testStatesHoldBoxesOfStrongInstances() {
    XCTAssertEqual(
      kinds.filter { !$0.policy.box.isStrong }, [.weak, .custom])
  }
}
