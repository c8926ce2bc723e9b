// SPDX-License-Identifier: MIT

extension Container {
  /// A container in which the registration of an optional type can serve the type that it wraps.
  ///
  /// ```swift
  /// let container = Container(unwrapsOptionals: true)
  /// try container.register(Port?.self) { _ in Port(environment["PORT"]) }
  /// let port = try container.resolve(Port.self)
  /// ```
  ///
  /// It does where nothing is registered under the type itself. When its factory builds `nil`, the resolve throws
  /// an underlying error that says so. Children inherit the setting. For the
  /// reverse, a registration that serves its optional, see ``Registration/implements(_:)``.
  ///
  /// - Parameters:
  ///   - unwrapsOptionals: whether it does so.
  ///   - parent: where keys are looked up that are not registered here; `nil` for nowhere.
  ///   - defaultScope: the scope of registrations that name none.
  public convenience init(
    unwrapsOptionals: Bool, parent: Container? = nil, defaultScope: Scope<any Sendable> = .transient
  ) {
    self.init(fingerprintBits: 64, parent: parent, defaultScope: defaultScope)
    if unwrapsOptionals { _ = registry.implicitRegistrations(unwrappingOptionals: true) }
  }
}
