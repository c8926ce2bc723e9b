// SPDX-License-Identifier: MIT

import Corinth
import TestSupport
import XCTest

/// What factories that are closures depend on is recorded while they resolve.
final class RecordingTests: ContainerTestCase {
  private func registerByHand() throws {
    try container.register(Quartz.self) { _ in Quartz() }.as(.singleton)
    try container.register(Gearbox.self) { Gearbox(quartz: try $0.resolve()) }
    try container.register(Axle.self) { Axle(gearbox: try $0.resolve()) }.as(.singleton)
    try container.register(Vehicle.self) { Vehicle(axle: try $0.resolve()) }
  }

  func testNothingIsKnownOfClosuresThatHaveNotRun() throws {
    try registerByHand()
    XCTAssertEqual(try container.validate().unknown.count, 4)
    container.recordDependencies()
    XCTAssertEqual(try container.validate().unknown.count, 4)
    XCTAssertNoThrow(try container.validate(roots: [Vehicle.self]))
  }

  func testARunOfTheRootTellsAllDependencies() throws {
    try registerByHand()
    // The instances that are ready are resolved anew, and recorded.
    _ = try container.resolve(Vehicle.self)
    container.releaseAll()
    let recording = container.recordDependencies()
    _ = try container.resolve(Vehicle.self)
    recording.stop()
    XCTAssertEqual(try container.validate(roots: [Vehicle.self]).unknown, [])
    container.unregister(Quartz.self)
    let found = findings { try container.validate(roots: [Vehicle.self]) }
    XCTAssertEqual(found.map(\.kind), [.missing])
    XCTAssertEqual(
      found.first?.path,
      [
        RegistrationKey(Vehicle.self), RegistrationKey(Axle.self), RegistrationKey(Gearbox.self),
        RegistrationKey(Quartz.self),
      ])
  }

  func testAReadyInstanceIsRecordedAsADependency() throws {
    try registerByHand()
    _ = try container.resolve(Axle.self)
    container.recordDependencies()
    _ = try container.resolve(Vehicle.self)
    XCTAssertEqual(
      findings { try container.validate(roots: .keys([.init(Vehicle.self), .init(Double.self)])) }
        .map(\.key), [RegistrationKey(Double.self)])
    XCTAssertFalse(try container.validate().unknown.contains(RegistrationKey(Vehicle.self)))
  }

  func testNothingIsRecordedAfterTheEnd() throws {
    try registerByHand()
    container.recordDependencies().stop()
    _ = try container.resolve(Vehicle.self)
    XCTAssertEqual(try container.validate().unknown.count, 4)
  }

  func testAnotherFactoryUnderTheKeyIsUnknownAgain() throws {
    try registerByHand()
    container.recordDependencies()
    _ = try container.resolve(Vehicle.self)
    try container.register(Vehicle.self) { _ in Vehicle() }
    XCTAssertEqual(try container.validate().unknown, [RegistrationKey(Vehicle.self)])
  }

  func testAMissingKeyIsRecordedUnlessTheFactoryDoesWithoutIt() throws {
    try container.register(Int.self) { r in
      _ = try r.resolve(Quartz.self, name: "a")
      return 7
    }
    try container.register(Int.self, name: "b") { r in
      (try? r.resolve(Quartz.self, name: "b")) == nil ? 1 : 2
    }
    container.recordDependencies()
    XCTAssertThrowsError(try container.resolve(Int.self))
    XCTAssertEqual(try container.resolve(Int.self, name: "b"), 1)
    XCTAssertEqual(
      findings { try container.validate() }.map(\.key), [RegistrationKey(Quartz.self, name: "a")])
  }

  func testALazyValueThatAFactoryDoesWithoutIsNotMissed() throws {
    try container.register(Int.self) { r in
      let found = (try? r.resolve(Lazy<Quartz>.self), try? r.provider(for: Gearbox.self))
      return found.0 == nil && found.1 == nil ? 0 : 1
    }
    container.recordDependencies()
    XCTAssertEqual(try container.resolve(Int.self), 0)
    XCTAssertEqual(try container.validate(roots: [Int.self]).unknown, [])
  }

