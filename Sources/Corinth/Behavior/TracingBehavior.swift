// SPDX-License-Identifier: MIT

/// Runs every construction within closures of yours, which open and close spans.
///
/// ```swift
/// container.add(
///   TracingBehavior { key, build in
///     try withSpan("build \(key)") { _ in try build() }
///   } async: { key, build in
///     try await withSpan("build \(key)") { _ in try await build() }
///   })
/// ```
///
/// A construction is a single run of a factory, with the decorators of the product. Constructions
/// nest as the spans do. Ready instances are resolved as fast as without tracing.
///
/// ## Concurrency
/// The closures are called on the thread or in the task that builds, with no lock held.
public struct TracingBehavior: Behavior {
  let around: Observer.Around
  let aroundAsync: Observer.AroundAsync

  /// - Parameters:
  ///   - around: gets the key and the construction, and calls the construction once. An error of
  ///     the construction fails the resolve, even if the closure catches the error; an error thrown
  ///     instead takes its place.
  ///   - aroundAsync: works like `around`, for constructions in tasks.
  public init(
    _ around: @escaping @Sendable (RegistrationKey, () throws -> Void) throws -> Void,
    async aroundAsync:
      @escaping @Sendable (RegistrationKey, () async throws -> Void) async throws -> Void
  ) {
    self.around = { run, build in try around(run.key, build) }
    self.aroundAsync = { run, build in try await aroundAsync(run.key, build) }
  }

  public var events: BehaviorEvents { [] }
}
