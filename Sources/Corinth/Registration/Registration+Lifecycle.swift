// SPDX-License-Identifier: MIT

extension Registration {
  /// Adds an action that runs with each new instance, before other resolves get it.
  ///
  /// ```swift
  /// try container.register(Child.self, scope: .singleton) { _ in Child() }
  ///   .afterInit { resolver, child in child.parent = try resolver.resolve(Parent.self) }
  /// ```
  ///
  /// It closes cycles: while it runs, the instance is visible to its own resolution only. Other resolves see neither
  /// the instance nor those built meanwhile that may refer to it. Several actions run in the order they were added.
  /// One that throws fails the resolve, and the instance is dropped.
  ///
  /// If an action asks for an instance whose enclosing factory still runs, the resolve throws a cycle error. The
  /// action and those after it run again when that factory has returned. See <doc:AfterInitAndCycles>.
  ///
  /// - Parameter action: gets a resolver of the same resolution, and the instance.
  ///
  /// Takes the container's writer lock.
  @discardableResult
  public func afterInit(
    perform action: @escaping @Sendable (Resolver, Product) throws -> Void
  ) -> Self {
    changed(by: .afterInit(perform: action))
  }

  /// Adds an asynchronous action that runs with each new instance, before other resolves get it.
  ///
  /// ```swift
  /// try container.registerAsync(Pool.self, scope: .singleton) { _ in Pool() }
  ///   .afterInit { _, pool in try await pool.connect() }
  /// ```
  ///
  /// From then on the registration is asynchronous: only `resolveAsync` builds its instances. An action that is
  /// isolated to an actor is written with `async`: `{ @MainActor resolver, instance async in ... }`.
  ///
  /// - Parameter action: gets a resolver of the same resolution, and the instance.
  ///
  /// Takes the container's writer lock.
  @discardableResult
  public func afterInit(
    perform action: @escaping @Sendable (Resolver, Product) async throws -> Void
  ) -> Self {
    changed(by: .afterInit(perform: action))
  }

  /// Has `warmUp()` build the instance, instead of the first resolve.
  ///
  /// ```swift
  /// try container.register(Database.self, scope: .singleton) { _ in try Database.open() }.eager()
  /// ```
  ///
  /// For singletons without arguments. Others are invalid then: ``RegistrationError/eagerRequiresSingleton(key:location:)``.
  ///
  /// Takes the container's writer lock.
  @discardableResult
  public func eager() -> Self {
    changed(by: .eager)
  }

  /// Serves the same instances under another type too.
  ///
  /// ```swift
  /// try container.register(SQLite.self, scope: .singleton) { _ in SQLite() }.implements((any Database).self)
  /// ```
  ///
  /// Another registration of its own, under the same name and with the same arguments, as
  /// ``Container/forward(_:name:to:targetName:arguments:onDuplicate:file:line:)`` makes it. If that is refused, this one is invalid:
  /// ``RegistrationError/alreadyRegistered(key:existing:refused:policy:)``.
  ///
  /// - Parameter other: a protocol or superclass of the factory's product. With one that no instance can be of, this
  ///   registration is invalid: ``RegistrationError/doesNotImplement(key:target:location:)``. A class may have a subclass that
  ///   conforms: that is checked when it is resolved, and ``Container/validate(roots:inputs:strictly:)`` reports it.
  ///
  /// Takes the container's writer lock.
  @discardableResult
  public func implements<Other>(_ other: Other.Type) -> Self {
    // One that has been kept out, overridden or removed serves nothing.
    guard isCurrent else { return self }
    let served = RegistrationKey(product: other, name: key.name, arguments: key.arguments)
    // One that had to override serves another type whether that was served before or not.
    let policy = (onDuplicate ?? container.duplicates) == .require ? .override : onDuplicate
    do {
      try container.forward(other, served, to: key, policy, at: location)
      noteRefusal(of: served, nil)
    } catch {
      noteRefusal(of: served, error as? RegistrationError)
    }
    return self
  }
}
