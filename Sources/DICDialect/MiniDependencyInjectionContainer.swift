// SPDX-License-Identifier: MIT

/// A ``DependencyInjectionContainer`` of singletons and builders that do not throw.
///
/// ## Concurrency
/// Safe from any thread. No lock is held while a builder runs.
// SAFETY: see the superclass.
public final class MiniDependencyInjectionContainer: DependencyContainer, @unchecked Sendable {
  /// An empty container.
  public override init() {}
}
