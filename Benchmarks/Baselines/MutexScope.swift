// SPDX-License-Identifier: MIT

public import Synchronization

/// A request scope as somebody would write it by hand: a dictionary behind a mutex, and a list of
/// what to do at the end.
///
/// Two threads that ask first for an instance may both build one; one instance is kept. Instances
/// are disposed of in the order of their construction.
///
/// ## Concurrency
/// Safe to use from any thread.
public final class MutexScope: Sendable {
  @usableFromInline
  struct Contents: Sendable {
    @usableFromInline var instances: [ObjectIdentifier: any AnyObject & Sendable]
    @usableFromInline var disposers: [@Sendable () -> Void] = []

    @inlinable
    init(capacity: Int) {
      instances = Dictionary(minimumCapacity: capacity)
    }
  }

  public let parent: MutexContainer
  @usableFromInline let contents: Mutex<Contents>

  /// - Parameter capacity: the expected number of instances, so that the dictionary need not grow.
  @inlinable
  public init(parent: MutexContainer, capacity: Int) {
    self.parent = parent
    contents = Mutex(Contents(capacity: capacity))
  }

  /// Keeps a value that the request brings.
  @inlinable
  public func provide<Value: Sendable>(_ value: Value) {
    let provided = Provided(value)
    contents.withLock { $0.instances[ObjectIdentifier(Value.self)] = provided }
  }

  /// A value that was provided.
  @inlinable
  public func provided<Value: Sendable>(_ value: Value.Type) throws -> Value {
    let kept = contents.withLock { $0.instances[ObjectIdentifier(value)] }
    guard let provided = kept as? Provided<Value> else { throw NotRegistered() }
    return provided.value
  }

  /// The instance kept here, or else the parent's instance.
  @inlinable
  public func resolve<Product: AnyObject & Sendable>(_ product: Product.Type) throws -> Product {
    if let kept = kept(product) { return kept }
    return try parent.resolve(product)
  }

  /// The instance kept here, or else a new instance, which the scope then keeps.
  ///
  /// - Parameters:
  ///   - dispose: what is done with an instance that was built here when the scope is closed.
  ///   - build: called without the lock.
  @inlinable
  public func resolveScoped<Product: AnyObject & Sendable>(
    _ product: Product.Type, dispose: (@Sendable (Product) -> Void)? = nil,
    build: () throws -> Product
  ) throws -> Product {
    if let kept = kept(product) { return kept }
    let built = try build()
    return contents.withLock { contents in
      // Another thread may have been first.
      let key = ObjectIdentifier(product)
      if let kept = contents.instances[key] as? Product { return kept }
      contents.instances[key] = built
      if let dispose { contents.disposers.append { dispose(built) } }
      return built
    }
  }

  @inlinable
  public func close() {
    // Disposed of and destroyed after the lock is given up.
    let closed = contents.withLock { contents in
      let closed = contents
      contents = Contents(capacity: 0)
      return closed
    }
    for dispose in closed.disposers { dispose() }
  }

  @inlinable
  func kept<Product: AnyObject & Sendable>(_ product: Product.Type) -> Product? {
    contents.withLock { $0.instances[ObjectIdentifier(product)] } as? Product
  }
}

/// A value among instances.
@usableFromInline
final class Provided<Value: Sendable>: Sendable {
  @usableFromInline let value: Value

  @inlinable
  init(_ value: Value) {
    self.value = value
  }
}
