// SPDX-License-Identifier: MIT

/// Operations that the compatibility modules need and an application does not.
extension Container {
  /// Runs `body` in the resolution that this function runs around the call, for this container, or
  /// else in a new resolution.
  ///
  /// The resolution ends with the outermost call. Unlike ``Resolving/withResolution(_:)`` this
  /// function does not join a resolution that other code has begun, and does join its own
  /// resolution from within any construction begun in the resolution.
  ///
  /// - Complexity: O(*n*) in the number of constructions that the calling thread runs, plus the
  ///   time of `body`.
  ///
  /// Lock-free.
  @usableFromInline
  package func withOwnResolution<Result>(
    _ body: (Resolution) throws -> Result
  ) rethrows -> Result {
    try ResolutionContext.runOwn(of: registry) { try body(Resolution(registry, $0)) }
  }

  /// The resolution that ``withOwnResolution(_:)`` of this container runs around the call; `nil`
  /// outside of such a call.
  ///
  /// - Complexity: O(*n*) in the number of constructions that the calling thread runs.
  ///
  /// Lock-free.
  @usableFromInline
  package var ownResolution: Resolution? {
    ResolutionContext.own(of: registry).map { Resolution(registry, $0) }
  }

  /// Runs `body` for an object, which ``objectOfRun`` returns in every nested call, on the calling
  /// thread.
  ///
  /// The object stands for a resolution of the compatibility module's own. Objects that are
  /// replaced meanwhile are released later.
  ///
  /// Wait-free.
  @inlinable
  package static func withRun<Result>(
    of object: AnyObject, _ body: () throws -> Result
  ) rethrows -> Result {
    let run = DialectRun(of: object)
    defer { run.end() }
    return try body()
  }

  /// The object of the innermost ``withRun(of:_:)`` around the call, on the calling thread; `nil`
  /// outside of any run.
  ///
  /// Wait-free.
  package static var objectOfRun: AnyObject? { DialectRun.object }

  /// Calls a function that never returns, for example to park the thread, without holding the
  /// process up.
  ///
  /// ```swift
  /// Container.abandonResolves { parkForever() }
  /// ```
  ///
  /// While a transient's factory runs, no replaced object in the process is destroyed. A factory
  /// that never returned would stop the destruction for good. Here the thread first abandons its
  /// running resolves. Threads that wait for a shared instance under construction on the thread
  /// wait on.
  ///
  /// - Parameter end: never returns. The function may use containers.
  ///
  /// Wait-free.
  package static func abandonResolves(_ end: () -> Never) -> Never {
    Section.leaveAll()
    end()
  }
}

extension Resolution {
  /// Returns the instance that was published under a name and the type `Any`; `nil` without such an
  /// instance.
  ///
  /// - Complexity: O(*n*) in the number of instances published into the resolution.
  ///
  /// Lock-free.
  // Not generic, and so specialized.
  @usableFromInline
  package func published(named name: Name) -> Any? {
    instance(of: Any.self, name: name)
  }

  /// Publishes an instance under a name and the type `Any`.
  ///
  /// - Complexity: O(*n*) in the number of instances published into the resolution.
  ///
  /// Lock-free.
  @usableFromInline
  package func publish(_ instance: consuming Any, named name: Name) {
    _ = context.publish(
      InstanceBox<Any>(consume instance), as: RegistrationKey(product: Any.self, name: name),
      in: registry)
  }

  /// A version number: changes whenever an instance is published under a new key, and is never
  /// `UInt.max`.
  ///
  /// Wait-free.
  @usableFromInline
  package var publications: UInt { context.publications }
}
