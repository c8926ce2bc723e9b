// SPDX-License-Identifier: MIT

public import Corinth
public import Testing
internal import TestingSupport

/// Runs every test with a fork of a container, which is shut down after the test.
///
/// Made by ``Testing/Trait/container(_:draining:checksDisposal:overrides:)``.
///
/// ## Concurrency
/// Tests with the trait may run in parallel: every test has a fork of its own.
public struct ContainerTrait: TestTrait, SuiteTrait, TestScoping {
  let base: @Sendable () async throws -> Container
  let draining: Duration
  let checksDisposal: Bool
  let overrides: @Sendable (Container) async throws -> Void

  /// Every test of a suite gets a separate fork.
  public var isRecursive: Bool { true }

  public func provideScope(
    for test: Test, testCase: Test.Case?,
    performing function: @concurrent @Sendable () async throws -> Void
  ) async throws {
    // Called for suites too, and for parameterized tests in addition to their cases.
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
    let check: ReleaseCheck?
    do {
      let container = try await base()
      check = checksDisposal ? ReleaseCheck(of: container) : nil
      try await container.withOverrides(draining: checksDisposal ? draining : nil) { fork in
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
      // The failure of the test keeps its own form: Swift Testing recognizes errors that were
      // recorded before.
      guard case .failure(let failure) = outcome else { throw error }
      if case CloseError.workFailed(error: _, let closeError) = error {
        Issue.record(closeError, sourceLocation: test.sourceLocation)
      }
      throw failure
    }
    if let text = await check?.failure(makingAnother: base) {
      Issue.record(Comment(rawValue: text), sourceLocation: test.sourceLocation)
    }
  }
}

extension Trait where Self == ContainerTrait {
  /// Runs every test with a fork of a container with overrides, and shuts the fork down after the
  /// test.
  ///
  /// ```swift
  /// @Test(
  ///   .container(application) {
  ///     try $0.register((any Mailer).self, onDuplicate: .require) { _ in RecordingMailer() }
  ///   })
  /// func anOrderIsConfirmed() throws {
  ///   let container = try #require(Container.current)
  ///   try container.resolve(Checkout.self).buy("pen")
  /// }
  /// ```
  ///
  /// The fork is `Container.current` in the test, in the initializer and `deinit` of the suite, and
  /// in child tasks and `Task { }`s created there; detached tasks do not see the fork. The
  /// overrides reach singletons. Tests that run in parallel do not see each other's overrides:
  /// `.serialized` is not needed. Every case of a parameterized test has a separate fork.
  ///
  /// On a suite, the trait applies to every test of the suite and of nested suites. Traits add up:
  /// the trait of an inner suite, or of the test, overrides the services of the outer suites'
  /// traits, if the traits name the same container.
  ///
  /// The test fails if `base` or `overrides` throws, and does not run then; if a disposer of the
  /// fork fails; if the fork, or a scope, child or fork of the fork, drops instances without
  /// disposing of the instances; and if a request scope of the fork is still open at the end.
  ///
  /// If `base` makes a container for every test, the test fails also if registrations keep the
  /// container alive, such as a factory with a captured container. To find the registration, the
  /// trait evaluates `base` once more after a test whose container is not released. See
  /// `expectReleased`.
  ///
  /// - Parameters:
  ///   - base: the application's container, which stays unchanged. Evaluated for every test: give a
  ///     constant if the container is expensive to make.
  ///   - draining: the longest wait at the end for request scopes that are still open; no wait
  ///     without `checksDisposal`.
  ///   - checksDisposal: whether undisposed instances, open scopes, and containers that keep
  ///     themselves fail the test. The innermost trait decides.
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

  /// Runs every test with a fork of a container that is made asynchronously; see
  /// ``container(_:draining:checksDisposal:overrides:)``.
  ///
  /// ```swift
  /// @Test(
  ///   .container(making: makeApplication) {
  ///     try $0.register(value: .test, as: Settings.self, onDuplicate: .require)
  ///   })
  /// ```
  ///
  /// - Parameters:
  ///   - make: makes the application's container, for every test. Instances that `make` builds in
  ///     the container are not disposed of after the test: the test gets a fork.
  ///   - draining: the longest wait at the end for request scopes that are still open; no wait
  ///     without `checksDisposal`.
  ///   - checksDisposal: whether undisposed instances, open scopes, and containers that keep
  ///     themselves fail the test.
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
