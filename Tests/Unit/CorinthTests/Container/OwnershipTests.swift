// SPDX-License-Identifier: MIT

import Corinth
import TestSupport
import XCTest

private final class Config: Sendable {
  let origin: String
  init(_ origin: String) { self.origin = origin }
}

private final class Service: Sendable {
  let config: Config
  init(_ config: Config) { self.config = config }
}

/// An instance's dependencies are resolved in the container that owns the instance.
final class OwnershipTests: XCTestCase {
  /// Whose dependency an instance gets that is registered in the parent.
  private enum Owner: String {
    case asked = "child"
    case registered = "parent"
  }

  private func family(
    serviceIn registering: KeyPath<(parent: Container, child: Container), Container>,
    _ keep: (Registration<Service>) throws -> Void
  ) throws -> (parent: Container, child: Container) {
    let parent = Container()
    let family = (parent: parent, child: Container(parent: parent))
    try parent.register(Config.self) { _ in Config("parent") }
    try family.child.register(Config.self) { _ in Config("child") }
    try keep(
      family[keyPath: registering].register(Service.self) { Service(try $0.resolve(Config.self)) })
    return family
  }

  private func origin(_ container: Container) throws -> String {
    try container.resolve(Service.self).config.origin
  }

  private func assertOwner(
    _ owner: Owner, line: UInt = #line, _ keep: (Registration<Service>) throws -> Void
  ) throws {
    let childFirst = try family(serviceIn: \.parent, keep)
    XCTAssertEqual(try origin(childFirst.child), owner.rawValue, "child first", line: line)
    XCTAssertEqual(try origin(childFirst.parent), "parent", "after the child", line: line)
    XCTAssertEqual(try origin(childFirst.child), owner.rawValue, "child again", line: line)

    let parentFirst = try family(serviceIn: \.parent, keep)
    let grandchild = Container(parent: parentFirst.child)
    XCTAssertEqual(try origin(parentFirst.parent), "parent", "parent first", line: line)
    XCTAssertEqual(try origin(parentFirst.child), owner.rawValue, "after the parent", line: line)
    XCTAssertEqual(try origin(grandchild), owner.rawValue, "grandchild", line: line)

    let registeredInChild = try family(serviceIn: \.child, keep)
    XCTAssertEqual(try origin(registeredInChild.child), "child", "the child's own", line: line)
    XCTAssertThrowsError(try origin(registeredInChild.parent), line: line)
  }

  func testATransientBelongsToTheContainerThatWasAsked() throws {
    try assertOwner(.asked) { _ in }
    try assertOwner(.asked) { $0.as(.transient) }
  }

  func testATransientWithActionsBelongsToTheContainerThatWasAsked() throws {
    try assertOwner(.asked) { $0.afterInit { _, _ in } }
  }

  func testAGraphInstanceBelongsToTheContainerThatWasAsked() throws {
    try assertOwner(.asked) { $0.as(.graph) }
  }

  func testASingletonBelongsToTheContainerThatItIsRegisteredIn() throws {
    try assertOwner(.registered) { $0.as(.singleton) }
  }

  func testAWeakInstanceBelongsToTheContainerThatItIsRegisteredIn() throws {
    try assertOwner(.registered) { $0.as(.weak) }
  }

  func testATimeLimitedInstanceBelongsToTheContainerThatItIsRegisteredIn() throws {
    for policy in [StalePolicy.wait, .serveStale] {
      for lifetime in [Duration.zero, .seconds(3600)] {
        try assertOwner(.registered) { $0.as(.cached(for: lifetime, whileRefreshing: policy)) }
      }
    }
  }

  func testACustomStorageBelongsToTheContainerThatItIsRegisteredIn() throws {
    try assertOwner(.registered) { $0.as(KeptProduct()) }
    try assertOwner(.registered) { $0.as(NoKeptProduct()) }
  }

  func testAScopedInstanceBelongsToTheScope() throws {
    let family = try family(serviceIn: \.parent) { $0.as(.scoped) }
    let scope = family.child.makeScope()
    XCTAssertEqual(try origin(scope), "child")
    XCTAssertEqual(try origin(family.parent.makeScope()), "parent")

    let overriding = family.parent.makeScope()
    try overriding.register(Config.self) { _ in Config("scope") }
    let inner = Container(parent: overriding)
    try inner.register(Config.self) { _ in Config("inner") }
    XCTAssertEqual(try origin(inner), "scope", "the scope's own, whoever asks")
    XCTAssertTrue(
      try inner.resolve(Service.self) === overriding.resolve(Service.self), "kept by the scope")
  }

  func testAScopedInstanceRegisteredBelowTheScopeBelongsToThatContainer() throws {
    let scope = Container().makeScope()
    try scope.register(Config.self) { _ in Config("scope") }
    let inner = Container(parent: scope)
    try inner.register(Config.self) { _ in Config("inner") }
    try inner.register(Service.self, scope: .scoped) { Service(try $0.resolve(Config.self)) }
    XCTAssertEqual(try origin(inner), "inner")
    XCTAssertTrue(try inner.resolve(Service.self) === inner.resolve(Service.self))
  }

  func testInstancesPerArgumentFollowTheSameRule() throws {
    let scopes: [(AnyScope, String)] = [
      (.transient, "child"), (.graph, "child"), (.singleton, "parent"), (.weak, "parent"),
      (.cached(for: .seconds(3600)), "parent"),
    ]
    for (scope, expected) in scopes {
      let parent = Container()
      let child = Container(parent: parent)
      try parent.register(Config.self) { _ in Config("parent") }
      try child.register(Config.self) { _ in Config("child") }
      try parent.register(Service.self, scope: scope) { (resolver, _: Int) in
        Service(try resolver.resolve(Config.self))
      }
      XCTAssertEqual(
        try child.resolve(Service.self, arguments: 1).config.origin, expected, "\(scope)")
    }
  }

  func testTheResolverTellsTheOwner() throws {
    let parent = Container()
    let child = Container(parent: parent)
    try parent.register(ObjectIdentifier.self, name: "asked") {
      ObjectIdentifier(try $0.container)
    }
    try parent.register(ObjectIdentifier.self, name: "registered", scope: .singleton) {
      ObjectIdentifier(try $0.container)
    }
    XCTAssertEqual(
      try child.resolve(ObjectIdentifier.self, name: "asked"), ObjectIdentifier(child))
    XCTAssertEqual(
      try child.resolve(ObjectIdentifier.self, name: "registered"), ObjectIdentifier(parent))
  }

  func testATransientOfASingletonBelongsToTheSingletonsContainer() throws {
    let parent = Container()
    let child = Container(parent: parent)
    try parent.register(Config.self) { _ in Config("parent") }
    try child.register(Config.self) { _ in Config("child") }
    try parent.register(Service.self) { Service(try $0.resolve(Config.self)) }
    try parent.register([Service].self, scope: .singleton) { [try $0.resolve(Service.self)] }
    XCTAssertEqual(try child.resolve([Service].self).map(\.config.origin), ["parent"])
    XCTAssertEqual(try origin(child), "child")
  }

  func testAnActionAfterInitResolvesWhereTheInstanceBelongs() throws {
    let seen = LifetimeTracker()
    for (scope, expected) in [(AnyScope.transient, "child"), (.singleton, "parent")] {
      let family = try family(serviceIn: \.parent) {
        $0.as(scope).afterInit { resolver, _ in
          XCTAssertEqual(try resolver.resolve(Config.self).origin, expected)
          _ = seen.make()
        }
      }
      _ = try family.child.resolve(Service.self)
    }
    XCTAssertEqual(seen.created, 2)
  }
}