  func testALazyValueThatWasMissingClosesACycle() throws {
    try container.register(Quartz.self) { r in
      _ = try r.resolve(Lazy<Gearbox>.self)
      return Quartz()
    }
    container.recordDependencies()
    XCTAssertThrowsError(try container.resolve(Quartz.self))
    XCTAssertEqual(findings { try container.validate() }.map(\.kind), [.missing])
    try container.wire(Gearbox.self, using: Gearbox.init(quartz:))
    XCTAssertEqual(try container.validate().unknown, [RegistrationKey(Quartz.self)])
    XCTAssertNoThrow(try container.resolve(Gearbox.self))
  }

  func testACycleOfClosuresIsRecorded() throws {
    try container.register(Quartz.self) { r in
      _ = try r.resolve(Gearbox.self)
      return Quartz()
    }.as(.singleton)
    try container.register(Gearbox.self) { Gearbox(quartz: try $0.resolve()) }
    container.recordDependencies()
    XCTAssertThrowsError(try container.resolve(Gearbox.self))
    XCTAssertEqual(findings { try container.validate() }.map(\.kind), [.cyclic])
  }

  func testWhatAnAfterInitActionResolvesClosesACycle() throws {
    try container.register(Quartz.self) { _ in Quartz() }.as(.singleton)
      .afterInit { resolver, _ in _ = try resolver.resolve(Gearbox.self) }
    try container.register(Gearbox.self) { Gearbox(quartz: try $0.resolve()) }.as(.singleton)
    container.recordDependencies()
    _ = try container.resolve(Gearbox.self)
    XCTAssertEqual(try container.validate(roots: [Quartz.self]).unknown, [])
    container.unregister(Gearbox.self)
    XCTAssertEqual(findings { try container.validate() }.map(\.kind), [.missing])
  }

  func testTheActionOfATransientClosesNoCycle() throws {
    try container.register(Quartz.self) { _ in Quartz() }
      .afterInit { resolver, _ in _ = try resolver.resolve(Gearbox.self) }
    try container.register(Gearbox.self) { Gearbox(quartz: try $0.resolve()) }
    container.recordDependencies()
    XCTAssertThrowsError(try container.resolve(Gearbox.self)) {
      XCTAssertTrue($0.is(.circularDependencyDetected), "\($0)")
    }
    XCTAssertEqual(findings { try container.validate() }.map(\.kind), [.cyclic])
  }

  func testProvidersAndLazyValuesAreForLater() throws {
    try container.register(Quartz.self) { r in
      _ = try (r.provider(for: Gearbox.self), r.resolve(Lazy<Gearbox>.self))
      return Quartz()
    }.as(.singleton)
    try container.register(Gearbox.self) { Gearbox(quartz: try $0.resolve()) }.as(.singleton)
    container.recordDependencies()
    _ = try container.resolve(Gearbox.self)
    XCTAssertEqual(try container.validate(roots: [Quartz.self]).unknown, [])
  }

  func testADecoratorsDependenciesAreThoseOfItsProducts() throws {
    try container.wire(Quartz.self, using: Quartz.init)
    try container.wire(Gearbox.self, using: Gearbox.init(quartz:))
    try container.decorate(Quartz.self) { clock, resolver in
      _ = try resolver.resolve(Gearbox.self)
      return clock
    }
    XCTAssertEqual(try container.validate().unknown, [RegistrationKey(Quartz.self)])
    container.recordDependencies()
    XCTAssertThrowsError(try container.resolve(Gearbox.self))
    XCTAssertEqual(findings { try container.validate() }.map(\.kind), [.cyclic])
  }

  func testFactoriesOfTheParentAreRecordedToo() throws {
    try registerByHand()
    let child = Container(parent: container)
    try child.register(Int.self) { r in
      _ = try r.resolve(Vehicle.self)
      return 7
    }
    child.recordDependencies()
    _ = try child.resolve(Int.self)
    XCTAssertEqual(try child.validate(roots: [Int.self]).unknown, [])
  }

  func testAsynchronousFactoriesAreRecorded() async throws {
    try container.registerAsync(Quartz.self) { _ in Quartz() }.as(.singleton)
    try container.registerAsync(Gearbox.self) { Gearbox(quartz: try await $0.resolveAsync()) }
      .as(.singleton)
      .afterInit { resolver, _ in _ = try await resolver.resolveAsync(Vehicle.self) }
    try container.registerAsync(Vehicle.self) { r in
      _ = try await r.resolveAsync(Gearbox.self)
      return Vehicle()
    }
    container.recordDependencies()
    _ = try await container.resolveAsync(Gearbox.self)
    XCTAssertEqual(try container.validate(roots: [Vehicle.self]).unknown, [])
    container.unregister(Vehicle.self)
    XCTAssertEqual(findings { try container.validate() }.map(\.kind), [.missing])
  }

