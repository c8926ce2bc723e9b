// SPDX-License-Identifier: MIT

import Corinth
import TestSupport
import XCTest

private protocol Rule: Sendable {}
private struct Volume: Rule {}
private struct Member: Rule {}
private final class Audited: Rule {
  init(_ rule: any Rule) {}
}
private protocol Rideable: AnyObject, Sendable {}
private class Car: Rideable, @unchecked Sendable {}
private final class Van: Car, @unchecked Sendable {}
private protocol Shelf<Item>: Sendable {
  associatedtype Item
}
private struct Books: Shelf {
  typealias Item = String
}

/// Three registrations of one protocol are told apart by the types that implement it.
final class ImplementationTests: AsyncTestCase {
  private func implementation<Product>(
    of product: Product.Type, name: Name? = nil, in other: Container? = nil
  ) throws -> (any Any.Type)? {
    let listed = (other ?? container).registrations(includingParents: true)
    return try XCTUnwrap(listed.first { $0.key == RegistrationKey(product, name: name) })
      .implementation
  }

  private func assertType(
    _ found: (any Any.Type)?, is expected: (any Any.Type)?, _ message: String = "",
    file: StaticString = #filePath, line: UInt = #line
  ) {
    let texts = [found, expected].map { $0.map { String(reflecting: $0) } }
    XCTAssertEqual(texts[0], texts[1], message, file: file, line: line)
  }

  func testAValueShowsItsType() throws {
    try container.register(value: Member(), as: (any Rule).self)
    try container.register(value: Books(), as: (any Shelf<String>).self)
    assertType(try implementation(of: (any Rule).self), is: Member.self)
    assertType(try implementation(of: (any Shelf<String>).self), is: Books.self)
    try container.decorate((any Rule).self) { rule, _ in Audited(rule) }
    _ = try container.resolve((any Rule).self)
    assertType(
      try implementation(of: (any Rule).self), is: Member.self, "and not that of a decorator")
  }

  func testAStoredInstanceShowsItsTypeAndAFactoryIsNotRun() throws {
    let runs = AtomicCounter()
    try container.register((any Rule).self, scope: .singleton) { _ in
      runs.add()
      return Volume()
    }
    try container.wire((any Rideable).self, scope: .singleton, using: Van.init)
    try container.register(Car.self, scope: .cached(for: .seconds(3600))) { _ in Van() }
    assertType(try implementation(of: (any Rule).self), is: nil)
    assertType(try implementation(of: (any Rideable).self), is: nil)
    assertType(try implementation(of: Car.self), is: Car.self, "a class may stand for a subclass")
    XCTAssertEqual(runs.value, 0)
    _ = try container.resolve((any Rule).self)
    _ = try container.resolve((any Rideable).self)
    _ = try container.resolve(Car.self)
    assertType(try implementation(of: (any Rule).self), is: Volume.self)
    assertType(try implementation(of: (any Rideable).self), is: Van.self)
    assertType(try implementation(of: Car.self), is: Van.self)
    XCTAssertEqual(runs.value, 1)
    container.releaseAll()
    assertType(try implementation(of: (any Rule).self), is: nil, "the instance is gone")
  }

  func testAWeakInstanceShowsItsTypeAsLongAsItLives() throws {
    try container.register((any Rideable).self, scope: .weak) { _ in Van() }
    var kept: (any Rideable)? = try container.resolve((any Rideable).self)
    assertType(try implementation(of: (any Rideable).self), is: Van.self)
    withExtendedLifetime(kept) {}
    kept = nil
    assertType(try implementation(of: (any Rideable).self), is: nil)
  }

  func testATypeThatIsNoProtocolImplementsItself() throws {
    try container.register(Volume.self) { _ in Volume() }
    try container.registerAsync([any Rule].self) { _ in [] }
    try container.registerInput(Member.self)
    try container.registerInput((any Rule).self)
    try container.register(Any.self) { _ in 1 }
    try container.register(AnyObject.self) { _ in Van() }
    try container.register((any Rule.Type).self) { _ in Volume.self }
    assertType(try implementation(of: Volume.self), is: Volume.self)
    assertType(try implementation(of: [any Rule].self), is: [any Rule].self)
    assertType(try implementation(of: Member.self), is: Member.self)
    assertType(try implementation(of: (any Rule).self), is: nil)
    assertType(try implementation(of: Any.self), is: nil)
    assertType(try implementation(of: AnyObject.self), is: nil)
    assertType(try implementation(of: (any Rule.Type).self), is: nil)
  }

