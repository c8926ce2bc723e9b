// SPDX-License-Identifier: MIT

/// Why a registration was refused. What was registered before stays as it was.
public enum RegistrationError: Error {
  /// The key is taken, and the old registration or the new one is not overridable.
  ///
  /// - Parameters:
  ///   - key: what both are registered under.
  ///   - existing: where the registration that stays was made.
  ///   - refused: where the registration that is refused was made.
  case alreadyRegistered(key: RegistrationKey, existing: SourceLocation, refused: SourceLocation)
  /// The weak scope was asked for a product type that is not a class or a protocol.
  case weakRequiresClass(key: RegistrationKey, location: SourceLocation)
  /// A registration that is not a singleton was to be built in advance.
  case eagerRequiresSingleton(key: RegistrationKey, location: SourceLocation)
  /// A scope that keeps an instance for each value was asked for a factory whose arguments are not `Hashable`.
  case scopeRefusesArguments(key: RegistrationKey, scope: Scope, location: SourceLocation)
  /// The container that keeps the instances cannot tell when they end.
  case disposalRequiresOwner(key: RegistrationKey, scope: Scope, location: SourceLocation)
  /// The container has been closed or shut down.
  case containerClosed(key: RegistrationKey, location: SourceLocation)
}

extension RegistrationError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .alreadyRegistered(let key, let existing, let refused):
      """
      \(key) is already registered.
        registered at \(existing)
        refused at \(refused)
        hint: one of the two is not overridable; give one of them a name, or unregister the first.
      """
    case .weakRequiresClass(let key, let location):
      """
      \(key) cannot be held weakly: \(key.product) is neither a class nor a protocol.
        registered at \(location)
        hint: use .singleton to share it, or .transient to build it for each resolve.
      """
    case .eagerRequiresSingleton(let key, let location):
      """
      \(key) cannot be eager: only a singleton is built in advance.
        registered at \(location)
        hint: call asSingleton() before eager().
      """
    case .scopeRefusesArguments(let key, let scope, let location):
      """
      \(key) cannot be \(scope): it would have an instance for each value of its arguments, which are not Hashable.
        registered at \(location)
        hint: make their types Hashable, or leave it transient.
      """
    case .disposalRequiresOwner(let key, let scope, let location):
      """
      \(key) cannot be disposed of by the container: it is \(scope).
        registered at \(location)
        hint: call asSingleton() or asScoped() before onDispose().
      """
    case .containerClosed(let key, let location):
      """
      \(key) cannot be registered: the container is closed.
        refused at \(location)
        hint: register before close() or shutdown().
      """
    }
  }
}
