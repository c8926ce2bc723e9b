// SPDX-License-Identifier: MIT

public import Corinth

/// A property or parameter whose value a container resolves. Lazy properties are for classes, eager
/// properties for structs too.
///
/// A lazy value is resolved at the first access, and stored. Assignments are ignored. A value that
/// cannot be resolved ends the program through ``Macaroni/logger``.
///
/// ## Concurrency
/// Safe to use from any thread if the value is. A lazy value is resolved once for any number of
/// threads.
@propertyWrapper
public struct Injected<ValueType> {
  /// The container or value from which a parameter is resolved.
  public enum ResolveFrom {
    /// The container that ``Container/lookupPolicy`` finds for an object.
    case object(Any, alternative: String? = nil)
    /// A container.
    case container(Container, alternative: String? = nil)
    /// A value, used unchanged.
    case alreadyResolved(Any)
  }

  /// The time at which a property finds the container and the value.
  public enum InitializationKind {
    /// The container and the value at the first access.
    case lazily
    /// The container, or else ``Container/lookupPolicy``, when the property is made; the value at
    /// the first access.
    case capturingContainerOnInit(Container? = nil)
    /// The container and the value when the property is made. No enclosing object exists at that
    /// time.
    case resolvingOnInit(from: Container? = nil)

    /// The spelling of Macaroni's documentation: `.capturingContainerOnInit(from: container)`.
    public static func capturingContainerOnInit(from container: Container) -> Self {
      .capturingContainerOnInit(container)
    }
  }

  @usableFromInline let property: PropertyValue<ValueType, Injection>

  /// Makes a property that is resolved.
  ///
  /// - Parameters:
  ///   - initialization: when the property finds the container and the value.
  ///   - alternative: distinguishes registrations of a type.
  ///   - file: the file of the property, for messages.
  ///   - function: the function of the property, for messages.
  ///   - line: the line of the property, for messages.
  public init(
    _ initialization: InitializationKind = .capturingContainerOnInit(),
    alternative: RegistrationAlternative? = nil, file: StaticString = #fileID,
    function: String = #function, line: UInt = #line
  ) {
    let injection = Injection(initialization, alternative, Site(file, function, line))
    property =
      injection.isEager
      ? PropertyValue(holding: injection.value(of: ValueType.self, for: nil))
      : PropertyValue(injection)
  }

  /// Makes a property or parameter with a given value.
  public init(
    wrappedValue: ValueType, file: StaticString = #fileID, function: String = #function,
    line: UInt = #line
  ) { property = PropertyValue(holding: wrappedValue) }

  /// Makes a parameter that is resolved when passed: `foo($service: .container(container))`.
  public init(
    projectedValue: ResolveFrom, file: StaticString = #fileID, function: String = #function,
    line: UInt = #line
  ) { property = PropertyValue(holding: projectedValue.value(at: Site(file, function, line))) }

  /// Works like ``init(projectedValue:file:function:line:)``.
  public init(resolver: ResolveFrom) { self.init(projectedValue: resolver) }

  /// The value of a property that is not lazy. Assignments are ignored.
  public var wrappedValue: ValueType {
    get { property.value ?? resolve(for: nil) }
    set {}
  }

  /// The value, to be passed on as a parameter: `foo($service: $service)`.
  public var projectedValue: ResolveFrom { .alreadyResolved(wrappedValue) }

  /// The value of an object's property.
  @_documentation(visibility: internal)
  @inlinable
  public static subscript<Enclosing: AnyObject>(
    _enclosingInstance enclosing: Enclosing,
    wrapped wrapped: ReferenceWritableKeyPath<Enclosing, ValueType>,
    storage path: ReferenceWritableKeyPath<Enclosing, Self>
  ) -> ValueType {
    get {
      if let value = enclosing[keyPath: path].property.value { return value }
      return enclosing[keyPath: path].resolve(for: enclosing)
    }
    set {}
  }

  /// The value of an object's property, to be passed on.
  @_documentation(visibility: internal)
  public static subscript<Enclosing: AnyObject>(
    _enclosingInstance enclosing: Enclosing,
    projected projected: KeyPath<Enclosing, ResolveFrom>,
    storage path: ReferenceWritableKeyPath<Enclosing, Self>
  ) -> ResolveFrom {
    .alreadyResolved(enclosing[keyPath: path].resolve(for: enclosing))
  }

  @usableFromInline @inline(never)
  func resolve(for enclosing: AnyObject?) -> ValueType {
    // The settings are read before the value: the settings exist until the value exists.
    let settings = property.settings
    if let value = property.value { return value }
    guard let injection = settings else {
      preconditionFailure("Injected.wrappedValue: a property must have a value or settings")
    }
    let site = injection.site
    guard let enclosing else {
      site.die("Injected value is nil: a lazy property must be one of a class")
    }
    return injection.value(of: ValueType.self, for: enclosing) { container, make in
      try property.resolve(in: container.core, file: site.file, line: site.line, building: make)
    }
  }
}

extension Injected: Sendable where ValueType: Sendable {}
