// SPDX-License-Identifier: MIT

extension Container {
  /// Builds the singletons that are marked with ``Registration/eager()``. For synchronous code.
  ///
  /// ```swift
  /// try container.syncWarmUp()
  /// ```
  ///
  /// They are built in the order of their registration, dependencies first. After a failure the others are still
  /// built. Calling it again builds those that are missing. A registration that contradicts itself is a failure, also
  /// one that is not eager: ``ResolutionError/invalidRegistration(_:)``.
  ///
  /// - Throws: ``ResolutionError/warmUpFailed(_:)`` with all failures.
  /// - Complexity: O(*n*) in the number of keys ever registered, plus the time of the factories.
  ///
  /// Waits at most for the constructions of the eager singletons.
  @available(*, noasync, message: "In asynchronous code, await warmUp.")
  public func syncWarmUp() throws {
    var failures: [ResolutionError] = []
    for key in registry.keysToWarmUp {
      do throws(ResolutionError) {
        _ = try registry.box(of: key, arguments: nil, within: nil)
      } catch {
        failures.append(error)
      }
    }
    if !failures.isEmpty { throw ResolutionError.warmUpFailed(failures) }
  }

  /// Builds the singletons that are marked with ``Registration/eager()``, asynchronous ones too.
  ///
  /// ```swift
  /// try await container.warmUp()
  /// ```
  ///
  /// As ``syncWarmUp()``, one after the other. The caller stays on its actor.
  ///
  /// - Throws: ``ResolutionError/warmUpFailed(_:)`` with all failures.
  nonisolated(nonsending)
    public func warmUp() async throws
  {
    var failures: [ResolutionError] = []
    for key in registry.keysToWarmUp {
      do throws(ResolutionError) {
        _ = try await registry.boxAsync(of: key, arguments: nil, within: nil)
      } catch {
        failures.append(error)
      }
    }
    if !failures.isEmpty { throw ResolutionError.warmUpFailed(failures) }
  }

  /// Releases the stored instance of a singleton, weak, cached or custom registration: the next resolve builds
  /// another.
  ///
  /// ```swift
  /// container.release(Cache.self)
  /// ```
  ///
  /// References that callers hold stay valid. Resolves that have begun may still return the instance.
  ///
  /// - Parameters:
  ///   - product: the type that it is registered under.
  ///   - name: the name that it is registered under.
  /// - Returns: whether there was an instance, or one was being built.
  /// - Complexity: O(1).
  ///
  /// Takes the container's writer lock.
  @discardableResult
  public func release<Product>(_ product: Product.Type, name: Name? = nil) -> Bool {
    registry.releaseInstance(of: RegistrationKey(product: product, name: name))
  }

  /// Releases all stored instances of a registration whose factory takes arguments.
  ///
  /// ```swift
  /// container.release(User.self, arguments: Int.self)
  /// ```
  ///
  /// As ``release(_:name:)``.
  ///
  /// - Parameters:
  ///   - product: the type that it is registered under.
  ///   - name: the name that it is registered under.
  ///   - first: the type of the first argument.
  ///   - rest: the types of the others.
  /// - Returns: whether there were any, or some were being built.
  /// - Complexity: O(*n*) in the number of values asked for.
  ///
  /// Takes the container's writer lock.
  @discardableResult
  public func release<Product, First, each Rest>(
    _ product: Product.Type, name: Name? = nil, arguments first: First.Type,
    _ rest: repeat (each Rest).Type
  ) -> Bool {
    registry.releaseInstance(
      of: RegistrationKey(product: product, name: name, arguments: (First, repeat each Rest).self))
  }
}
