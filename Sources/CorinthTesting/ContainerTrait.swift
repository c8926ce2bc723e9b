// SPDX-License-Identifier: MIT

public import Corinth
public import Testing
internal import TestingSupport

/// Runs each test with a fork of a container, which is shut down after the test.
///
/// Made by ``Testing/Trait/container(_:draining:checksDisposal:overrides:)``.
public struct ContainerTrait: TestTrait, SuiteTrait, TestScoping {
  let base: @Sendable () async throws -> Container
  let draining: Duration
  let checksDisposal: Bool
  let overrides: @Sendable (Container) async throws -> Void

  /// Each test of a suite gets a fork of its own.
  public var isRecursive: Bool { true }

  public func provideScope(
    for test: Test, testCase: Test.Case?,
    performing function: @concurrent @Sendable () async throws -> Void
  ) async throws {
    // Called for suites too, and for parameterised tests in addition to their cases.
    guard testCase != nil else { return try await function() }
    // The trait of an enclosing suite ends the run.
    if let run = TestRun.current { return try await perform(function, of: test, in: run) }
    let run = TestRun(of: test.displayName ?? test.name)
    defer { run.end() }
    try await perform(function, of: test, in: run)
  }

  private func perform(
    _ function: @concurrent @Sendable () async throws -> Void, of test: Test, in run: TestRun
  ) async throws {
    var outcome = Result<Void, any Error>.success(())
    do {
      try await base().withOverrides(draining: checksDisposal ? draining : nil) { fork in
        run.count(drops: checksDisposal)
        if checksDisposal {
          run.watch(fork) { [location = test.sourceLocation] text in
            Issue.record(Comment(rawValue: text), sourceLocation: location)
          }
        }
        try await TestRun.$current.withValue(run) { try await overrides(fork) }
      } run: { _ in
        do { try await TestRun.$current.withValue(run, operation: function) } catch {
          outcome = .failure(error)
          throw error
        }
      }
    } catch {
      // The failure of the test keeps its own form: Swift Testing recognises errors that it has recorded before.
      guard case .failure(let failure) = outcome else { throw error }
      if case CloseError.workFailed(error: _, let closeError) = error {
        Issue.record(closeError, sourceLocation: test.sourceLocation)
      }
      throw failure
    }
  }
}

extension Trait where Self == ContainerTrait {
  /// Runs each test with a fork of a container that has overrides, and shuts the fork down after the test.
  ///
  /// ```swift
  /// @Test(.container(application) { try $0.register((any Mailer).self, onDuplicate: .require) { _ in RecordingMailer() } })
  /// func anOrderIsConfirmed() throws {
  ///   let container = try #require(Container.current)
  ///   try container.resolve(Checkout.self).buy("pen")
  /// }
  /// ```
  ///
  /// The fork is `Container.current` in the test, in the initialiser and `deinit` of its suite, and in the child tasks and
  /// `Task { }`s that they make; detached tasks do not see it. Its overrides reach singletons. Tests that run in parallel
  /// do not see each other's: `.serialized` is not needed. Each case of a parameterised test has a fork of its own.
  ///
  /// On a suite it applies to each test of the suite and of those nested in it. Traits add up: that of an inner suite, or
  /// of the test, overrides what those of the outer suites have, if they name the same container.
  ///
  /// The test fails if `base` or `overrides` throws, it does not run then; if a disposer of the fork fails; if the fork, or a
  /// scope, child or fork of it, drops instances without disposing of them; and if a request scope of the fork is
  /// still open at the end.
  ///
  /// - Parameters:
  ///   - base: the application's container, which stays as it is. Evaluated for each test: give a constant if it is
  ///     expensive to make.
  ///   - draining: the longest time to wait at the end for request scopes that are still open; none without
  ///     `checksDisposal`.
  ///   - checksDisposal: whether instances that are not disposed of, and open scopes, fail the test. The innermost
  ///     trait decides.
  ///   - overrides: gets the fork, and overrides the services that the test replaces.
  /// - Returns: the trait.
  public static func container(
    _ base: @autoclosure @escaping @Sendable () throws -> Container,
    draining: Duration = .seconds(1),
    checksDisposal: Bool = true,
    overrides: @escaping @Sendable (Container) async throws -> Void = { _ in }
  ) -> Self {
    ContainerTrait(
      base: base, draining: draining, checksDisposal: checksDisposal, overrides: overrides)
  }

  /// The same for an application whose container is made asynchronously:
  /// ``container(_:draining:checksDisposal:overrides:)``.
  ///
  /// ```swift
  /// @Test(.container(making: makeApplication) { try $0.register(value: .test, as: Settings.self, onDuplicate: .require) })
  /// ```
  ///
  /// - Parameters:
  ///   - make: makes the application's container, for each test. Instances that it builds there are not disposed of
  ///     after the test: the test gets a fork.
  ///   - draining: the longest time to wait at the end for request scopes that are still open; none without
  ///     `checksDisposal`.
  ///   - checksDisposal: whether instances that are not disposed of, and open scopes, fail the test.
  ///   - overrides: gets the fork, and overrides the services that the test replaces.
  /// - Returns: the trait.
  public static func container(
    making make: @escaping @Sendable () async throws -> Container, draining: Duration = .seconds(1),
    checksDisposal: Bool = true,
    overrides: @escaping @Sendable (Container) async throws -> Void = { _ in }
  ) -> Self {
    ContainerTrait(
      base: make, draining: draining, checksDisposal: checksDisposal, overrides: overrides)
  }
}
