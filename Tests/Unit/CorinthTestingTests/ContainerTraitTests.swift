// SPDX-License-Identifier: MIT

import Corinth
import CorinthTesting
import TestSupport
import Testing

private let shop = Shop()
private let application = shop.container

/// What a test sees of the fork that the trait gives it.
struct ContainerTraitTests {
  @Test(.container(application) { try $0.overrideMailer("fake") })
  func theOverrideReachesSingletonsOfTheFork() throws {
    let container = try #require(Container.current)
    #expect(container.base === application)
    #expect(try container.label == "fake")
    #expect(CheckoutPage().checkout.mailer.label == "fake")
    #expect(try application.resolve((any Mailer).self).label == "real")
  }

  @Test(.container(application)) func overridesMayBeLeftOut() throws {
    let container = try #require(Container.current)
    #expect(container !== application)
    #expect(try container.label == "real")
  }

  @Test(.container(application)) func aTestMayOverrideInItsBody() throws {
    let container = try #require(Container.current)
    try container.overrideMailer("body")
    #expect(try container.label == "body")
  }

  @Test(
    .container(application) {
      await Task.yield()
      try $0.overrideMailer("asynchronous")
    })
  func overridesMayBeAsynchronous() throws {
    #expect(try #require(Container.current).label == "asynchronous")
  }

  @Sendable private static func makeApplication() async throws -> Container {
    await Task.yield()
    return Shop().container
  }

  @Test(.container(making: makeApplication) { try $0.overrideMailer("made") })
  func theApplicationMayBeMadeAsynchronously() throws {
    #expect(try #require(Container.current).label == "made")
  }

  @Test(.container(application) { try $0.overrideMailer("outer") })
  func aTestMayHaveOverridesOfItsOwnForAWhile() async throws {
    try await application.withOverrides {
      try $0.overrideMailer("inner")
    } run: { container in
      let label = try container.label
      #expect(label == "inner")
    }
    #expect(try #require(Container.current).label == "outer")
  }

  @Test func withoutTheTraitThereIsNoContainer() {
    #expect(Container.current == nil)
  }

  // MARK: - Tasks and actors

  @Test(.container(application) { try $0.overrideMailer("group") })
  func tasksOfAGroupSeeTheFork() async throws {
    let labels = try await withThrowingTaskGroup { group in
      for _ in 0..<10 { group.addTask { CheckoutPage().checkout.mailer.label } }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(labels == Array(repeating: "group", count: 10))
  }

  @Test(.container(application) { try $0.overrideMailer("task") })
  func aTaskSeesTheForkAndADetachedTaskDoesNot() async throws {
    let label = await Task { CheckoutPage().checkout.mailer.label }.value
    let inDetached = await Task.detached { Container.current }.value
    #expect(label == "task")
    #expect(inDetached == nil)
  }

  @Test(.container(application) { try $0.overrideMailer("main") })
  @MainActor func aTestOfTheMainActorSeesTheFork() async throws {
    MainActor.assertIsolated()
    #expect(CheckoutPage().checkout.mailer.label == "main")
    await Task.yield()
    #expect(try #require(Container.current).label == "main")
  }

  private actor Till {
    func label() throws -> String? { try Container.current?.label }
  }

  @Test(.container(application) { try $0.overrideMailer("actor") })
  func anActorThatTheTestCallsSeesTheFork() async throws {
    #expect(try await Till().label() == "actor")
  }
}

// MARK: - Suites

@Suite(.container(application) { try $0.overrideMailer("suite") })
final class ContainerTraitSuiteTests {
  private let label = try? Container.current?.label
  private let page = CheckoutPage()

  deinit {
    #expect(Container.current?.isClosed == false)
  }

  @Test func theInitializerOfTheSuiteSeesTheFork() {
    #expect(label == "suite")
    #expect(page.checkout.mailer.label == "suite")
  }

  @Test(.container(application) { try $0.overrideMailer("test") })
  func theTraitOfATestOverridesThatOfItsSuite() throws {
    #expect(try #require(Container.current).label == "test")
  }

  @Suite(.container(application) { try $0.register(Int.self) { _ in 7 } })
  struct Inner {
    @Test(.container(application) { try $0.register(String.self) { _ in "test" } })
    func traitsAddUp() throws {
      let container = try #require(Container.current)
      #expect(try container.label == "suite")
      #expect(try container.resolve(Int.self) == 7)
      #expect(try container.resolve(String.self) == "test")
    }

    @Test func aTestWithoutATraitHasThatOfItsSuites() throws {
      let container = try #require(Container.current)
      #expect(try container.label == "suite")
      #expect(try container.resolve(Int.self) == 7)
      #expect(try container.resolveIfRegistered(String.self) == nil)
    }
  }

  @Suite(.container(Shop().container))
  struct OfAnotherApplication {
    @Test func theInnermostContainerIsCurrent() throws {
      #expect(try #require(Container.current).label == "real")
    }

    @Test(.container(application))
    func aContainerThatIsNamedAgainHasTheOverridesOfTheOuterSuite() throws {
      #expect(try #require(Container.current).label == "suite")
    }
  }
}

// MARK: - Cases

@Suite(.container(application))
struct ContainerTraitCaseTests {
  @Test(arguments: 0..<20) func eachCaseHasAForkOfItsOwn(_ index: Int) async throws {
    let container = try #require(Container.current)
    #expect(try container.resolveIfRegistered(Int.self) == nil)
    try container.register(Int.self) { _ in index }
    await Task.yield()
    #expect(try container.resolve(Int.self) == index)
  }
}
