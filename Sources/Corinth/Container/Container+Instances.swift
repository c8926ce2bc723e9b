// SPDX-License-Identifier: MIT

extension Container {
  /// Builds the singletons that are marked with ``Registration/eager()``.
  ///
  /// ```swift
  /// try container.warmUp()
  /// ```
  ///
  /// They are built in the order of their registration, what they depend on first. One that fails does not keep
  /// the others from being built. Calling it again builds what is not there yet.
  ///
  /// - Throws: ``WarmUpError`` with all failures.
  /// - Complexity: O(*n*) in the number of keys ever registered, and what the factories take.
  ///
  /// Waits at most for the constructions of the eager singletons.
  public func warmUp() throws(WarmUpError) {
    var failures: [ResolutionError] = []
    for key in registry.eagerKeys {
      do throws(ResolutionError) {
        _ = try registry.box(of: key, arguments: nil, within: nil)
      } catch {
        failures.append(error)
      }
    }
    if !failures.isEmpty { throw WarmUpError(failures: failures) }
  }

  /// Builds the singletons that are marked with ``Registration/eager()``, asynchronous ones too.
  ///
  /// As the synchronous one, one after the other. The caller stays on its actor.
  ///
  /// - Throws: ``WarmUpError`` with all failures.
  nonisolated(nonsending)
    public func warmUp() async throws(WarmUpError)
  {
    var failures: [ResolutionError] = []
    for key in registry.eagerKeys {
      do throws(ResolutionError) {
        _ = try await registry.boxAsync(of: key, arguments: nil, within: nil)
      } catch {
        failures.append(error)
      }
    }
    if !failures.isEmpty { throw WarmUpError(failures: failures) }
  }

  /// Lets go of the instance that is kept for a singleton or weak registration: the next resolve builds anew.
  ///
  /// ```swift
  /// container.release(Cache.self)
  /// ```
  ///
  /// Whoever has the instance keeps it. Resolves that have begun may still return it.
  ///
  /// - Parameters:
  ///   - product: the type that it is registered under.
  ///   - name: the name that it is registered under.
  /// - Returns: whether there was one, or one was being built.
  /// - Complexity: O(1).
  ///
  /// Takes the container's writer lock.
  @discardableResult
  public func release<Product>(_ product: Product.Type, name: Name? = nil) -> Bool {
    registry.releaseInstance(of: RegistrationKey(product: product, name: name))
  }

  /// Lets go of all instances that are kept for a registration whose factory takes arguments.
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

  /// Lets go of all instances that are kept: the next resolves build anew.
  ///
  /// Not one atomic step for readers, as ``removeAll()`` is not.
  ///
  /// - Complexity: O(*n*) in the number of keys ever registered.
  ///
  /// Takes the container's writer lock.
  public func releaseAll() {
    registry.releaseAllInstances()
  }
}
