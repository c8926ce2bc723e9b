// SPDX-License-Identifier: MIT

public import Corinth
internal import TestingSupport
public import XCTest

extension XCTestCase {
  /// Runs a test with a fork of a container with overrides, and shuts the fork down after the test.
  ///
  /// ```swift
  /// override func invokeTest() {
  ///   invokeTest(in: application) { container in
  ///     try container.register((any Mailer).self, onDuplicate: .require) { _ in
  ///       RecordingMailer()
  ///     }
  ///   } run: {
  ///     super.invokeTest()
  ///   }
  /// }
  /// ```
  ///
  /// For a test case that does not derive from ``ContainerTestCase``. The fork is
  /// `Container.current` in `setUp`, in the test and in `tearDown`, also where these are
  /// asynchronous, and in child tasks and `Task { }`s created there; detached tasks and other
  /// threads do not see the fork. The overrides reach singletons.
  ///
  /// The test fails if `base` or `overrides` throws, and does not run then; if a disposer of the
  /// fork fails; if the fork, or a scope, child or fork of the fork, drops instances without
  /// disposing of the instances; and if a request scope of the fork is still open at the end.
  /// Properties of a test case outlive the test: close a scope in `tearDown`.
  ///
  /// - Parameters:
  ///   - base: the application's container, which stays unchanged.
  ///   - draining: the longest wait at the end for request scopes that are still open; no wait
  ///     without `checksDisposal`.
  ///   - checksDisposal: whether undisposed instances and open scopes fail the test.
  ///   - file: where failures are reported; the caller's file when left out.
  ///   - line: the line in `file`.
  ///   - overrides: gets the fork, and overrides the services that the test replaces.
  ///   - run: calls `super.invokeTest()`.
  public func invokeTest(
    in base: @autoclosure () throws -> Container, draining: Duration = .seconds(1),
    checksDisposal: Bool = true, file: StaticString = #filePath, line: UInt = #line,
    overrides: (Container) throws -> Void = { _ in }, run: () -> Void
  ) {
    // The enclosing test case, if any, ends the run.
    let outer = TestRun.current
    let testRun = outer ?? TestRun(of: name)
    let fail: @Sendable (String) -> Void = { XCTFail($0, file: file, line: line) }
    do {
      let fork = try base().forkToOverride()
      if checksDisposal { testRun.watch(fork, fail) }
      fork.asOverriding {
        TestRun.$current.withValue(testRun) {
          do { try overrides(fork) } catch { return fail("\(error)") }
          run()
        }
      }
      shutDown(fork, draining: checksDisposal ? draining : nil, fail)
    } catch { fail("\(error)") }
    if outer == nil { testRun.end() }
  }

  /// Shuts a fork down. The thread serves its run loop meanwhile: disposers may need the main
  /// actor.
  private func shutDown(
    _ fork: Container, draining: Duration?, _ fail: @escaping @Sendable (String) -> Void
  ) {
    let end = XCTestExpectation(description: "The container of the test is shut down.")
    let outcome = ShutdownOutcome()
    Task {
      do { try await fork.shutdown(draining: draining, totalTimeLimit: .seconds(60)) } catch {
        outcome.error = error
      }
      end.fulfill()
    }
    // The shutdown has its own limits: this limit ends a run in which the tasks cannot continue.
    let limit = 120 + Double((draining ?? .zero).components.seconds)
    switch XCTWaiter().wait(for: [end], timeout: limit) {
    case .completed: if let error = outcome.error { fail("\(error)") }
    default: fail("The container of the test was not shut down within \(limit) seconds.")
    }
  }
}

// SAFETY: written before the expectation is fulfilled, read after the fulfillment.
private final class ShutdownOutcome: @unchecked Sendable {
  var error: (any Error)?
}
