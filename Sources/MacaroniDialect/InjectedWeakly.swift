// SPDX-License-Identifier: MIT

internal import Corinth
internal import DialectSupport

/// A property of a class that resolves an object without keeping the object alive. Once the object
/// is gone, the next access resolves again.
///
/// A value without an object cannot be held weakly: every access resolves the value. Threads that
/// use the property at once get a single object.
@propertyWrapper
public struct InjectedWeakly<ValueType> {
  private let property = WeakPropertyValue<ValueType>()
  /// The object of the last resolve: as long as the object is alive, no policy is asked, since the
  /// policy may have a different container by now.
  private let latest = SharedValue(Reference())
  private let injection: Injection

  /// Makes a property that is resolved.
  ///
  /// - Parameters:
  ///   - initialization: when the property finds the container and the value.
  ///   - alternative: distinguishes registrations of a type.
  ///   - file: the file of the property, for messages.
  ///   - function: the function of the property, for messages.
  ///   - line: the line of the property, for messages.
  public init(
    _ initialization: Injected<ValueType>.InitializationKind = .capturingContainerOnInit(),
    alternative: RegistrationAlternative? = nil, file: StaticString = #fileID,
    function: String = #function, line: UInt = #line
  ) {
    injection = Injection(initialization, alternative, Site(file, function, line))
    if injection.isEager { _ = resolve(for: nil) }
  }

  /// Ends the program when read: a property of a struct and a local variable have no enclosing
  /// object. For a property of a class, the compiler calls a subscript with the object instead.
  public var wrappedValue: ValueType? {
    get { injection.site.die("Injected value is nil: the property must be one of a class") }
    set {}
  }

  /// The object of a property; `nil` if the registered closure returns `nil`.
  @_documentation(visibility: internal)
  public static subscript<Enclosing: AnyObject>(
    _enclosingInstance enclosing: Enclosing,
    wrapped wrapped: ReferenceWritableKeyPath<Enclosing, ValueType?>,
    storage path: ReferenceWritableKeyPath<Enclosing, Self>
  ) -> ValueType? {
    get { enclosing[keyPath: path].resolve(for: enclosing) }
    set {}
  }

  private func resolve(for enclosing: AnyObject?) -> ValueType? {
    if let alive = latest.value.object as? ValueType { return alive }
    let found = resolveAgain(for: enclosing)
    if let object = found.flatMap({ object(of: $0) }) { latest.value = Reference(object: object) }
    return found
  }

  private func resolveAgain(for enclosing: AnyObject?) -> ValueType? {
    let enclosing = injection.isEager ? nil : enclosing
    return injection.value(of: ValueType.self, for: enclosing) { container, make in
      let site = injection.site
      do {
        return try property.resolve(in: container.core, file: site.file, line: site.line) {
          let value = try make()
          if let value, !(type(of: value as Any) is AnyClass) { throw NoObject(value: value) }
          return value
        }
      } catch let other as NoObject { return other.value as? ValueType }
    }
  }
}

extension InjectedWeakly: Sendable where ValueType: Sendable {}

/// An object, held weakly.
private struct Reference {
  weak var object: AnyObject?
}

/// Carries a value that cannot be held weakly past the construction of a weakly held object.
// SAFETY: the error stays on its thread.
private struct NoObject: Error, @unchecked Sendable {
  let value: Any
}
