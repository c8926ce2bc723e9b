// SPDX-License-Identifier: MIT

import Corinth
import CorinthTesting
import TestSupport
import Testing

private final class Engine: Sendable {
  let container: Container?
  init(_ container: Container? = nil) { self.container = container }
}
private final class Car: Sendable {}

/// A factory that captured its own container kept the container for ever, unseen.
struct ReleasedTests {
  /// The failure of a container that `register` fills.
  private func failure(
    sourceLocation: Testing.SourceLocation = #_sourceLocation,
    _ register: (Container) throws -> Void
  ) async throws -> String {
    let issues = try await issues(sourceLocation: sourceLocation) {
      try expectReleased {
        let container = Container()
        try register(container)
        return container
      }
    }
    #expect(issues.count == 1, sourceLocation: sourceLocation)
    return issues.first ?? ""
  }

  private func expectNoFailure(_ register: (Container) throws -> Void) throws {
    try expectReleased {
      let container = Container()
      try register(container)
      return container
    }
  }

  // MARK: - What is named

  @Test func aFactoryThatCapturesItsContainerIsNamed() async throws {
    let text = try await failure { container in
      try container.register(Car.self, file: "App/Cars.swift", line: 3) { _ in Car() }
      try container.register(Engine.self, file: "App/Cars.swift", line: 4) { _ in
        _ = try container.resolve(Car.self)
        return Engine()
      }
    }
    #expect(
      text == """
        A container is never released: its own registrations keep it alive.
          the factory of Engine captures the container, or an object that has it, registered at App/Cars.swift:4
          hint: a factory resolves from the resolver that it is given, or captures the container weakly; \
        an instance has a `Provider` or a `Lazy`.
        """)
  }

  @Test func eachFactoryThatCapturesItsContainerIsNamed() async throws {
    let text = try await failure { container in
      try container.register(Car.self, name: "first") { _ in try container.resolve(Car.self) }
      try container.register(Int.self) { _ in 1 }
      try container.registerAsync(Car.self, name: "second") { _ in
        try await container.resolveAsync(Car.self)
      }
      try container.register(Car.self, name: "third") { (_, _: Int) in
        try container.resolve(Car.self)
      }
      try container.register(evaluating: try container.resolve(Car.self), as: Car?.self)
    }
    for name in ["first", "second", "third"] {
      #expect(text.contains("the factory of Car named \"\(name)\""), "\(text)")
    }
    #expect(text.contains("Car?") || text.contains("Optional<Car>"), "\(text)")
    #expect(!text.contains("Int captures"), "\(text)")
  }

  @Test func aFactoryThatCapturesAChildIsNamed() async throws {
    let text = try await failure { container in
      let child = Container(parent: container)
      try container.register(Car.self) { _ in try child.resolve(Car.self) }
    }
    #expect(text.contains("the factory of Car captures"), "\(text)")
  }

  @Test func aFactoryThatCapturesAForkOrAScopeIsNamed() async throws {
    for make: (Container) -> Container in [{ $0.fork() }, { $0.makeScope() }] {
      let text = try await failure { container in
        let other = make(container)
        try container.register(Car.self) { _ in try other.resolve(Car.self) }
      }
      #expect(text.contains("the factory of Car captures"), "\(text)")
    }
  }

  @Test func anObjectThatHasTheContainerIsFoundInAFactory() async throws {
    let text = try await failure { container in
      let engine = Engine(container)
      try container.register(Car.self) { _ in
        _ = engine.container
        return Car()
      }
    }
    #expect(text.contains("the factory of Car captures"), "\(text)")
  }

  @Test func anActionOfARegistrationThatCapturesTheContainerIsNamed() async throws {
    let text = try await failure { container in
      try container.register(Car.self, scope: .singleton) { _ in Car() }
        .afterInit { _, _ in _ = try? container.resolve(Int.self) }
    }
    #expect(text.contains("the factory of Car captures"), "\(text)")
  }

  @Test func anInstanceThatHasItsContainerIsNamed() async throws {
    let text = try await failure { container in
      try container.register(Engine.self, scope: .singleton) { _ in Engine(Container.current) }
      _ = try container.withCurrent { try container.resolve(Engine.self) }
    }
    #expect(
      text.contains("the instance of Engine has a reference to the container"), "\(text)")
    #expect(!text.contains("factory of"), "\(text)")
  }

  @Test func aValueThatHasItsContainerIsNamed() async throws {
    let text = try await failure { try $0.register(value: Engine($0)) }
    #expect(
      text.contains("the instance of Engine has a reference to the container"), "\(text)")
  }

  @Test func aDecoratorThatCapturesItsContainerIsNamed() async throws {
    let text = try await failure { container in
      try container.register(Car.self) { _ in Car() }
      try container.decorate(Car.self) { car, _ in
        _ = try? container.resolve(Int.self)
        return car
      }
    }
    #expect(text.contains("the decorator of Car captures the container"), "\(text)")
  }

  @Test func aFrozenContainerIsNamed() async throws {
    let text = try await failure { container in
      try container.register(Car.self) { _ in try container.resolve(Car.self) }
      try container.freeze()
    }
    #expect(text.contains("the factory of Car captures"), "\(text)")
  }

  // MARK: - What is not

  @Test func factoriesThatUseTheirResolverPass() throws {
    try expectNoFailure { container in
      try container.register(Car.self, scope: .singleton) { _ in Car() }
      try container.register(Engine.self, scope: .singleton) { resolver in
        _ = try resolver.resolve(Car.self)
        return Engine()
      }
      _ = try container.resolve(Engine.self)
    }
  }

  @Test func aWeakCapturePasses() throws {
    try expectNoFailure { container in
      try container.register(Car.self) { [weak container] _ in
        _ = try container?.resolve(Int.self)
        return Car()
      }
    }
  }

  @Test func anInstanceWithAProviderPasses() throws {
    try expectNoFailure { container in
      try container.register(Car.self) { _ in Car() }
      try container.register((@Sendable () throws -> Car).self, scope: .singleton) { resolver in
        let provider = try resolver.resolve(Provider<Car>.self)
        return { try provider() }
      }
      _ = try container.resolve((@Sendable () throws -> Car).self)
    }
  }

  @Test func aGlobalContainerPassesAndStaysAsItIs() throws {
    let global = Container()
    try global.register(Int.self) { _ in 1 }
    // Kept by the test and by itself.
    try global.register(Car.self) { _ in try global.resolve(Car.self) }
    try expectReleased { global }
    #expect(try global.resolve(Int.self) == 1)
    #expect(global.contains(Car.self))
    global.removeAll()
  }

  @Test func aContainerThatSomebodyElseKeepsPasses() throws {
    let kept = Locked<[Container]>([])
    try expectReleased {
      let container = Container()
      try container.register(Int.self) { _ in 1 }
      kept.withLock { $0.append(container) }
      return container
    }
    #expect(try kept.withLock { $0 }.first?.resolve(Int.self) == 1)
  }

  @Test func aContainerThatHasBeenShutDownPasses() async throws {
    try await expectReleased {
      let container = Container()
      try container.register(Car.self) { _ in try container.resolve(Car.self) }
      try await container.shutdown()
      return container
    }
  }

  @Test func theErrorOfTheClosureIsThrown() throws {
    struct Failure: Error {}
    #expect(throws: Failure.self) { try expectReleased { throw Failure() } }
  }

  // MARK: - The trait

  private func makeKeptApplication() throws -> Container {
    let container = Container()
    try container.register(Car.self) { _ in try container.resolve(Car.self) }
    return container
  }

  @Test func aTestWhoseApplicationKeepsItselfFails() async throws {
    let issues = try await issues(of: .container(try makeKeptApplication())) {}
    #expect(issues.count == 1)
    #expect(issues.first?.contains("the factory of Car captures") == true, "\(issues)")
    #expect(issues.first?.contains("CorinthTestingTests/ReleasedTests.swift:") == true, "\(issues)")
  }

  @Test func anApplicationThatIsMadeAsynchronouslyIsCheckedToo() async throws {
    let make = makeKeptApplication
    let issues = try await issues(of: .container(making: { try make() })) {}
    #expect(issues.count == 1)
  }

  @Test func withoutTheChecksOfDisposalTheTestPasses() async throws {
    let test = try #require(Test.current)
    let trait = ContainerTrait.container(try makeKeptApplication(), checksDisposal: false)
    try await trait.provideScope(for: test, testCase: Test.Case.current) {}
  }

  @Test(.container(keptByItself)) func aGlobalApplicationThatKeepsItselfPasses() throws {
    let container = try #require(Container.current)
    #expect(try container.resolve(Int.self) == 1)
  }

  @Test(.container(keptByItself)) func aGlobalApplicationServesTheNextTest() throws {
    let container = try #require(Container.current)
    #expect(try container.resolve(Int.self) == 1)
  }
}

private let keptByItself: Container = {
  let container = Container()
  do {
    try container.register(Int.self) { _ in 1 }
    try container.register(Car.self) { _ in try container.resolve(Car.self) }
  } catch { Issue.record(error) }
  return container
}()
