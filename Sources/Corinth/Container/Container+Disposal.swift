// SPDX-License-Identifier: MIT

extension Container {
  /// Releases the stored instances of a registration, and disposes of them if asked to: the next resolve builds another.
  ///
  /// ```swift
  /// try await container.release(Pool.self, disposing: true)
  /// try await container.release(Shard.self, arguments: Int.self, disposing: true)
  /// ```
  ///
  /// As ``release(_:name:arguments:)``, and then runs the disposers, the one added last first; those of several instances in
  /// the reverse order of completion. Others may still be using the instance. One that is being built is waited for; after
  /// the time limit it is disposed of when it is complete. The caller's cancellation does not reach the disposers.
  ///
  /// A shutdown that begins meanwhile does not wait for this, and may dispose of the dependencies of the instance.
  /// Await this first.
  ///
  /// With `disposing: false` it does what ``release(_:name:arguments:)`` does. The time limit is the longest time for each
  /// disposer, and for the constructions that are waited for together; `nil` for none.
  ///
  /// - Returns: whether there was an instance, or one was being built.
  /// - Throws: ``CloseError/disposalFailed(_:)``, when the instances have been released.
  /// - Complexity: O(*n* log *n*) in the number of values of arguments asked for, plus the time of the disposers.
  ///
  /// Takes the container's writer lock, and holds none while disposers run. No thread is blocked.
  @discardableResult
  nonisolated(nonsending)
    public func release<Product, each Argument>(
      _ product: Product.Type, name: Name? = nil, arguments: repeat (each Argument).Type,
      disposing: Bool, timeLimit: Duration? = nil
    ) async throws -> Bool
  {
    let key = RegistrationKey(product, name: name, arguments: repeat each arguments)
    if !disposing { return registry.releaseInstance(of: key) }
    return try await registry.disposeOfInstances(of: key, timeLimits: TimeLimits(each: timeLimit))
  }

  /// Called when a container has dropped instances without disposing of them; one handler for the process.
  ///
  /// ```swift
  /// Container.onDroppedUndisposed = { report in logger.warning("\(report)") }
  /// ```
  ///
  /// That is an instance with disposers that was released, overridden or removed, or whose container was deallocated without
  /// a shutdown, and each instance of a request scope that was deallocated without being closed. An instance that was still
  /// being built is reported when it is finished.
  ///
  /// In debug builds of this package, reports are printed to the standard error stream as long as it is not set. In
  /// release builds they are discarded. Set `nil` to ignore them.
  ///
  /// It is called on the thread that has dropped the instances, which may be in a deinit, with no lock held.
  ///
  /// Takes a lock of the process for a moment, also with each report.
  public static var onDroppedUndisposed: (@Sendable (DropReport) -> Void)? {
    get { DropReports.handler.value }
    set { DropReports.handler.value = newValue }
  }
}
