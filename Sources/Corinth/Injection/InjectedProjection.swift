// SPDX-License-Identifier: MIT

/// An injected property as the owner or a caller sees the property: `$mailer`.
///
/// ```swift
/// final class Service {
///   @Injected var mailer: any Mailer
///   func check() throws { _ = try $mailer() }  // throws where `mailer` would end the program
/// }
/// func send(@Injected mailer: any Mailer) { mailer.send() }
/// send($mailer: .container(container))                 // or send(mailer: SMTPMailer())
/// ```
///
/// ## Concurrency
/// Safe to use from any thread, and to share if the value is `Sendable`.
public struct InjectedProjection<Value> {
  let storage: InjectedStorage<Value>
  private let enclosing: AnyObject?
  private let path: AnyKeyPath?

  init(
    _ storage: InjectedStorage<Value>, for enclosing: AnyObject? = nil, _ path: AnyKeyPath? = nil
  ) {
    self.storage = storage
    self.enclosing = enclosing
    self.path = path
  }

  /// The value, resolved at the first call.
  ///
  /// - Throws: ``ResolutionError/injectionFailed(_:)``.
  ///
  /// Wait-free once the value is resolved. The first call waits at most for the value's
  /// construction.
  public func callAsFunction() throws -> Value {
    try storage.resolve(for: enclosing, path)
  }

  /// A parameter's value, from a container. The first use resolves the value, once.
  ///
  /// Safe to use from any thread: several users of the parameter get a single value.
  public static func container(
    _ container: Container, name: Name? = nil, file: StaticString = #fileID, line: UInt = #line
  ) -> InjectedProjection {
    InjectedProjection(
      InjectedStorage(
        InjectionSettings(
          .captured, name, .container(container), at: SourceLocation(file: file, line: line))))
  }

  /// A parameter's value, from the container that a policy finds for an object. The first use
  /// resolves the value, once.
  ///
  /// The object is the ``Resolver/enclosingObject`` of the factory, and is kept alive as long as
  /// the parameter. The policy is ``Container/lookupPolicy`` when left out.
  public static func enclosing(
    _ object: AnyObject, name: Name? = nil, from policy: LookupPolicy? = nil,
    file: StaticString = #fileID, line: UInt = #line
  ) -> InjectedProjection {
    InjectedProjection(
      InjectedStorage(
        InjectionSettings(
          .captured, name, policy, for: object, at: SourceLocation(file: file, line: line))))
  }

  /// A parameter's value, given directly.
  public static func value(_ value: Value) -> InjectedProjection {
    InjectedProjection(InjectedStorage(holding: value))
  }
}
