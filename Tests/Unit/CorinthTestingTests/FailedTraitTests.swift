// SPDX-License-Identifier: MIT

import Corinth
import CorinthTesting
import TestSupport
import Testing
import TestingSupport

/// What fails a test that has the trait, and with which text.
struct FailedTraitTests {
  private struct Failure: Error, CustomStringConvertible {
    let description: String
  }

  private let shop = Shop()
  private var application: Container { shop.container }

  init() {
    // What is let go of here is meant to be.
    Container.onUndisposed = nil
  }

  // MARK: - Unimplemented services

  @Test func aTestThatAsksForAnUnimplementedServiceFailsAndGetsAnError() async throws {
    let line = #line + 2
    let issues = try await issues(
      of: .container(application) {
        try $0.register(
          (any Mailer).self, onDuplicate: .require, factory: unimplemented((any Mailer).self))
      }
    ) {
      let container = try #require(Container.current)
      #expect(throws: ResolutionError.underlyingError) { try container.label }
    }
    try #require(issues.count == 1)
    #expect(
      issues[0] == """
        any Mailer was asked for, and is unimplemented in \
        aTestThatAsksForAnUnimplementedServiceFailsAndGetsAnError().
          overridden at CorinthTestingTests/FailedTraitTests.swift:\(line + 2)
          hint: override it with a test double, or keep the code under test from asking for it.
        """)
  }

  @Test func theNameIsNamed() async throws {
    let issues = try await issues(
      of: .container(application) {
        try $0.register(
          Int.self, name: "port", factory: unimplemented(Int.self, name: "port"))
      }
    ) {
      _ = try? Container.current?.resolve(Int.self, name: "port")
    }
    #expect(issues.count == 1)
    #expect(issues.first?.hasPrefix(#"Int named "port" was asked for"#) == true)
  }

  /// Swift Testing does not know which test a detached task belongs to.
  @Test func aDetachedTaskThatAsksForItFailsTheTestToo() async throws {
    let issues = try await issues(
      of: .container(application) {
        try $0.register(
          (any Mailer).self, onDuplicate: .require, factory: unimplemented((any Mailer).self))
      }
    ) {
      let container = try #require(Container.current)
      let result = await Task.detached { Result { try container.label } }.result.get()
      #expect(throws: ResolutionError.underlyingError) { try result.get() }
    }
    #expect(issues.count == 1)
    #expect(issues.first?.contains("aDetachedTaskThatAsksForItFailsTheTestToo()") == true)
  }

  @Test func aFactoryWithArgumentsThatADetachedTaskAsksForDoesSoToo() async throws {
    let issues = try await issues(
      of: .container(application) {
        try $0.register(
          String.self, name: "greeting",
          factory: unimplemented(
            String.self, name: "greeting", arguments: Int.self, (any Mailer).self))
      }
    ) {
      let container = try #require(Container.current)
      let mailer = LabeledMailer(label: "fake") as any Mailer
      let result = await Task.detached {
        Result { try container.resolve(String.self, name: "greeting", arguments: 7, mailer) }
      }.value
      #expect(throws: ResolutionError.underlyingError) { try result.get() }
    }
    #expect(issues.count == 1)
    #expect(
      issues.first?.hasPrefix(
        """
        String named "greeting" with arguments (Int, Mailer) was asked for, and is unimplemented in \
        aFactoryWithArgumentsThatADetachedTaskAsksForDoesSoToo().
        """) == true, "\(issues)")
  }

  @Test func aFactoryThatAnotherTestHasMadeNamesTheTestThatAsks() async throws {
    let other = TestRun(of: "other()")
    let factory = TestRun.$current.withValue(other) { unimplemented((any Mailer).self) }
    other.end()
    let issues = try await issues(
      of: .container(application) {
        try $0.register((any Mailer).self, onDuplicate: .require, factory: factory)
      }
    ) {
      _ = try? Container.current?.label
    }
    #expect(issues.count == 1)
    #expect(
      issues.first?.contains("aFactoryThatAnotherTestHasMadeNamesTheTestThatAsks()") == true)
  }

  @Test(
    .container(Shop().container) {
      try $0.register(
        (any Mailer).self, onDuplicate: .require, factory: unimplemented((any Mailer).self))
    })
  func aTestThatDoesNotAskForItPasses() throws {
    try #require(Container.current).overrideMailer("fake")
    #expect(try Container.current?.label == "fake")
  }

  // MARK: - Undisposed instances

  @Test func anInstanceThatIsReleasedUndisposedFailsTheTest() async throws {
    let issues = try await issues(of: .container(application)) {
      _ = try Container.current?.label
      Container.current?.release(Checkout.self)
    }
    #expect(issues.count == 1)
    #expect(issues.first?.hasPrefix("Checkout was released, and not disposed of.") == true)
  }

  @Test func aScopeThatIsDroppedFailsTheTest() async throws {
    let issues = try await issues(of: .container(application)) {
      _ = try Container.current?.makeScope().resolve(Basket.self)
    }
    #expect(issues.count == 1)
    #expect(issues.first?.contains("has not disposed of Basket") == true)
    #expect(issues.first?.contains("made at CorinthTestingTests/FailedTraitTests.swift") == true)
  }

  @Test func whatChildrenAndForksOfTheForkDropFailsTheTest() async throws {
    let issues = try await issues(of: .container(application)) {
      let container = try #require(Container.current)
      let child = Container(parent: container)
      try child.register(Int.self, scope: .singleton) { _ in 1 }.onDispose { _ in }
      _ = try child.resolve(Int.self)
      _ = try container.fork().resolve(Checkout.self)
    }
    #expect(issues.count == 2)
    #expect(issues.allSatisfy { $0.contains("was dropped before its shutdown") })
  }

  /// Counted once, although two traits look.
  @Test func aDropUnderTwoTraitsIsOneIssue() async throws {
    let (application, shop) = (application, shop)
    let (test, testCase) = (try #require(Test.current), try #require(Test.Case.current))
    let issues = try await issues(of: .container(application)) {
      let inner = ContainerTrait.container(application) { try $0.overrideMailer("inner") }
      try await inner.provideScope(for: test, testCase: testCase) {
        let label = try Container.current?.label
        #expect(label == "inner")
        Container.current?.release(Checkout.self)
      }
    }
    #expect(issues.count == 1)
    #expect(shop.tracker.created == 1)
  }

  @Test func aScopeThatIsOpenAtTheEndFailsTheTest() async throws {
    let kept = Guarded<Container>()
    let issues = try await issues(of: .container(application)) {
      kept.value = Container.current?.makeScope()
    }
    #expect(issues.count == 1)
    #expect(issues.first?.hasPrefix("1 request scope was still open") == true)
    try await kept.value?.close()
  }

  @Test func aScopeThatClosesInTimeDoesNot() async throws {
    let trait = ContainerTrait.container(application, draining: .seconds(3600))
    let (test, testCase) = (try #require(Test.current), try #require(Test.Case.current))
    try await trait.provideScope(for: test, testCase: testCase) {
      let scope = try #require(Container.current).makeScope()
      _ = try scope.resolve(Basket.self)
      Task { try await scope.close() }
    }
    #expect(shop.disposals.value == 1)
  }

  @Test(.container(Shop().container, checksDisposal: false))
  func aTestMayLeaveInstancesUndisposed() throws {
    _ = try Container.current?.label
    Container.current?.release(Checkout.self)
    _ = try Container.current?.makeScope().resolve(Basket.self)
  }

  @Test func aTestMayDoSoInASuiteThatChecks() async throws {
    let (application, shop) = (application, shop)
    let (test, testCase) = (try #require(Test.current), try #require(Test.Case.current))
    let outer = ContainerTrait.container(application)
    try await outer.provideScope(for: test, testCase: testCase) {
      let inner = ContainerTrait.container(application, checksDisposal: false)
      try await inner.provideScope(for: test, testCase: testCase) {
        _ = try Container.current?.label
        Container.current?.release(Checkout.self)
      }
    }
    #expect(shop.tracker.created == 1)
    #expect(shop.disposals.value == 0)
  }

  /// The outer trait silenced the inner one.
  @Test func aTestMayCheckInASuiteThatDoesNot() async throws {
    let application = application
    let (test, testCase) = (try #require(Test.current), try #require(Test.Case.current))
    let issues = try await issues(of: .container(application, checksDisposal: false)) {
      let inner = ContainerTrait.container(application)
      try await inner.provideScope(for: test, testCase: testCase) {
        _ = try Container.current?.label
        Container.current?.release(Checkout.self)
      }
    }
    #expect(issues.count == 1)
  }

  // MARK: - Failures around the test

  @Test func anErrorOfTheShutdownFailsTheTest() async throws {
    try application.register(Int.self, scope: .singleton) { _ in 1 }.onDispose { _ in
      await Task.yield()
      throw Failure(description: "no answer")
    }
    let passed = try await issues(of: .container(application)) {
      _ = try Container.current?.resolve(Int.self)
    }
    #expect(passed.count == 1)
    #expect(passed.first?.contains("Int: no answer") == true)
    let failed = try await issues(of: .container(application)) {
      _ = try Container.current?.resolve(Int.self)
      throw Failure(description: "body")
    }
    #expect(failed.count == 2)
    #expect(failed.first?.contains("Int: no answer") == true)
    #expect(failed.last == "body")
  }

  @Test func aFailureOfTheTestIsReportedAsItIs() async throws {
    let disposals = shop.disposals
    let issues = try await issues(of: .container(application)) {
      _ = try Container.current?.label
      throw Failure(description: "body")
    }
    #expect(issues == ["body"])
    #expect(disposals.value == 1)
  }

  @Test func anOverrideOfWhatIsNotRegisteredFailsTheTestBeforeItRuns() async throws {
    let runs = AtomicCounter()
    let issues = try await issues(
      of: .container(application) {
        try $0.register(LabeledMailer.self, onDuplicate: .require) { _ in fatalError() }
      }
    ) {
      runs.add()
    }
    #expect(runs.value == 0)
    #expect(issues.count == 1)
    #expect(
      issues.first?.hasPrefix("Nothing is registered for LabeledMailer.") == true)
    #expect(issues.first?.contains("any Mailer is registered") == true)
  }

  @Test func aContainerThatCannotBeMadeFailsTheTestBeforeItRuns() async throws {
    @Sendable func make() throws -> Container { throw Failure(description: "no settings") }
    let issues = try await issues(of: .container(try make())) {}
    #expect(issues == ["no settings"])
  }

  // MARK: - After the test

  @Test func aForkThatIsKeptIsClosed() async throws {
    let kept = Guarded<Container>()
    let trait = ContainerTrait.container(application)
    let (test, testCase) = (try #require(Test.current), try #require(Test.Case.current))
    try await trait.provideScope(for: test, testCase: testCase) {
      kept.value = Container.current
    }
    #expect(throws: ResolutionError.containerClosed) { try kept.value?.label }
  }

  @Test func aCancelledTestIsCleanedUp() async throws {
    let (test, testCase) = (try #require(Test.current), try #require(Test.Case.current))
    let (trait, disposals) = (ContainerTrait.container(application), shop.disposals)
    let task = Task {
      try await trait.provideScope(for: test, testCase: testCase) {
        _ = try Container.current?.label
        unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
        try Task.checkCancellation()
      }
    }
    let result = await task.result
    #expect(throws: CancellationError.self) { try result.get() }
    #expect(disposals.value == 1)
  }
}