  func testASynchronousActionCannotWait() async throws {
    try container.registerAsync(Quartz.self) { _ in Quartz() }
    try container.registerAsync(Gearbox.self) { _ in Gearbox() }
      .afterInit { resolver, _ in
        _ = try resolver.resolve(Quartz.self)
        _ = try resolver.resolve(Axle.self)
      }
    container.recordDependencies()
    do {
      _ = try await container.resolveAsync(Gearbox.self)
      XCTFail("The action has resolved what only a task can build.")
    } catch {}
    let found = findings { try container.validate() }
    XCTAssertEqual(found.map(\.kind), [.asynchronous])
    XCTAssertEqual(
      found.map { "\($0)".split(separator: "\n").first },
      [
        "An afterInit action of Gearbox is synchronous, and resolves Quartz, which only resolveAsync can build."
      ])
  }

  func testAnActionFindsWhatItsFactoryHasAwaited() async throws {
    try container.registerAsync(Quartz.self) { _ in Quartz() }.as(.graph)
    try container.registerAsync(Gearbox.self) { Gearbox(quartz: try await $0.resolveAsync()) }
      .afterInit { resolver, _ in _ = try resolver.resolve(Quartz.self) }
    container.recordDependencies()
    _ = try await container.resolveAsync(Gearbox.self)
    XCTAssertEqual(try container.validate().unknown, [])
  }

  func testAnActionThatHasFailedIsUnknown() throws {
    try container.wire(Quartz.self, using: Quartz.init)
    try container.register(Gearbox.self) { _ in Gearbox() }
      .afterInit { resolver, _ in
        _ = try resolver.resolve(Quartz.self)
        _ = try resolver.resolve(Axle.self)
      }
    container.unregister(Quartz.self)
    container.recordDependencies()
    XCTAssertThrowsError(try container.resolve(Gearbox.self))
    try container.wire(Quartz.self, using: Quartz.init)
    XCTAssertEqual(try container.validate().unknown, [RegistrationKey(Gearbox.self)])
  }

  func testADecoratorOfAForwardCannotWait() async throws {
    try container.registerAsync(Quartz.self) { _ in Quartz() }.dependsOn()
    try container.register(Gearbox.self) { _ in Gearbox() }.implements(Component.self).dependsOn()
    try container.decorate(Component.self) { component, resolver in
      _ = try resolver.resolve(Quartz.self)
      return component
    }
    container.recordDependencies()
    XCTAssertThrowsError(try container.resolve(Component.self))
    XCTAssertEqual(findings { try container.validate() }.map(\.kind), [.asynchronous])
  }

  func testATaskThatOutlivesTheFactoryNeedsNothingForIt() async throws {
    let gate = AsyncGate()
    let task = Guarded<Task<Bool, Never>>()
    try container.register(Quartz.self) { r in
      let started = Task {
        await gate.wait()
        return (try? r.resolve(Gearbox.self)) != nil
      }
      task.value = started
      return Quartz()
    }.as(.singleton)
    try container.register(Gearbox.self) { Gearbox(quartz: try $0.resolve()) }.as(.singleton)
    container.recordDependencies()
    _ = try container.resolve(Quartz.self)
    gate.open()
    let isResolved = await task.value?.value
    XCTAssertEqual(isResolved, true)
    XCTAssertEqual(try container.validate(roots: [Quartz.self]).unknown, [])
  }

  func testADependencyThatMayBeMissingIsNotMissed() async throws {
    try container.register(Quartz.self) { _ in Quartz() }.as(.singleton)
    try container.register(Gearbox.self) { (_, _: Int) in Gearbox() }
    try container.register(Int.self) { r in
      let found = try (
        r.resolveIfRegistered(Quartz.self), r.resolveIfRegistered(Gearbox.self, arguments: 7)
      )
      return found.0 == nil && found.1 == nil ? 0 : 1
    }
    try container.registerAsync(Double.self) { r in
      try await r.resolveAsyncIfRegistered(Quartz.self) == nil ? 0 : 1
    }
    container.recordDependencies()
    _ = try (container.resolve(Int.self), await container.resolveAsync(Double.self))
    XCTAssertEqual(try container.validate(roots: [Int.self, Double.self]).unknown, [])
    container.unregister(Quartz.self)
    container.unregister(Gearbox.self, arguments: Int.self)
    XCTAssertNoThrow(try container.validate())
  }

