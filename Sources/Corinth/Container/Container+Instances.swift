// SPDX-License-Identifier: MIT

extension Container {
  /// Builds the singletons marked with ``Registration/eager()``. For synchronous code.
  ///
  /// ```swift
  /// try container.syncWarmUp()
  /// ```
  ///
  /// The singletons are built in the order of their registration, dependencies first. After a
  /// failure the remaining singletons are still built. A shared instance whose factory has thrown
  /// an error is not begun again by dependents: the dependents fail with that error. A factory that
  /// asks for the instance once more starts a new construction, and so do resolves from elsewhere.
  /// A further call builds the missing singletons. A contradictory registration is a failure, even
  /// if not eager: ``ResolutionError/invalidRegistration(_:)``.
  ///
  /// - Parameter validating: whether ``validate(roots:inputs:strictly:)`` comes first. With
  ///   findings, nothing is built.
  /// - Throws: ``RegistrationError/validationFailed(_:)`` with all findings;
  ///   ``ResolutionError/warmUpFailed(_:)`` with all failures;
  ///   ``ResolutionError/containerClosed(_:)``.
  /// - Complexity: O(*n*) in the number of keys ever registered, plus the time of the factories.
  ///
  /// Waits at most for the constructions of the eager singletons.
  @available(*, noasync, message: "In asynchronous code, await warmUp.")
  public func syncWarmUp(validating: Bool = false) throws {
    try throwIfClosed(before: "warm up")
    if validating { try validateAtStart() }
    var failures: [ResolutionError] = []
    FailureMemory.during {
      for key in registry.keysToWarmUp {
        do throws(ResolutionError) {
          _ = try registry.box(of: key, arguments: nil, within: nil)
        } catch {
          failures.append(error)
        }
      }
    }
    if !failures.isEmpty { throw ResolutionError.warmUpFailed(failures) }
    try throwIfClosed(before: "warm up")
  }

  /// Builds the singletons marked with ``Registration/eager()``, asynchronous singletons included.
  ///
  /// ```swift
  /// try await container.warmUp(validating: true)
  /// ```
  ///
  /// Works like ``syncWarmUp(validating:)``, in sequence. The caller stays on its actor.
  ///
  /// - Throws: the errors of ``syncWarmUp(validating:)``.
  ///
  /// Waits at most for the constructions of the eager singletons. No thread is blocked.
  nonisolated(nonsending)
    public func warmUp(validating: Bool = false) async throws
  {
    try throwIfClosed(before: "warm up")
    if validating { try validateAtStart() }
    var failures: [ResolutionError] = []
    await FailureMemory.duringAsync {
      for key in registry.keysToWarmUp {
        do throws(ResolutionError) {
          _ = try await registry.boxAsync(of: key, arguments: nil, within: nil)
        } catch {
          failures.append(error)
        }
      }
    }
    if !failures.isEmpty { throw ResolutionError.warmUpFailed(failures) }
    try throwIfClosed(before: "warm up")
  }

  /// Throws the error of a closed container before and after a call for all registrations, which
  /// would find none, or the first ones only.
  ///
  /// - Parameters:
  ///   - action: what the caller was to do before the end.
  ///   - needsParents: whether the call concerns the registrations of the parents too.
  @inline(never) func throwIfClosed(
    before action: String, needsParents: Bool = false
  ) throws(ResolutionError) {
    if registry.hasParent, !needsParents, !isClosed { return }
    let key = RegistrationKey(product: Container.self)
    if let refusal = registry.refusal(of: key, before: action, .container) { throw refusal }
  }

  /// Releases the stored instances of a singleton, weak, cached or custom registration: the next
  /// resolve builds again.
  ///
  /// ```swift
  /// container.release(Cache.self)
  /// container.release(User.self, arguments: Int.self)
  /// ```
  ///
  /// References that callers hold stay valid. Resolves that have begun may still return the
  /// instance.
  ///
  /// The types of the arguments name a registration whose factory takes arguments.
  ///
  /// - Returns: whether an instance was present, or under construction.
  /// - Complexity: O(*n*) in the number of values of arguments asked for.
  ///
  /// Takes the container's writer lock.
  @discardableResult
  public func release<Product, each Argument>(
    _ product: Product.Type, name: Name? = nil, arguments: repeat (each Argument).Type
  ) -> Bool {
    registry.releaseInstance(
      of: RegistrationKey(product, name: name, arguments: repeat each arguments))
  }

  /// Releases the stored instance for one value of the arguments: the next resolve with an equal
  /// value builds again.
  ///
  /// ```swift
  /// container.release(User.self, arguments: 7)
  /// ```
  ///
  /// References that callers hold stay valid. Resolves that have begun may still return the
  /// instance. The products of a ``CustomStorage`` stay.
  ///
  /// - Returns: whether an instance was present, or under construction.
  /// - Complexity: O(1); O(*n*) in the number of stored values when the instance is under
  ///   construction.
  ///
  /// Lock-free. Runs the `==` of the arguments.
  @_disfavoredOverload
  @discardableResult
  public func release<Product, each Argument: Hashable>(
    _ product: Product.Type, name: Name? = nil, arguments: repeat each Argument
  ) -> Bool {
    registry.releaseInstance(
      of: RegistrationKey(product, name: name, arguments: repeat (each Argument).self),
      for: ArgumentsBox((repeat each arguments)))
  }
}
