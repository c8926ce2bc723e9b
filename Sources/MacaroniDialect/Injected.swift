// SPDX-License-Identifier: MIT

public import Corinth

/// A property or parameter whose value a container resolves. Lazy ones are for classes, eager ones for structs too.
///
/// A lazy value is resolved at the first access, once for any number of threads, and stored. Assignments are
/// ignored. A value that cannot be resolved ends the program through ``Macaroni/logger``.
@propertyWrapper
public struct Injected<ValueType> {
  /// The container or value that a parameter is resolved from.
  public enum ResolveFrom {
    /// The container that ``Container/lookupPolicy`` finds for an object.
    case object(Any, alternative: String? = nil)
    /// A container.
    case container(Container, alternative: String? = nil)
    /// A value, as it is.
    case alreadyResolved(Any)
  }

  /// When a property finds its container and its value.
  public enum InitializationKind {
    /// Both at the first access.
    case lazily
    /// The container, or else ``Container/lookupPolicy``, when the property is made; the value at the first access.
    case capturingContainerOnInit(Container? = nil)
    /// Both when the property is made. There is no enclosing object then.
    case resolvingOnInit(from: Container? = nil)

    /// The spelling of the document.
    public static func capturingContainerOnInit(from container: Container) -> Self {
      .capturingContainerOnInit(container)
    }
  }

  @usableFromInline let property: PropertyValue<ValueType, Injection>

  /// A property that is resolved.
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

  /// A property or parameter that is given its value.
  public init(
    wrappedValue: ValueType, file: StaticString = #fileID, function: String = #function,
    line: UInt = #line
  ) { property = PropertyValue(holding: wrappedValue) }

  /// A parameter that is resolved when it is passed: `foo($service: .container(container))`.
  public init(
    projectedValue: ResolveFrom, file: StaticString = #fileID, function: String = #function,
    line: UInt = #line
  ) { property = PropertyValue(holding: projectedValue.value(at: Site(file, function, line))) }

  /// As ``init(projectedValue:file:function:line:)``.
  public init(resolver: ResolveFrom) { self.init(projectedValue: resolver) }

  /// The value, of a property that is not lazy. Assignments are ignored.
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
    // Before the value: they are there as long as that is not.
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