  func testWhatAnOptionalDependencyNeedsIsMissed() throws {
    try registerByHand()
    try container.register(Int.self) { r in
      try r.resolveIfRegistered(Gearbox.self) == nil ? 0 : 1
    }
    container.recordDependencies()
    _ = try container.resolve(Int.self)
    container.unregister(Quartz.self)
    XCTAssertEqual(
      findings { try container.validate() }.flatMap(\.places).map(\.key),
      [RegistrationKey(Gearbox.self)])
  }

  /// A fork that had replaced the forward was told that it lacks the type behind the former one.
  func testAForwardIsADependencyAndWhatIsBehindItIsNone() async throws {
    try container.register(Quartz.self) { _ in Quartz() }.as(.singleton).implements(Component.self)
    try container.register(Int.self) { r in
      _ = try r.resolve(Component.self)
      return 7
    }
    try container.registerAsync(Double.self) { r in
      _ = try await r.resolveAsync(Component.self)
      return 7
    }
    let recording = container.recordDependencies()
    _ = try (container.resolve(Int.self), await container.resolveAsync(Double.self))
    recording.stop()
    XCTAssertEqual(try container.validate(roots: [Int.self, Double.self]).unknown, [])
    let fork = try container.fork {
      try $0.register(value: Component(), as: Component.self, onDuplicate: .require)
      $0.unregister(Quartz.self)
    }
    XCTAssertNoThrow(try fork.resolve(Int.self))
    XCTAssertEqual(try fork.validate(roots: [Int.self, Double.self]).unknown, [])
    container.unregister(Quartz.self)
    XCTAssertEqual(findings { try container.validate() }.map(\.kind), [.forwarding])
  }

  func testAForwardThatLeadsToAFactoryThatFailsIsADependency() throws {
    try container.register(Quartz.self) { r in
      _ = try r.resolve(Axle.self)
      return Quartz()
    }.implements(Component.self)
    try container.register(Int.self) { r in
      _ = try r.resolve(Component.self)
      return 7
    }
    container.recordDependencies()
    XCTAssertThrowsError(try container.resolve(Int.self))
    XCTAssertEqual(
      findings { try container.validate(roots: [Int.self]) }.map(\.path),
      [
        [
          RegistrationKey(Int.self), RegistrationKey(Component.self), RegistrationKey(Quartz.self),
          RegistrationKey(Axle.self),
        ]
      ])
  }

  /// A tree that is built from its leaves was called a circular dependency.
  func testAFactoryMayRecurWithOtherArguments() throws {
    try container.register(Quartz.self) { (r: Resolver, depth: Int) in
      if depth > 0 { _ = try r.resolve(Quartz.self, arguments: depth - 1) }
      return Quartz()
    }
    try container.register(Gearbox.self) { Gearbox(quartz: try $0.resolve(arguments: 3)) }
    let recording = container.recordDependencies()
    _ = try container.resolve(Gearbox.self)
    recording.stop()
    XCTAssertEqual(try container.validate(roots: [Gearbox.self]).unknown, [])
    XCTAssertEqual(try container.fork().syncValidate(building: true).unknown, [])
  }

  func testACycleThroughAFactoryThatHasReturnedForOtherArgumentsIsFound() throws {
    try container.register(Gearbox.self) { Gearbox(quartz: try $0.resolve(arguments: 1)) }
    try container.register(Quartz.self) { (r: Resolver, depth: Int) in
      if depth > 0 { _ = try r.resolve(Gearbox.self) }
      return Quartz()
    }
    let recording = container.recordDependencies()
    _ = try container.resolve(Quartz.self, arguments: 0)
    XCTAssertThrowsError(try container.resolve(Gearbox.self))
    recording.stop()
    XCTAssertEqual(findings { try container.validate() }.map(\.kind), [.cyclic])
  }

