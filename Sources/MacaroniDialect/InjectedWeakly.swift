// SPDX-License-Identifier: MIT

internal import Corinth
internal import DialectSupport

/// A property of a class that resolves an object and does not keep it alive. Once it is gone, the next access resolves again.
///
/// A value that is no object cannot be held so: each access resolves it. Threads that use it at once get one object.
@propertyWrapper
public struct InjectedWeakly<ValueType> {
  private let property = WeakPropertyValue<ValueType>()
  /// The object of the last resolve: as long as it is alive, no policy is asked, which may have another container by now.
  private let latest = SharedValue(Reference())
  private let injection: Injection

  /// A property that is resolved.
  public init(
    _ initialization: Injected<ValueType>.InitializationKind = .capturingContainerOnInit(),
    alternative: RegistrationAlternative? = nil, file: StaticString = #fileID,
    function: String = #function, line: UInt = #line
  ) {
    injection = Injection(initialization, alternative, Site(file, function, line))
    if injection.isEager { _ = resolve(for: nil) }
  }

  /// Ends the program: the property must be one of a class.
  public var wrappedValue: ValueType? {
    get { injection.site.die("Injected value is nil: the property must be one of a class") }
    set {}
  }

  /// The object of a property; `nil` if the closure that is registered returns that.
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

/// Takes a value that cannot be held weakly past the construction of what is.
private struct Reference {
  weak var object: AnyObject?
}

// SAFETY: it stays on its thread.
private struct NoObject: Error, @unchecked Sendable {
  let value: Any
}
