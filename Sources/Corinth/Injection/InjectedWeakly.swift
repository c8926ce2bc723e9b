// SPDX-License-Identifier: MIT

/// A property that resolves an object and does not keep the object alive.
///
/// ```swift
/// final class Screen {
///   @InjectedWeakly var coordinator: (any Coordinator)?
/// }
/// ```
///
/// Once the object is gone, the next access resolves again. The property is `nil` when nothing is
/// registered, and when no other reference keeps the resolved object alive. Only class instances
/// can be held weakly: any other instance is an error. An access takes as long as a resolve of a
/// weak registration.
///
/// ## Concurrency
/// Safe to use like ``Injected``: concurrent threads get the same object.
@propertyWrapper
public struct InjectedWeakly<Value> {
  private let storage: WeaklyInjectedStorage<Value>

  /// Makes a property that is resolved.
  ///
  /// For the parameters see ``Injected/init(_:name:from:file:line:)``. ``InjectionMode/eager``
  /// works like ``InjectionMode/captured``.
  public init(
    _ mode: InjectionMode = .captured, name: Name? = nil, from policy: LookupPolicy? = nil,
    file: StaticString = #fileID, line: UInt = #line
  ) {
    storage = WeaklyInjectedStorage(
      InjectionSettings(mode, name, policy, at: SourceLocation(file: file, line: line)))
  }

  /// The object; `nil` if nothing is registered.
  ///
  /// Ends the program if a registered object cannot be resolved.
  ///
  /// The first access waits at most for the object's construction.
  public var wrappedValue: Value? { storage.resolveOrStop(for: nil, nil) }

  /// The property as the owner sees the property: `try $coordinator()`.
  public var projectedValue: InjectedWeaklyProjection<Value> {
    InjectedWeaklyProjection(storage: storage)
  }

  @_documentation(visibility: internal)
  public static subscript<Enclosing: AnyObject>(
    _enclosingInstance enclosing: Enclosing, wrapped wrapped: KeyPath<Enclosing, Value?>,
    storage path: KeyPath<Enclosing, Self>
  ) -> Value? {
    enclosing[keyPath: path].storage.resolveOrStop(for: enclosing, path)
  }

  @_documentation(visibility: internal)
  public static subscript<Enclosing: AnyObject>(
    _enclosingInstance enclosing: Enclosing,
    projected projected: KeyPath<Enclosing, InjectedWeaklyProjection<Value>>,
    storage path: KeyPath<Enclosing, Self>
  ) -> InjectedWeaklyProjection<Value> {
    InjectedWeaklyProjection(
      storage: enclosing[keyPath: path].storage, enclosing: enclosing, path: path)
  }
}

extension InjectedWeakly: Sendable where Value: Sendable {}

/// A weakly injected property as the owner sees the property.
///
/// ## Concurrency
/// Safe to use like ``InjectedWeakly``.
public struct InjectedWeaklyProjection<Value> {
  let storage: WeaklyInjectedStorage<Value>
  var enclosing: AnyObject?
  var path: AnyKeyPath?

  /// The object; `nil` if nothing is registered.
  ///
  /// - Throws: ``ResolutionError/injectionFailed(_:)``.
  ///
  /// The first call waits at most for the object's construction.
  public func callAsFunction() throws -> Value? {
    try storage.resolve(for: enclosing, path)
  }
}

/// The object of a weakly injected property, and the way to resolve the object.
final class WeaklyInjectedStorage<Value>: Sendable {
  private let settings: InjectionSettings
  private let property = WeakPropertyStorage<Value>()

  init(_ settings: InjectionSettings) {
    self.settings = settings
    ResolveNotes.noteUnknown()
  }

  func resolve(for enclosing: AnyObject?, _ path: AnyKeyPath?) throws -> Value? {
    try settings.resolve(Value.self, for: enclosing, path) { container, key in
      try property.resolve(in: container, key, at: settings.location) {
        try container.resolveProperty(Value?.self, name: key.name, for: enclosing)
      }
    }
  }

  func resolveOrStop(for enclosing: AnyObject?, _ path: AnyKeyPath?) -> Value? {
    do {
      return try resolve(for: enclosing, path)
    } catch {
      fatalError("\(error)")
    }
  }
}
