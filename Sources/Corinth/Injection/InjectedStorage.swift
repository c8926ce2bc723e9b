// SPDX-License-Identifier: MIT

/// The value of an injected property, and the way to resolve the value. A single object per
/// property, so that concurrent threads see the same value.
@usableFromInline
// SAFETY: see the superclass; all other properties are constant.
final class InjectedStorage<Value>: PropertyStorage<Value>, @unchecked Sendable {
  private let settings: InjectionSettings?

  init(_ settings: InjectionSettings) {
    self.settings = settings
    super.init()
    if settings.mode == .eager { _ = resolveOrStop(for: nil) } else { ResolveNotes.noteUnknown() }
  }

  /// Stores a value that needs no container.
  init(holding value: Value) {
    settings = nil
    super.init()
    store(value)
  }

  /// Returns the value, resolved by this call or by a concurrent call.
  ///
  /// - Parameters:
  ///   - enclosing: the object with the property.
  ///   - path: the path to the wrapper in the object, to name the property in errors.
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

  /// Returns the value; ends the program if resolving fails.
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

  /// The property of an object with this storage, with the declaring type.
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

/// The settings by which an injected property finds the value. The policy is captured when the
/// settings are made, unless the mode specifies otherwise.
// SAFETY: all properties are constant; the object is only passed on.
final class InjectionSettings: @unchecked Sendable {
  let mode: InjectionMode
  let name: Name?
  let location: SourceLocation
  /// The object for which to resolve, if given explicitly and not the property's enclosing object.
  let enclosing: AnyObject?
  /// `nil` stands for the policy of the process, read at every lookup: the process may set a policy
  /// after the property is made.
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

  /// Runs `body` with the container found for an object, and the key of the property.
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

  /// `\Service._mailer` is the wrapper of `Service.mailer`. A program without reflection metadata
  /// prints an offset instead of the name.
  private static func propertyName(of storage: AnyKeyPath) -> String? {
    let parts = "\(storage)".drop { $0 == "\\" }.split(separator: ".")
    guard parts.count > 1, let last = parts.last, last.hasPrefix("_") else {
      return "a property of \(type(of: storage).rootType)"
    }
    return (parts.dropLast() + [last.dropFirst()]).joined(separator: ".")
  }
}
