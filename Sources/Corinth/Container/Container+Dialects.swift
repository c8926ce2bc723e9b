// SPDX-License-Identifier: MIT

/// Operations that the dialects need and an application does not.
extension Container {
  /// Resolves an instance, or builds and registers it, if nothing is registered under its key. For the dialects.
  ///
  /// The product of `build` becomes a singleton of this container, which is found by all that resolve the key from then on.
  /// It is built exactly once: of several calls at a time one runs its closure, and the others wait for that one. A
  /// closure that throws leaves no registration, and the next call runs its own. An existing registration, here or
  /// in a parent, is served instead. The singleton could not be built again, so it is removed when it is released,
  /// or when a decorator of its type is added or removed; forks do not have it. A closure that needs the instance
  /// which it builds gets an error, as a factory does.
  ///
  /// Every thread gets the instance: a product that is not `Sendable` has to be safe in another way.
  ///
  /// Not another `resolve`: a trailing closure would be taken for the argument of a factory.
  ///
  /// - Throws: ``ResolutionError``, also for an error of `build`;
  ///   ``RegistrationError/containerFrozen(key:location:)``.
  ///
  /// Lock-free once the instance is there. Registering it takes the container's writer lock, which is not held while
  /// `build` runs.
  @inlinable
  package func resolveOrBuild<Product>(
    _ product: Product.Type = Product.self, name: Name? = nil, file: StaticString = #fileID,
    line: UInt = #line, build: () throws -> Product
  ) throws -> Product {
    if let instance = registry.readyInstance(of: product, name: name) { return instance }
    return try registry.resolve(
      product, name: name, at: SourceLocation(file: file, line: line), within: nil
    ) { _ in try build() }
  }

  /// Runs `body` in the resolution that this function runs around the call, for this container, or else in a new one.
  ///
  /// It ends with the outermost call. Unlike ``Resolving/withResolution(_:)`` it does not join a resolution that other code
  /// has begun, and does join its own one from within any construction that has begun in it.
  ///
  /// - Complexity: O(*n*) in the number of constructions that the calling thread runs, plus the time of `body`.
  ///
  /// Lock-free.
  @usableFromInline
  package func withOwnResolution<Result>(
    _ body: (Resolution) throws -> Result
  ) rethrows -> Result {
    try registry.withOwnResolution { context in try body(Resolution(registry, context)) }
  }

  /// The resolution that ``withOwnResolution(_:)`` of this container runs around the call; `nil` outside of it.
  ///
  /// - Complexity: O(*n*) in the number of constructions that the calling thread runs.
  ///
  /// Lock-free.
  @usableFromInline
  package var ownResolution: Resolution? {
    registry.ownResolution.map { Resolution(registry, $0) }
  }

  /// Runs `body` for an object, which ``objectOfRun`` is in each call nested in it, on the calling thread.
  ///
  /// The object stands for a resolution of the dialect's own. Objects that are replaced meanwhile are released later.
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

  /// The object of the innermost ``withRun(of:_:)`` around the call, on the calling thread; `nil` outside of any.
  ///
  /// Wait-free.
  package static var objectOfRun: AnyObject? { DialectRun.object }

  /// Calls a function that never returns, such as one that parks its thread, without holding the process up.
  ///
  /// ```swift
  /// Container.abandonResolves { parkForever() }
  /// ```
  ///
  /// While a transient's factory runs, no replaced object in the process is destroyed. A factory that never returned would
  /// stop that for good. Here the thread first abandons the resolves that it is running. Threads that wait for a
  /// shared instance which it is building wait on.
  ///
  /// - Parameter end: never returns. It may use containers.
  ///
  /// Wait-free.
  package static func abandonResolves(_ end: () -> Never) -> Never {
    Section.leaveAll()
    end()
  }
}

extension Resolution {
  /// The instance that was published under a name and the type `Any`; `nil` if there is none.
  ///
  /// - Complexity: O(log *n*) in the number of instances that the resolution has.
  ///
  /// Lock-free.
  // Not generic, so that it is specialised.
  @usableFromInline
  package func published(named name: Name) -> Any? {
    instance(of: Any.self, name: name)
  }

  /// Publishes an instance under a name and the type `Any`.
  ///
  /// - Complexity: O(log *n*) in the number of instances that the resolution has.
  ///
  /// Lock-free.
  @usableFromInline
  package func publish(_ instance: consuming Any, named name: Name) {
    _ = context.publish(
      InstanceBox<Any>(consume instance), as: RegistrationKey(product: Any.self, name: name),
      in: registry)
  }

  /// Another number after each instance that is published under a new key, and never `UInt.max`.
  ///
  /// Wait-free.
  @usableFromInline
  package var publications: UInt { context.publications }
}
