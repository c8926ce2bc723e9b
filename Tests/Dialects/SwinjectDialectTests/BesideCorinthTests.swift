// SPDX-License-Identifier: MIT

import Corinth
import SwinjectDialect
import TestSupport
import Testing

private final class Engine: Sendable {}

private final class Car: Sendable {
  let engine: Engine

  init(engine: Engine) {
    self.engine = engine
  }
}

/// Modules that use Corinth's own interface, on the same container.
struct BesideCorinthTests {
  let container = SwinjectDialect.Container()

  @Test func aServiceOfSwinjectIsResolvedThroughCorinth() throws {
    container.register(Engine.self) { _ in Engine() }.inObjectScope(.container)
    try container.corinth.register(Car.self, scope: .singleton) { resolver in
      Car(engine: try resolver.resolve(Engine.self))
    }
    let car = try container.corinth.resolve(Car.self)
    #expect(car.engine === container.resolve(Engine.self))
    #expect(container.resolve(Car.self) === car)
  }

  @Test func aServiceOfCorinthIsResolvedThroughSwinject() throws {
    try container.corinth.register(Engine.self, name: "fast", scope: .singleton) { _ in Engine() }
    container.register(Car.self) { r in Car(engine: r.resolve(Engine.self, name: "fast")!) }
    let child = SwinjectDialect.Container(parent: container)
    let engine = try container.corinth.resolve(Engine.self, name: "fast")
    #expect(child.resolve(Car.self)?.engine === engine)
    #expect(child.resolve(SwinjectDialect.Lazy<Engine>.self, name: "fast")?.instance != nil)
    #expect(child.resolve(Engine.self) == nil)
  }

  @Test func aChildIsAskedThroughCorinthToo() throws {
    container.register(Car.self) { r in Car(engine: r.resolve(Engine.self)!) }
    let child = SwinjectDialect.Container(parent: container)
    let engine = Engine()
    child.register(Engine.self) { _ in engine }
    #expect(try child.corinth.resolve(Car.self).engine === engine)
  }

  @Test func aCycleThroughBothInterfacesEndsWithAMessage() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let container = SwinjectDialect.Container()
      container.register(Car.self) { r in Car(engine: r.resolve(Engine.self)!) }
        .inObjectScope(.container)
      try container.corinth.register(Engine.self, scope: .singleton) { resolver in
        _ = try resolver.resolve(Car.self)
        return Engine()
      }
      _ = container.resolve(Car.self)
    }
    let output = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(output.contains("Circular dependency"), "\(output)")
  }

  @Test func aFactoryOfCorinthThatThrowsEndsTheProgramOfAnInterfaceWithoutErrors() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      struct Failure: Error {}
      let container = SwinjectDialect.Container()
      try container.corinth.register(Engine.self) { _ in throw Failure() }
      _ = container.resolve(Engine.self)
    }
    let output = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(output.contains("Failure"), "\(output)")
  }

  @Test func aServiceThatIsGoneIsAnErrorOfCorinth() throws {
    container.register(Engine.self) { _ in Engine() }
    container.removeAll()
    #expect(throws: ResolutionError.self) { try container.corinth.resolve(Engine.self) }
    let core = SwinjectDialect.Container { $0.register(Engine.self) { _ in Engine() } }.corinth
    #expect(throws: ResolutionError.self) { try core.resolve(Engine.self) }
  }

  @Test func instancesOfBothAreReleasedWithTheContainer() async throws {
    let tracker = LifetimeTracker()
    do {
      let container = SwinjectDialect.Container()
      container.register(Tracked.self) { _ in tracker.make() }.inObjectScope(.container)
      try container.corinth.register([Tracked].self, scope: .singleton) { resolver in
        [try resolver.resolve(Tracked.self)]
      }
      #expect(container.resolve([Tracked].self)?.count == 1)
    }
    await tracker.waitUntilNoneIsLeft()
    #expect(tracker.alive == 0)
  }
}
