// SPDX-License-Identifier: MIT

extension Container {
  /// Releases the stored instance of a registration and disposes of it: the next resolve builds another.
  ///
  /// ```swift
  /// try await container.dispose(Pool.self)
  /// ```
  ///
  /// As ``release(_:name:)``, and runs the disposers, the one added last first. Other code may still be using the
  /// instance. This waits for an instance that is being built; after the time limit it is disposed of when it is
  /// complete. The caller's cancellation does not reach the disposers.
  ///
  /// A shutdown that begins meanwhile does not wait for this, and may dispose of the dependencies of the instance.
  /// Await this first.
  ///
  /// - Parameters:
  ///   - product: the type that it is registered under, in this container.
  ///   - name: the name that it is registered under.
  ///   - timeLimit: the longest time for each disposer, and for the constructions that are waited for together; `nil` for
  ///     none.
  /// - Returns: whether there was an instance, or one was being built.
  /// - Throws: ``CloseError/disposalFailed(_:)``, when the instance has been released.
  /// - Complexity: O(1), plus the time of the disposers.
  ///
  /// Takes the container's writer lock, and holds none while disposers run. No thread is blocked.
  @discardableResult
  nonisolated(nonsending)
    public func dispose<Product>(
      _ product: Product.Type, name: Name? = nil, timeLimit: Duration? = nil
    ) async throws -> Bool
  {
    try await registry.disposeOfInstances(
      of: RegistrationKey(product: product, name: name), timeLimits: TimeLimits(each: timeLimit))
  }

  /// Releases all stored instances of a registration whose factory takes arguments, and disposes of them.
  ///
  /// ```swift
  /// try await container.dispose(Shard.self, arguments: Int.self)
  /// ```
  ///
  /// As ``dispose(_:name:timeLimit:)``, in the reverse order of completion.
  ///
  /// - Parameters:
  ///   - product: the type that it is registered under, in this container.
  ///   - name: the name that it is registered under.
  ///   - timeLimit: the longest time for each disposer, and for the constructions that are waited for together; `nil` for
  ///     none.
  ///   - first: the type of the first argument.
  ///   - rest: the types of the others.
  /// - Returns: whether there were any, or some were being built.
  /// - Throws: ``CloseError/disposalFailed(_:)``, when the instances have been released.
  /// - Complexity: O(*n* log *n*) in the number of values asked for, plus the time of the disposers.
  ///
  /// Takes the container's writer lock, and holds none while disposers run. No thread is blocked.
  @discardableResult
  nonisolated(nonsending)
    public func dispose<Product, First, each Rest>(
      _ product: Product.Type, name: Name? = nil, timeLimit: Duration? = nil,
      arguments first: First.Type, _ rest: repeat (each Rest).Type
    ) async throws -> Bool
  {
    try await registry.disposeOfInstances(
      of: RegistrationKey(product: product, name: name, arguments: (First, repeat each Rest).self),
      timeLimits: TimeLimits(each: timeLimit))
  }

  /// Called when a container has dropped instances without disposing of them; one handler for the process.
  ///
  /// ```swift
  /// Container.onDroppedUndisposed = { report in logger.warning("\(report)") }
  /// ```
  ///
  /// That is an instance with disposers that was released, overridden or removed, or whose container was deallocated without
  /// a shutdown, and each instance of a request scope that was deallocated without being closed. An instance that was still
  /// being built is not reported.
  ///
  /// In debug builds of this package, reports are printed to the standard error stream as long as it is not set. In
  /// release builds they are discarded. Set `nil` to ignore them.
  ///
  /// It is called on the thread that has dropped the instances, which may be in a deinit, with no lock held.
  ///
  /// Takes a lock of the process for a moment, also with each report.
  public static var onDroppedUndisposed: (@Sendable (DropReport) -> Void)? {
    get { DropReports.handler }
    set { DropReports.handler = newValue }
  }
}
