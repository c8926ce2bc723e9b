// SPDX-License-Identifier: MIT

/// The value of one injected property, and how to get it. One object for each property, so that threads that use it at
/// once see one value.
@usableFromInline
// SAFETY: see the superclass; all else is constant.
final class InjectedStorage<Value>: PropertyStorage<Value>, @unchecked Sendable {
  private let settings: InjectionSettings?

  init(_ settings: InjectionSettings) {
    self.settings = settings
    super.init()
    if settings.mode == .eager { _ = resolveOrStop(for: nil) }
  }

  /// A value that needs no container.
  init(holding value: Value) {
    settings = nil
    super.init()
    store(value)
  }

  /// The value, resolved by this call or by another one.
  ///
  /// - Parameters:
  ///   - enclosing: the object that has the property.
  ///   - path: the path to the wrapper in that object, to name it in errors.
  @usableFromInline @inline(never)
  func resolve(for enclosing: AnyObject?, _ path: AnyKeyPath?) throws -> Value {
    if let value { return value }
    guard let settings else {
      preconditionFailure("InjectedStorage.resolve: a storage must have a value or settings")
    }
    let enclosing = settings.enclosing ?? enclosing
    return try settings.resolve(Value.self, for: enclosing, path) { container, key in
      if settings.mode == .everyAccess {
        return try container.resolveProperty(Value.self, name: key.name, for: enclosing)
      }
      return try resolveOnce(in: container, key, at: settings.location) {
        try container.resolveProperty(Value.self, name: key.name, for: enclosing)
      }
    }
  }

  /// The same; ends the program if there is no value.
  @usableFromInline @inline(never)
  func resolveOrStop(for enclosing: AnyObject?) -> Value {
    do {
      return try resolve(for: enclosing, nil)
    } catch let error as ResolutionError {
      fatalError("\(error.naming(enclosing.flatMap { property(of: $0) }))")
    } catch {
      fatalError("\(error)")
    }
  }

  /// The property of an object that has this storage, with the type that declares it.
  private func property(of object: AnyObject) -> String? {
    var mirror: Mirror? = Mirror(reflecting: object)
    while let current = mirror {
      let child = current.children.first { ($0.value as? Injected<Value>)?.storage === self }
      if let name = child?.label?.drop(while: { $0 == "_" }) {
        return "\(current.subjectType).\(name)"
      }
      mirror = current.superclassMirror
    }
    return nil
  }
}

/// How an injected property finds its value. The policy is captured when the settings are made, unless the mode
/// specifies otherwise.
// SAFETY: all properties are constant; the object is only passed on.
final class InjectionSettings: @unchecked Sendable {
  let mode: InjectionMode
  let name: Name?
  let location: SourceLocation
  /// The object to resolve for, if it was given and is not that of the property.
  let enclosing: AnyObject?
  /// `nil` for that of the process, at each lookup: it may be set later than a property is made.
  private let policy: LookupPolicy?

  init(
    _ mode: InjectionMode, _ name: Name?, _ policy: LookupPolicy?,
    for enclosing: AnyObject? = nil,
    at location: SourceLocation
  ) {
    self.mode = mode
    self.name = name
    self.location = location
    self.enclosing = enclosing
    self.policy =
      switch mode {
      case .captured, .eager: policy?.captured ?? Container.lookupPolicy.capturedOrNone
      case .lazy, .everyAccess: policy
      }
  }

  /// Runs `body` with the container that is found for an object, and the key of the property.
  ///
  /// - Parameter path: the path to the stored wrapper, whose description has the property's name.
  /// - Throws: the error of a property without a value.
  func resolve<Value, Result>(
    _ type: Value.Type, for enclosing: AnyObject?, _ path: AnyKeyPath?,
    _ body: (Container, RegistrationKey) throws -> Result
  ) throws -> Result {
    let key = RegistrationKey(product: type, name: name)
    var failure: (any Error)?
    if let container = (policy ?? Container.lookupPolicy).container(for: enclosing) {
      do { return try body(container, key) } catch { failure = error }
    }
    let name = path.flatMap { Self.propertyName(of: $0) }
    throw ResolutionError.injectionFailed(
      .init(name: name, declaration: location), key, because: failure)
  }

  /// `\Service._mailer` is the wrapper of `Service.mailer`. A program without reflection metadata has an offset there.
  private static func propertyName(of storage: AnyKeyPath) -> String? {
    let parts = "\(storage)".drop { $0 == "\\" }.split(separator: ".")
    guard parts.count > 1, let last = parts.last, last.hasPrefix("_") else {
      return "a property of \(type(of: storage).rootType)"
    }
    return (parts.dropLast() + [last.dropFirst()]).joined(separator: ".")
  }
}
