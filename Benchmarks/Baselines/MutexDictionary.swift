// SPDX-License-Identifier: MIT

public import Synchronization

/// A container as a good engineer would write it for one program: a dictionary by type behind a
/// mutex, as lean as possible.
///
/// The dictionary has objects, boxes of values, and factories, and a parent where lookups go on. A
/// request scope is a child whose instances are kept in the child. There are no names, arguments or
/// weak instances, no disposal, and no search for cycles.
///
/// The lock is held for the lookup and never while a factory runs, so that factories may resolve.
/// Two threads that ask first for a shared instance may therefore both build one; one is kept.
///
/// ## Concurrency
/// Safe to use from any thread.
public final class MutexDictionary: Sendable {
  public typealias Factory<Product> = @Sendable (MutexDictionary) throws -> Product
  public typealias AsyncFactory<Product> =
    nonisolated(nonsending) @Sendable (MutexDictionary) async throws -> Product

  @usableFromInline let parent: MutexDictionary?
  @usableFromInline let entries: Mutex<[ObjectIdentifier: MutexEntry]>

  /// - Parameters:
  ///   - parent: where lookups go on.
  ///   - capacity: the expected number of entries, so that the dictionary need not grow.
  @inlinable
  public init(parent: MutexDictionary? = nil, capacity: Int = 0) {
    self.parent = parent
    entries = Mutex(Dictionary(minimumCapacity: capacity))
  }

  // MARK: - Registering

  /// Registers a factory that runs for each resolve.
  @inlinable
  public func register<Product: AnyObject>(
    _ product: Product.Type, factory: @escaping Factory<Product>
  ) {
    set(.transient(factory), for: ObjectIdentifier(product))
  }

  /// Registers a factory whose instance is kept here.
  @inlinable
  public func register<Product: AnyObject & Sendable>(
    singleton product: Product.Type, factory: @escaping Factory<Product>
  ) {
    register(singleton: product, for: ObjectIdentifier(product), factory: factory)
  }

  /// Registers a factory whose instance is kept by each child that asks.
  @inlinable
  public func register<Product: AnyObject & Sendable>(
    scoped product: Product.Type, factory: @escaping Factory<Product>
  ) {
    set(.scoped(factory), for: ObjectIdentifier(product))
  }

  /// Registers an asynchronous factory that runs for each resolve.
  @inlinable
  public func register<Product: AnyObject>(
    async product: Product.Type, factory: @escaping AsyncFactory<Product>
  ) {
    set(.asynchronous(factory), for: ObjectIdentifier(product))
  }

  /// Keeps a value, which a request may bring.
  @inlinable
  public func provide<Value: Sendable>(_ value: Value) {
    set(.instance(ValueBox(value)), for: ObjectIdentifier(Value.self))
  }

  /// As the form without a key, for a program of thousands of types: the identity of any object
  /// stands for a type's identity.
  @inlinable
  public func register<Product: AnyObject>(
    _ product: Product.Type, for key: ObjectIdentifier, factory: @escaping Factory<Product>
  ) {
    set(.transient(factory), for: key)
  }

  /// As the form without a key, for a program of thousands of types.
  @inlinable
  public func register<Product: AnyObject & Sendable>(
    singleton product: Product.Type, for key: ObjectIdentifier, factory: @escaping Factory<Product>
  ) {
    set(.singleton(MutexSingleton(factory)), for: key)
  }

  @inlinable
  func set(_ entry: MutexEntry, for key: ObjectIdentifier) {
    // A replaced entry is destroyed after the lock is given up: its objects may have a deinit.
    _ = entries.withLock { $0.updateValue(entry, forKey: key) }
  }

  // MARK: - Resolving

  @inlinable
  public func resolve<Product: AnyObject>(_ product: Product.Type) throws -> Product {
    try resolve(product, for: ObjectIdentifier(product))
  }

  /// As the form without a key, for a program of thousands of types.
  @inlinable
  public func resolve<Product: AnyObject>(
    _ product: Product.Type, for key: ObjectIdentifier
  ) throws -> Product {
    guard let object = try object(for: key, asked: self) else { throw NotRegistered() }
    // SAFETY: only a registration of the product stores an entry for the key.
    return unsafe unsafeDowncast(object, to: Product.self)
  }

  @inlinable
  public func resolveIfRegistered<Product: AnyObject>(_ product: Product.Type) throws -> Product? {
    guard let object = try object(for: ObjectIdentifier(product), asked: self) else { return nil }
    // SAFETY: as in `resolve`.
    return unsafe unsafeDowncast(object, to: Product.self)
  }