  /// The child's forward is not recorded: without the run of the parent's factory, what it leads to
  /// would be lost.
  func testWhatIsBehindTheForwardOfAChildIsADependencyInTheParent() throws {
    try container.register(Quartz.self) { _ in Quartz() }
    try container.register(Int.self) { r in
      _ = try r.resolve(Component.self)
      return 7
    }
    let child = Container(parent: container)
    try child.forward(Component.self, to: Quartz.self)
    let recording = container.recordDependencies()
    _ = try child.resolve(Int.self)
    recording.stop()
    XCTAssertFalse(
      findings { try container.validate(roots: [Int.self]) }.contains { $0.kind == .unused })
  }

  func testAFactoryThatRecursWithItsOwnArgumentsIsACycle() throws {
    try container.register(Quartz.self) { (r: Resolver, depth: Int) in
      try r.resolve(Quartz.self, arguments: depth)
    }
    container.recordDependencies()
    XCTAssertThrowsError(try container.resolve(Quartz.self, arguments: 3))
    XCTAssertEqual(findings { try container.validate() }.map(\.kind), [.cyclic])
  }

  /// A tenant was recorded, and slow, for as long as it lived.
  func testAForkIsNotRecordedWithItsBase() throws {
    try registerByHand()
    let recording = container.recordDependencies()
    let fork = container.fork()
    _ = try fork.resolve(Vehicle.self)
    recording.stop()
    fork.releaseAll()
    _ = try fork.resolve(Vehicle.self)
    XCTAssertEqual(try fork.validate().unknown.count, 4)
    fork.releaseAll()
    let own = fork.recordDependencies()
    _ = try fork.resolve(Vehicle.self)
    own.stop()
    XCTAssertEqual(try fork.validate(roots: [Vehicle.self]).unknown, [])
  }

  /// What is recorded of the parents was lost in forks, which have copies of their registrations.
  func testAForkOfAChildKnowsWhatWasRecordedOfTheParents() throws {
    try registerByHand()
    let child = Container(parent: container)
    try child.register(Int.self) { r in
      _ = try r.resolve(Vehicle.self)
      return 7
    }
    let recording = child.recordDependencies()
    _ = try child.resolve(Int.self)
    recording.stop()
    XCTAssertEqual(try child.fork().validate(roots: [Int.self]).unknown, [])
    XCTAssertEqual(try child.fork().fork().validate(roots: [Int.self]).unknown, [])
    let scope = container.makeScope()
    XCTAssertEqual(try scope.fork().validate(roots: [Vehicle.self]).unknown, [])
  }

  /// Resolves a vehicle whenever a number was resolved.
  private struct Driver: Behavior {
    func didResolve(_ key: RegistrationKey, as instance: Any, in container: Container) {
      if key.product == Int.self { _ = try? container.resolve(Vehicle.self) }
    }
  }

  /// The singletons that a tracer had built first were said to need nothing.
  func testAFactoryThatFirstRunsForABehaviorIsRecorded() throws {
    try registerByHand()
    container.add(Driver())
    try container.register(Int.self) { _ in 7 }
    try container.register(String.self) { "\(try $0.resolve(Int.self))" }
    let recording = container.recordDependencies()
    _ = try container.resolve(String.self)
    recording.stop()
    XCTAssertEqual(try container.validate(roots: [String.self, Vehicle.self]).unknown, [])
    let found = findings { try container.validate(roots: [String.self]) }
    XCTAssertEqual(found.map(\.kind), [.unused, .unused, .unused, .unused])
    container.unregister(Quartz.self)
    XCTAssertEqual(
      findings { try container.validate() }.map(\.path.last), [RegistrationKey(Quartz.self)])
  }

  func testManyThreadsMayBeRecorded() throws {
    unowned let container = container
    for number in 0..<40 {
      let next = Name("\(number + 1)")
      try container.register(Int.self, name: "\(number)") { try $0.resolve(Int.self, name: next) }
    }
    try container.register(Int.self, name: "40") { _ in 0 }
    try onThreads(4) { thread in
      for _ in 0..<10 {
        let recording = container.recordDependencies()
        _ = try container.resolve(Int.self, name: "0")
        recording.stop()
      }
    }
    XCTAssertEqual(try container.validate(roots: .keys([.init(Int.self, name: "0")])).unknown, [])
  }
}
