// SPDX-License-Identifier: MIT

/// The way in which an instance gets a dependency.
@nonexhaustive
public enum DependencyKind: String, Sendable, Hashable, CaseIterable {
  /// As an instance, while it is built or in an `afterInit` action.
  case direct
  /// By a ``Lazy``, which resolves the dependency at the first use.
  case lazy
  /// By a ``Provider`` or a stored resolver, at every use; in recordings, by a ``Lazy`` too.
  case provider
  /// As an element of a collection.
  case collection
  /// By a decorator of the instance, which resolves the dependency.
  case decorator
  /// By a forward, which serves the instances of the dependency.
  case forward
  /// As an input of the request scope.
  case input
}

/// The source of the knowledge of a dependency.
@nonexhaustive
public enum DependencyEvidence: String, Sendable, Hashable, CaseIterable {
  /// The dependency is a parameter of the initializer, or the target of a forward.
  case known
  /// The registration declares the dependency: ``Registration/dependsOn(_:keys:)``.
  case declared
  /// A run of the factory has resolved the dependency during a recording.
  case recorded
}
