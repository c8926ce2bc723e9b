// SPDX-License-Identifier: MIT

/// A property, variable or parameter whose value a container resolves.
///
/// ```swift
/// final class Service {
///   @Injected var mailer: any Mailer
///   @Injected(name: "replica") var database: Database
///   @Injected(.lazy, from: .container(application)) var metrics: Metrics?
/// }
/// ```
///
/// Prefer parameters of the initializer, which show the dependencies of a type and cannot fail
/// later. A property is for types whose initializers are called by foreign code.
///
/// The value is resolved once and kept, unless the mode is ``InjectionMode/everyAccess``. An
/// optional property is `nil` when nothing is registered. A property that cannot be resolved ends
/// the program with the whole message; `try $mailer()` throws
/// ``ResolutionError/injectionFailed(_:)`` instead. A failed access stores nothing: the next access
/// tries again.
///
/// A stored `var` is not allowed in a `final class` that is `Sendable`. There, use the wrapper type
/// directly:
///
/// ```swift
/// final class Service: Sendable {
///   private let mailer = Injected<any Mailer>()
///   func send() throws { try mailer().send() }
/// }
/// ```
///
/// Copies of a struct share the value of the property, as copies share an object.
///
/// ## Concurrency
/// Safe to use from any thread. If several threads make the first access at once, a single thread
/// resolves the value and the rest wait. No lock is held meanwhile. A property that its own factory
/// uses is an error, not a deadlock.
@propertyWrapper
@safe
public struct Injected<Value> {
  @usableFromInline let storage: InjectedStorage<Value>
  /// The storage, for accesses: a copied strong reference would be counted, in memory that threads
  /// share.
  @usableFromInline let reference: Unmanaged<StoredOnce<Value>>

  private init(_ storage: InjectedStorage<Value>) {
    self.storage = storage
    unsafe reference = Unmanaged.passUnretained(storage)
  }

  /// Makes a property that is resolved.
  ///
  /// The mode determines when the container is found, and the value resolved. The policy finds the
  /// container: ``Container/lookupPolicy`` when left out.
  public init(
    _ mode: InjectionMode = .captured, name: Name? = nil, from policy: LookupPolicy? = nil,
    file: StaticString = #fileID, line: UInt = #line
  ) {
    self.init(
      InjectedStorage(
        InjectionSettings(mode, name, policy, at: SourceLocation(file: file, line: line))))
  }

  /// Makes a property or parameter with a given value.
  public init(wrappedValue: Value) {
    self.init(InjectedStorage(holding: wrappedValue))
  }

  /// Makes a parameter with a given way to resolve the value:
  /// `send($mailer: .container(container))`.
  public init(projectedValue: InjectedProjection<Value>) {
    self.init(projectedValue.storage)
  }

  /// The value of a property without an enclosing object: of a struct, a local variable or a
  /// parameter.
  ///
  /// Ends the program if the value cannot be resolved.
  ///
  /// Wait-free once the value is resolved. The first access waits at most for the value's
  /// construction.
  @inlinable
  public var wrappedValue: Value {
    unsafe StoredOnce.value(of: reference) ?? storage.resolveOrStop(for: nil)
  }

  /// The value of an `Injected` that is used as a plain value; like ``wrappedValue``.
  @inlinable
  public var value: Value { wrappedValue }

  /// Returns the value of an `Injected` that is used as a plain value.
  ///
  /// - Throws: ``ResolutionError/injectionFailed(_:)``.
  ///
  /// Concurrency is the same as for ``wrappedValue``.
  @inlinable
  public func callAsFunction() throws -> Value {
    if let value = unsafe StoredOnce.value(of: reference) { return value }
    return try storage.resolve(for: nil, nil)
  }

  /// The property as the owner or a caller sees the property: `try $mailer()`.
  public var projectedValue: InjectedProjection<Value> { InjectedProjection(storage) }

  // Get-only, as is `wrappedValue`: a settable subscript beside a get-only value crashes the
  // compiler (Swift 6.3).
  @_documentation(visibility: internal) @inlinable
  public static subscript<Enclosing: AnyObject>(
    _enclosingInstance enclosing: Enclosing, wrapped wrapped: KeyPath<Enclosing, Value>,
    storage path: KeyPath<Enclosing, Self>
  ) -> Value {
    // The path is not passed on: every access would build the path.
    if let value = unsafe StoredOnce.value(of: enclosing[keyPath: path].reference) { return value }
    return enclosing[keyPath: path].storage.resolveOrStop(for: enclosing)
  }

  @_documentation(visibility: internal)
  public static subscript<Enclosing: AnyObject>(
    _enclosingInstance enclosing: Enclosing,
    projected projected: KeyPath<Enclosing, InjectedProjection<Value>>,
    storage path: KeyPath<Enclosing, Self>
  ) -> InjectedProjection<Value> {
    InjectedProjection(enclosing[keyPath: path].storage, for: enclosing, path)
  }
}

extension Injected: Sendable where Value: Sendable {}

/// When an injected property finds its container, and its value.
public enum InjectionMode: Sendable, Hashable {
  /// The policy is captured when the property is made; the first access resolves the value, which
  /// is kept.
  ///
  /// The property keeps a container alive that the policy names directly.
  case captured
  /// The first access looks the container up, and resolves the value; the value is kept.
  case lazy
  /// The value is resolved when the property is made, without an enclosing object.
  case eager
  /// Every access looks the container up, and resolves the value, according to the registration's
  /// scope.
  case everyAccess
}
