// SPDX-License-Identifier: MIT

extension Container {
  /// Records the dependencies that the factories of this container and its parents resolve, from
  /// now on, for ``validate(roots:inputs:strictly:)``.
  ///
  /// ```swift
  /// let recording = container.recordDependencies()
  /// try runTheTests(container)
  /// recording.stop()
  /// try container.validate()
  /// ```
  ///
  /// The dependencies of an initializer are known without a recording. The recorded dependencies of
  /// a closure are the dependencies that runs of the closure have resolved: a closure that has not
  /// run stays unknown, and so does a resolve that no run reached. Resolves in an `afterInit`
  /// action, or in a later call of a provider, are distinguished. A resolve on a different thread
  /// from the factory's is not recorded, unless made in a task of the factory. Resolves from forks
  /// are not recorded either, not even from forks made meanwhile: record the fork.
  ///
  /// During the recording, all resolves of the containers' registrations take the slow path. Before
  /// and after, resolves are as fast as ever.
  ///
  /// - Returns: the recording, which can be stopped. An unstopped recording continues for as long
  ///   as the containers live.
  /// - Complexity: O(*n*) in the number of keys ever registered.
  ///
  /// Takes the writer locks of the container and its parents, for a moment per container.
  @discardableResult
  public func recordDependencies() -> DependencyRecording {
    DependencyRecording(TemporaryObservers(of: self) { [.recording($0)] })
  }
}

/// A running recording of dependencies: ``Container/recordDependencies()``.
///
/// ## Concurrency
/// Safe to use from any thread.
public final class DependencyRecording: Sendable {
  private let observers: TemporaryObservers

  fileprivate init(_ observers: TemporaryObservers) {
    self.observers = observers
  }

  /// Ends the recording. The recorded dependencies stay known.
  ///
  /// - Complexity: O(*n*) in the number of keys ever registered.
  ///
  /// Takes the writer locks of the containers, for a moment per container.
  public func stop() {
    observers.remove()
  }
}