  /// The instance kept here, or else a new one, which is then kept here: without a registration.
  @inlinable
  public func resolve<Product: AnyObject & Sendable>(
    _ product: Product.Type, orKeep build: () throws -> Product
  ) throws -> Product {
    let key = ObjectIdentifier(product)
    if case .instance(let kept)? = entries.withLock({ $0[key] }) {
      // SAFETY: as in `resolve`.
      return unsafe unsafeDowncast(kept, to: Product.self)
    }
    let built = try build()
    let kept = entries.withLock { Self.keep(built, in: &$0[key]) }
    // SAFETY: as in `resolve`.
    return unsafe unsafeDowncast(kept, to: Product.self)
  }

  /// A value that was provided.
  @inlinable
  public func value<Value: Sendable>(_ value: Value.Type) throws -> Value {
    let box = try object(for: ObjectIdentifier(value), asked: self)
    guard let box else { throw NotRegistered() }
    // SAFETY: a value is no object, and only `provide` stores an entry for the type of a value.
    return unsafe unsafeDowncast(box, to: ValueBox<Value>.self).value
  }

  /// As `resolve`, also for asynchronous factories. Runs on the caller's actor.
  @inlinable
  nonisolated(nonsending)
    public func resolveAsync<Product: AnyObject>(_ product: Product.Type) async throws -> Product
  {
    let key = ObjectIdentifier(product)
    var (owner, entry) = (self, entries.withLock { $0[key] })
    while entry == nil, let parent = owner.parent {
      (owner, entry) = (parent, parent.entries.withLock { $0[key] })
    }
    let object: AnyObject?
    if case .asynchronous(let factory)? = entry {
      object = try await factory(self)
    } else {
      object = try owner.object(of: entry, for: key, asked: self)
    }
    guard let object else { throw NotRegistered() }
    // SAFETY: as in `resolve`.
    return unsafe unsafeDowncast(object, to: Product.self)
  }

  /// An object of this dictionary, or else of the parent.
  ///
  /// - Parameter asked: this dictionary or a descendant.
  /// - Returns: `nil` if the key is not registered.
  @inlinable
  func object(for key: ObjectIdentifier, asked: MutexDictionary) throws -> AnyObject? {
    try object(of: entries.withLock { $0[key] }, for: key, asked: asked)
  }

  @inlinable
  func object(
    of entry: MutexEntry?, for key: ObjectIdentifier, asked: MutexDictionary
  ) throws -> AnyObject? {
    switch entry {
    case .instance(let instance)?:
      return instance
    case .transient(let factory)?:
      return try factory(asked)
    case .scoped(let factory)?:
      let built = try factory(asked)
      let kept = asked.entries.withLock { Self.keep(built, in: &$0[key]) }
      return kept
    case .singleton(let singleton)?:
      let built = try singleton.factory(self)
      let kept = entries.withLock { Self.keep(built, of: singleton, in: &$0[key]) }
      return kept
    case .asynchronous?:
      throw NotRegistered()
    case nil:
      return try parent?.object(for: key, asked: asked)
    }
  }

  /// Keeps an instance of a scope, unless another thread was first.
  @inlinable
  static func keep(
    _ built: any AnyObject & Sendable, in entry: inout MutexEntry?
  ) -> any AnyObject & Sendable {
    switch entry {
    case nil:
      entry = .instance(built)
      return built
    case .instance(let first): return first
    default: return built
    }
  }

  /// Keeps a singleton, unless another thread was first or has replaced the registration.
  @inlinable
  static func keep(
    _ built: any AnyObject & Sendable, of singleton: MutexSingleton, in entry: inout MutexEntry?
  ) -> any AnyObject & Sendable {
    switch entry {
    case .singleton(let registered):
      if registered === singleton { entry = .instance(built) }
      return built
    case .instance(let first): return first
    default: return built
    }
  }
}

/// What a dictionary has for a key.
@usableFromInline
enum MutexEntry: Sendable {
  case instance(any AnyObject & Sendable)
  case transient(MutexDictionary.Factory<AnyObject>)
  case scoped(MutexDictionary.Factory<any AnyObject & Sendable>)
  case singleton(MutexSingleton)
  case asynchronous(MutexDictionary.AsyncFactory<AnyObject>)
}

/// The factory of a singleton that is not built yet. An object: who has built an instance must know
/// whether the registration is still the same.
@usableFromInline
final class MutexSingleton: Sendable {
  @usableFromInline let factory: MutexDictionary.Factory<any AnyObject & Sendable>

  @inlinable
  init(_ factory: @escaping MutexDictionary.Factory<any AnyObject & Sendable>) {
    self.factory = factory
  }
}

/// A value among instances.
@usableFromInline
final class ValueBox<Value: Sendable>: Sendable {
  @usableFromInline let value: Value

  @inlinable
  init(_ value: Value) {
    self.value = value
  }
}
