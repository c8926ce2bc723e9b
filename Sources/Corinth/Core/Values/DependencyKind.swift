// SPDX-License-Identifier: MIT

/// How an instance gets another one that it depends on.
@nonexhaustive
public enum DependencyKind: String, Sendable, Hashable, CaseIterable {
  /// As an instance, while it is built or in an `afterInit` action.
  case direct
  /// By a ``Lazy``, which resolves it at first use.
  case lazy
  /// By a ``Provider`` or a kept resolver, at each use. Recordings do not distinguish a ``Lazy`` from these.
  case provider
  /// As an element of a collection.
  case collection
  /// A decorator of the instance needs it.
  case decorator
  /// A forward serves its instances.
  case forward
  /// Each request scope brings it.
  case input
}

/// How a dependency is known.
@nonexhaustive
public enum DependencyEvidence: String, Sendable, Hashable, CaseIterable {
  /// The initializer has it as a parameter, or it is what a forward leads to.
  case known
  /// The registration declares it: ``Registration/dependsOn(_:keys:)``.
  case declared
  /// A run of the factory has resolved it while dependencies were recorded.
  case recorded
}
