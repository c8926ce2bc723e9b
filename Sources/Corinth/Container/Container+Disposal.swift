// SPDX-License-Identifier: MIT

extension Container {
  /// Releases the stored instances of a registration, and disposes of the instances if asked: the
  /// next resolve builds again.
  ///
  /// ```swift
  /// try await container.release(Pool.self, disposing: true)
  /// try await container.release(Shard.self, arguments: Int.self, disposing: true)
  /// ```
  ///
  /// Works like ``release(_:name:arguments:)-5991f``, and then runs the disposers, the disposer
  /// added last first; several instances are disposed of in the reverse order of completion.
  /// Callers may still be using the instance. The call waits for an instance under construction;
  /// after the time limit, the instance is disposed of upon completion. The caller's cancellation
  /// does not reach the disposers.
  ///
  /// A shutdown that begins meanwhile does not wait for this call, and may dispose of the
  /// dependencies of the instance. Await this call first.
  ///
  /// With `disposing: false` the call works like ``release(_:name:arguments:)-5991f``. The time
  /// limit is the longest time for every disposer, and for all awaited constructions together;
  /// `nil` for none.
  ///
  /// - Returns: whether an instance was present, or under construction.
  /// - Throws: ``CloseError/disposalFailed(_:)``, when the instances have been released.
  /// - Complexity: O(*n* log *n*) in the number of values of arguments asked for, plus the time of
  ///   the disposers.
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

  /// Releases the stored instance for one value of the arguments, and disposes of the instance if
  /// asked: the next resolve with an equal value builds again.
  ///
  /// ```swift
  /// try await container.release(Pool.self, arguments: tenant, disposing: true)
  /// ```
  ///
  /// Works like ``release(_:name:arguments:disposing:timeLimit:)-8zw9r`` for
  /// this value alone: the instances for other values stay.
  ///
  /// - Returns: whether an instance was present, or under construction.
  /// - Throws: ``CloseError/disposalFailed(_:)``, when the instance has been released.
  /// - Complexity: O(1) plus the time of the disposers; O(*n*) in the number of stored values when
  ///   the instance is under construction.
  ///
  /// Holds no lock. No thread is blocked. Runs the `==` of the arguments.
  @_disfavoredOverload
  @discardableResult
  nonisolated(nonsending)
    public func release<Product, each Argument: Hashable>(
      _ product: Product.Type, name: Name? = nil, arguments: repeat each Argument,
      disposing: Bool, timeLimit: Duration? = nil
    ) async throws -> Bool
  {
    let key = RegistrationKey(product, name: name, arguments: repeat (each Argument).self)
    let arguments = ArgumentsBox((repeat each arguments))
    if !disposing { return registry.releaseInstance(of: key, for: arguments) }
    return try await registry.disposeOfInstances(
      of: key, for: arguments, timeLimits: TimeLimits(each: timeLimit))
  }

  /// Called when a container has left instances undisposed; a single handler for the process.
  ///
  /// ```swift
  /// Container.onUndisposed = { report in logger.warning("\(report)") }
  /// ```
  ///
  /// Reported are instances with disposers that were released, overridden or removed, or whose
  /// container was deallocated without a shutdown, and all instances of a request scope that was
  /// deallocated without being closed. An instance with disposers that is still under construction
  /// is reported upon completion.
  ///
  /// In debug builds of this package, reports are printed to the standard error stream as long as
  /// no handler is set. In release builds reports are discarded. Set `nil` to ignore reports.
  ///
  /// The handler is called on the thread that has dropped the instances, possibly in a deinit, with
  /// no lock held.
  ///
  /// Takes a lock of the process for a moment, also for every report.
  public static var onUndisposed: (@Sendable (UndisposedReport) -> Void)? {
    get { UndisposedReports.handler.value }
    set { UndisposedReports.handler.value = newValue }
  }
}