  func testAForwardShowsTheTypeOfItsTargetInTheAskedContainer() throws {
    try container.wire(Van.self, scope: .singleton, using: Van.init).implements(Car.self)
    try container.forward((any Rideable).self, to: Car.self)
    try container.forward((any Rideable).self, name: "lost", to: Car.self, targetName: "none")
    assertType(try implementation(of: (any Rideable).self), is: Van.self)
    assertType(try implementation(of: (any Rideable).self, name: "lost"), is: nil)
    let child = Container(parent: container)
    try child.register(Car.self) { _ in Car() }
    assertType(try implementation(of: (any Rideable).self, in: child), is: Car.self)
    assertType(try implementation(of: (any Rideable).self), is: Van.self)
  }

  func testARecordingShowsTheTypesOfInstancesThatNothingStores() async throws {
    try container.register((any Rule).self, name: "volume") { _ in Volume() }
    try container.registerAsync((any Rule).self, name: "member") { _ in Member() }
    try container.contribute(to: (any Rideable).self) { _ in Van() }
    try container.wire((any Shelf<String>).self, scope: .scoped, using: Books.init)
    let recording = container.recordDependencies()
    _ = try container.resolve((any Rule).self, name: "volume")
    _ = try await container.resolveAsync((any Rule).self, name: "member")
    _ = try container.resolveAll((any Rideable).self)
    try await container.withScope { scope in _ = try scope.resolve((any Shelf<String>).self) }
    recording.stop()
    let types = container.graph().registrations.map(\.implementation)
    for (found, expected) in zip(
      types, [Volume.self, Member.self, Van.self, Books.self] as [any Any.Type])
    {
      assertType(found, is: expected)
    }
  }

  func testDecoratorsHideNoImplementation() throws {
    try container.register((any Rule).self, scope: .singleton) { _ in Volume() }
    try container.register((any Rule).self, name: "transient") { _ in Member() }
    try container.decorate((any Rule).self) { rule, _ in Audited(rule) }
    let recording = container.recordDependencies()
    XCTAssert(try container.resolve((any Rule).self) is Audited)
    XCTAssert(try container.resolve((any Rule).self, name: "transient") is Audited)
    recording.stop()
    assertType(try implementation(of: (any Rule).self), is: Volume.self)
    assertType(
      try implementation(of: (any Rule).self, name: "transient"), is: nil,
      "of a transient instance, only the decorated form was there")
  }

  func testInstancesOfSeveralArgumentsShowTheirTypeIfItIsOne() throws {
    try container.register((any Rule).self, scope: .singleton) { (_, isVolume: Bool) -> any Rule in
      isVolume ? Volume() : Member()
    }
    func implementation() -> (any Any.Type)? { container.registrations[0].implementation }
    assertType(implementation(), is: nil)
    _ = try container.resolve((any Rule).self, arguments: true)
    assertType(implementation(), is: Volume.self)
    _ = try container.resolve((any Rule).self, arguments: false)
    assertType(implementation(), is: nil)
  }

  func testAForkAndAVersionShowWhatTheyServe() async throws {
    try container.register(value: Member(), as: (any Rule).self)
    try container.wire((any Rideable).self, scope: .singleton, using: Van.init)
    let reloadable = ReloadableContainer(container)
    _ = try reloadable.current.resolve((any Rideable).self)
    try await reloadable.reload { try $0.register(value: 1) }.value
    assertType(try implementation(of: (any Rideable).self, in: reloadable.current), is: Van.self)
    let fork = container.fork()
    assertType(try implementation(of: (any Rule).self, in: fork), is: Member.self)
    assertType(
      try implementation(of: (any Rideable).self, in: fork), is: Van.self, "known of the base")
  }
}
