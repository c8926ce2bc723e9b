// SPDX-License-Identifier: MIT

import Corinth
import TestSupport
import XCTest

/// Scoped instances whose registration belongs to a child of the request scope.
final class ChildOfScopeTests: XCTestCase {
  private final class Service: Sendable {}
  private final class Dependency: Sendable {}

  private final class Disposals: Behavior {
    let keys = EventLog()

    func didDispose(_ key: RegistrationKey) { keys.add("\(key.product)") }
  }

  /// The scope keeps the instance and the registration, but not the child. The closing asked the
  /// registration for the child's behaviors, in memory given back.
  func testTheScopeDisposesOfTheInstanceOfAChildThatHasEnded() throws {
    for isOrdered in [false, true] {
      let (disposals, log) = (Disposals(), EventLog())
      let scope = Container().makeScope()
      scope.add(disposals)
      do {
        let child = Container(parent: scope)
        try child.register(Dependency.self, scope: .scoped) { _ in Dependency() }
          .onDispose { _ in log.add("dependency") }
        try child.register(Service.self, scope: .scoped) { resolver in
          if isOrdered {
            _ = try resolver.resolve(Lazy<Dependency>.self).value
          } else {
            _ = try resolver.resolve(Dependency.self)
          }
          return Service()
        }
        .onDispose { _ in log.add("service") }
        _ = try child.resolve(Service.self)
      }
      // What lies in the memory of the child from now on has no behaviors.
      let others = (0..<64).map { _ in Container() }
      try scope.syncClose()
      XCTAssertEqual(log.entries, ["service", "dependency"], "ordered: \(isOrdered)")
      XCTAssertEqual(disposals.keys.entries, ["Service", "Dependency"])
      withExtendedLifetime(others) {}
    }
  }

  /// The scope cannot know whether the child is there.
  func testTheBehaviorsOfTheScopeHearOfTheDisposal() throws {
    let disposals = Disposals()
    let scope = Container().makeScope()
    scope.add(disposals)
    let child = Container(parent: scope)
    try child.register(Service.self, scope: .scoped) { _ in Service() }.onDispose { _ in }
    _ = try child.resolve(Service.self)
    try scope.syncClose()
    XCTAssertEqual(disposals.keys.entries, ["Service"])
  }
}
