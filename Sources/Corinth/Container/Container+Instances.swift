// SPDX-License-Identifier: MIT

extension Container {
  /// Builds the singletons that are marked with ``Registration/eager()``. For synchronous code.
  ///
  /// ```swift
  /// try container.syncWarmUp()
  /// ```
  ///
  /// They are built in the order of their registration, dependencies first. After a failure the others are still
  /// built. A shared instance whose factory has thrown an error is not begun again by those that depend on it: they fail
  /// with that error. A factory that asks for it once more has it built again, and so do resolves from elsewhere.
  /// Calling it again builds those that are missing. A registration that contradicts itself is a failure, also
  /// one that is not eager: ``ResolutionError/invalidRegistration(_:)``.
  ///
  /// - Parameter validating: whether ``validate(roots:inputs:strictly:)`` comes first. Nothing is built if it has findings.
  /// - Throws: ``RegistrationError/validationFailed(_:)`` with all findings; ``ResolutionError/warmUpFailed(_:)`` with all
  ///   failures.
  /// - Complexity: O(*n*) in the number of keys ever registered, plus the time of the factories.
  ///
  /// Waits at most for the constructions of the eager singletons.
  @available(*, noasync, message: "In asynchronous code, await warmUp.")
  public func syncWarmUp(validating: Bool = false) throws {
    if validating { try validate() }
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
  }

  /// Builds the singletons that are marked with ``Registration/eager()``, asynchronous ones too.
  ///
  /// ```swift
  /// try await container.warmUp(validating: true)
  /// ```
  ///
  /// As ``syncWarmUp(validating:)``, one after the other. The caller stays on its actor.
  nonisolated(nonsending)
    public func warmUp(validating: Bool = false) async throws
  {
    if validating { try validate() }
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
  }

  /// Releases the stored instances of a singleton, weak, cached or custom registration: the next resolve builds
  /// another.
  ///
  /// ```swift
  /// container.release(Cache.self)
  /// container.release(User.self, arguments: Int.self)
  /// ```
  ///
  /// References that callers hold stay valid. Resolves that have begun may still return the instance.
  ///
  /// A registration whose factory takes arguments is named by their types.
  ///
  /// - Returns: whether there was an instance, or one was being built.
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
}
