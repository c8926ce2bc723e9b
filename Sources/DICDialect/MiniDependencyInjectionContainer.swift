// SPDX-License-Identifier: MIT

/// A ``DependencyInjectionContainer`` of singletons and builders that do not throw.
// SAFETY: see the superclass.
public final class MiniDependencyInjectionContainer: DependencyContainer, @unchecked Sendable {
  /// An empty container.
  public override init() {}
}
