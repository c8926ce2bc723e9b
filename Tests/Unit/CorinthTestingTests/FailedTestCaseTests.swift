// SPDX-License-Identifier: MIT

import Corinth
import CorinthXCTest
import TestSupport
import TestingSupport
import XCTest

/// A test case whose tests have to fail, each with the texts that it expects.
class FailedTestCase: CorinthXCTest.ContainerTestCase {
  /// Parts of the texts.
  var expected: [String] = []
  private var failures: [String] = []

  override func invokeTest() {
    Container.onUndisposed = nil
    super.invokeTest()
    if failures.count == expected.count, zip(failures, expected).allSatisfy({ $0.contains($1) }) {
      return
    }
    fail("failed with \(failures), and not with \(expected)")
  }

  #if canImport(ObjectiveC)
    override func record(_ issue: XCTIssue) {
      failures.append(issue.compactDescription)
    }

    private func fail(_ text: String) {
      super.record(XCTIssue(type: .assertionFailure, compactDescription: text))
    }
  #else
    override func recordFailure(
      withDescription description: String, inFile filePath: String, atLine lineNumber: Int,
      expected: Bool
    ) {
      failures.append(description)
    }

    private func fail(_ text: String) {
      super.recordFailure(withDescription: text, inFile: #filePath, atLine: #line, expected: true)
    }
  #endif
}

final class FailedTestCaseTests: FailedTestCase {
  private struct Failure: Error {}

  @PerTest private var shop = Shop()
  private var kept: Container?
  private var forgotten: Container?

  override func makeContainer() throws -> Container { shop.container }

  override func overrideServices(in container: Container) throws {
    try container.register(
      (any Mailer).self, onDuplicate: .require, factory: unimplemented((any Mailer).self))
  }

  override func tearDown() {
    kept = nil
  }

  override func invokeTest() {
    super.invokeTest()
    forgotten = nil
  }

  func testAnUnimplementedServiceThatIsAskedFor() throws {
    expected = [
      """
      any Mailer was asked for, and is unimplemented in \
      FailedTestCaseTests.testAnUnimplementedServiceThatIsAskedFor.
        overridden at CorinthTestingTests/FailedTestCaseTests.swift:
      """
    ]
    XCTAssertThrowsError(try container.label) { XCTAssertTrue($0.is(.underlyingError)) }
  }

  func testAnUnimplementedServiceOfAnotherTestNamesTheTestThatAsks() throws {
    let other = TestRun(of: "OtherTests.testOther")
    let factory = TestRun.$current.withValue(other) { unimplemented((any Mailer).self) }
    other.end()
    expected = [
      """
      unimplemented in \
      FailedTestCaseTests.testAnUnimplementedServiceOfAnotherTestNamesTheTestThatAsks.
      """
    ]
    try container.register((any Mailer).self, onDuplicate: .require, factory: factory)
    _ = try? container.label
  }

  func testAnUnimplementedServiceWithArgumentsThatADetachedTaskAsksFor() async throws {
    expected = [
      """
      String with arguments (Int, Mailer) was asked for, and is unimplemented in \
      FailedTestCaseTests.testAnUnimplementedServiceWithArgumentsThatADetachedTaskAsksFor.
      """
    ]
    try container.register(
      String.self, factory: unimplemented(String.self, arguments: Int.self, (any Mailer).self))
    let container = container
    let mailer = LabeledMailer(label: "fake") as any Mailer
    let result = await Task.detached {
      Result { try container.resolve(String.self, arguments: 7, mailer) }
    }.value
    XCTAssertThrowsError(try result.get()) { XCTAssertTrue($0.is(.underlyingError)) }
  }

  func testAnUnimplementedServiceThatOtherThreadsAskFor() throws {
    expected = Array(repeating: "any Mailer was asked for", count: 4)
    let container = container
    try onThreads(4) { _ in _ = try? container.label }
  }

  func testAnInstanceThatIsReleasedUndisposed() throws {
    expected = ["Checkout was released, and not disposed of."]
    try container.overrideMailer("fake")
    _ = try container.label
    container.release(Checkout.self)
  }

  /// Each test case around the test reported it.
  func testAnInstanceThatIsReleasedUndisposedInATestWithinATest() {
    expected = ["Checkout was released, and not disposed of."]
    invokeTest(in: shop.container) {
      try $0.overrideMailer("fake")
    } run: {
      do {
        let inner = try XCTUnwrap(Container.current)
        _ = try inner.label
        inner.release(Checkout.self)
      } catch { XCTFail("\(error)") }
    }
  }

  func testAScopeThatIsDropped() async throws {
    expected = ["A request scope was dropped before it was closed"]
    _ = try container.makeScope().resolve(Basket.self)
  }

  func testAScopeThatTheTestCaseClosesInTime() throws {
    kept = container.makeScope()
  }

  func testAScopeThatIsOpenAtTheEnd() throws {
    expected = ["1 request scope was still open"]
    forgotten = container.makeScope()
  }

  func testADisposerThatFails() async throws {
    expected = ["1 disposer failed."]
    try container.register(Int.self, scope: .singleton) { _ in 1 }.onDispose { _ in
      await Task.yield()
      throw Failure()
    }
    XCTAssertEqual(try container.resolve(Int.self), 1)
  }
}

/// Each of these fails before its tests run.
final class UnpreparedTestCaseTests: FailedTestCase {
  override func invokeTest() {
    expected = ["UnpreparedTestCaseTests has no container.\n  hint: override makeContainer()"]
    super.invokeTest()
  }

  func testItHasNoContainer() {
    XCTFail("has run")
  }
}

final class MisspelledTestCaseTests: FailedTestCase {
  override func makeContainer() throws -> Container { Shop().container }

  override func overrideServices(in container: Container) throws {
    try container.register(LabeledMailer.self, onDuplicate: .require) { _ in
      LabeledMailer(label: "")
    }
  }

  override func invokeTest() {
    expected = ["Nothing is registered for LabeledMailer."]
    super.invokeTest()
  }

  func testNothingIsOverridden() {
    XCTFail("has run")
  }
}

/// The assertion that a container does not keep itself.
final class ReleasedContainerTestCaseTests: FailedTestCase {
  override func makeContainer() throws -> Container { Container() }

  private func makeKeptContainer() throws -> Container {
    let container = Container()
    try container.register(Int.self, name: "port") { _ in try container.resolve(Int.self) }
    return container
  }

  func testTheFactoryThatCapturesItIsNamed() throws {
    expected = [#"the factory of Int named "port" captures the container"#]
    try assertReleased { try makeKeptContainer() }
  }

  func testTheAssertionAwaitsTheContainer() async throws {
    expected = [#"the factory of Int named "port" captures the container"#]
    try await assertReleased {
      await Task.yield()
      return try makeKeptContainer()
    }
  }

  func testAContainerThatIsReleasedPasses() throws {
    try assertReleased { Container() }
  }
}
