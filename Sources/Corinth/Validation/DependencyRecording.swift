// SPDX-License-Identifier: MIT

extension Container {
  /// Records the dependencies that the factories of this container and its parents resolve, from now on, for
  /// ``validate(roots:inputs:strictly:)``.
  ///
  /// ```swift
  /// let recording = container.recordDependencies()
  /// try runTheTests(container)
  /// recording.stop()
  /// try container.validate()
  /// ```
  ///
  /// The dependencies of an initialiser are known without it. The recorded dependencies of a factory that is a
  /// closure are those that its runs have resolved: a closure that has not run stays unknown, and so does a resolve
  /// that no run reached. Resolves in an `afterInit` action, or in a later call of a provider, are distinguished. A
  /// resolve on another thread than that of the factory is not recorded, unless it is in a task that the
  /// factory has made. Resolves from forks are not recorded either, not even from forks made meanwhile: record
  /// the fork.
  ///
  /// Meanwhile all resolves of these registrations take the slow path. Before and after that they are as fast as ever.
  ///
  /// - Returns: the recording, which can be stopped. Otherwise it continues for as long as the containers live.
  /// - Complexity: O(*n*) in the number of keys ever registered.
  ///
  /// Takes the writer locks of the container and its parents, for a moment each.
  @discardableResult
  public func recordDependencies() -> DependencyRecording {
    DependencyRecording(TemporaryObservers(of: self) { [.recording($0)] })
  }
}

/// A recording of dependencies that is under way: ``Container/recordDependencies()``.
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
  /// Takes the writer locks of the containers, for a moment each.
  public func stop() {
    observers.remove()
  }
}
