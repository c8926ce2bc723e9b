// SPDX-License-Identifier: MIT

extension Registration {
  /// Adds an action that runs with every new instance, before other resolves get the instance.
  ///
  /// ```swift
  /// try container.register(Child.self, scope: .singleton) { _ in Child() }
  ///   .afterInit { resolver, child in child.parent = try resolver.resolve(Parent.self) }
  /// ```
  ///
  /// Actions close cycles: while an action runs, the instance is visible only to the instance's own
  /// resolution. Resolves of any other resolution see neither the instance nor instances built
  /// meanwhile that may refer to the instance. Several actions run in the order of their addition.
  /// An action that throws fails the resolve, and the instance is dropped.
  ///
  /// If an action asks for an instance whose enclosing factory still runs, the resolve throws a
  /// cycle error. The action and all later actions run again when the enclosing factory has
  /// returned. See <doc:AfterInitAndCycles>.
  ///
  /// - Parameter action: gets a resolver of the instance's resolution, and the instance.
  ///
  /// Takes the container's writer lock.
  @discardableResult
  public func afterInit(
    perform action: @escaping @Sendable (Resolver, Product) throws -> Void
  ) -> Self {
    changed(by: .afterInit(perform: action))
  }

  /// Adds an asynchronous action that runs with every new instance, before other resolves get the
  /// instance.
  ///
  /// ```swift
  /// try container.registerAsync(Pool.self, scope: .singleton) { _ in Pool() }
  ///   .afterInit { _, pool in try await pool.connect() }
  /// ```
  ///
  /// From then on the registration is asynchronous: only `resolveAsync` builds the instances. An
  /// action that is isolated to an actor is written with `async`:
  /// `{ @MainActor resolver, instance async in ... }`.
  ///
  /// - Parameter action: gets a resolver of the instance's resolution, and the instance.
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
  /// For singletons without arguments. A registration in any other scope, or with arguments, is
  /// then invalid: ``RegistrationError/eagerRequiresSingleton(key:location:)``.
  ///
  /// Takes the container's writer lock.
  @discardableResult
  public func eager() -> Self {
    changed(by: .eager)
  }

  /// Serves the registration's instances under a further type.
  ///
  /// ```swift
  /// try container.register(SQLite.self, scope: .singleton) { _ in SQLite() }
  ///   .implements((any Database).self)
  /// ```
  ///
  /// The further type is a registration of its own, under this registration's name and arguments,
  /// as ``Container/forward(_:name:to:targetName:arguments:onDuplicate:file:line:)`` makes. If the
  /// container refuses the further registration, this registration is invalid:
  /// ``RegistrationError/alreadyRegistered(key:existing:refused:policy:)``.
  ///
  /// - Parameter other: a protocol or superclass of the factory's product. With a type to which no
  ///   instance can conform, this registration is invalid:
  ///   ``RegistrationError/doesNotImplement(key:target:location:)``. A class may have a subclass
  ///   that conforms: the resolve checks the instance, and
  ///   ``Container/validate(roots:inputs:strictly:)`` reports the registration.
  ///
  /// Takes the container's writer lock.
  @discardableResult
  public func implements<Other>(_ other: Other.Type) -> Self {
    // A registration that has been kept out, overridden or removed serves nothing.
    guard isCurrent else { return self }
    let served = RegistrationKey(product: other, name: key.name, arguments: key.arguments)
    // A registration that had to override serves another type whether the type was served before or
    // not.
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
