// SPDX-License-Identifier: MIT

public import Corinth
public import XCTest

/// A test case in which every test has a fork of the application's container. The fork is shut down
/// after the test.
///
/// ```swift
/// final class CheckoutTests: ContainerTestCase {
///   override func makeContainer() throws -> Container { application }
///
///   override func overrideServices(in container: Container) throws {
///     try container.register((any Mailer).self, onDuplicate: .require) { _ in RecordingMailer() }
///   }
///
///   func testAnOrderIsConfirmed() throws {
///     try container.resolve(Checkout.self).buy("pen")
///   }
/// }
/// ```
///
/// See ``XCTest/XCTestCase/invokeTest(in:draining:checksDisposal:file:line:overrides:run:)`` for
/// the fork, and for the conditions that fail the test. A single test overrides further services in
/// the test's first lines, in ``container``, before the first resolve.
///
/// In a class isolated to the main actor, write `nonisolated override`.
///
/// ## Concurrency
/// XCTest runs the tests of a process one after the other; every test has a fork of its own.
open class ContainerTestCase: XCTestCase {
  private var fork: Container?

  /// The container of which every test gets a fork. The container stays unchanged.
  ///
  /// Called for every test, before `setUp`. To be overridden: the default implementation throws.
  ///
  /// - Throws: an error of your code, which fails the test before `setUp`.
  ///
  /// Called on the thread of the test.
  open func makeContainer() throws -> Container {
    throw NoContainer(testCase: "\(type(of: self))")
  }

  /// Overrides the services that the tests of this class replace. Called for every test, before
  /// `setUp`.
  ///
  /// - Parameter container: the fork of the test.
  /// - Throws: an error of your code, which fails the test before `setUp`.
  ///
  /// Called on the thread of the test.
  open func overrideServices(in container: Container) throws {}

  /// Whether undisposed instances, and scopes that are still open at the end, fail the test.
  open var checksDisposal: Bool { true }

  /// The longest wait at the end of a test for request scopes that are still open; no wait without
  /// ``checksDisposal``.
  open var draining: Duration { .seconds(1) }

  /// The fork of the running test; also `Container.current`. From `setUp` to `tearDown`.
  public final var container: Container {
    guard let fork else {
      preconditionFailure("ContainerTestCase.container: only there from setUp to tearDown")
    }
    return fork
  }

  open override func invokeTest() {
    invokeTest(
      in: try makeContainer(), draining: draining, checksDisposal: checksDisposal
    ) { container in
      fork = container
      try overrideServices(in: container)
    } run: {
      super.invokeTest()
    }
    fork = nil
  }
}

private struct NoContainer: Error, CustomStringConvertible {
  let testCase: String

  var description: String {
    """
    \(testCase) has no container.
      hint: override makeContainer() in it, and return the application's container.
    """
  }
}
