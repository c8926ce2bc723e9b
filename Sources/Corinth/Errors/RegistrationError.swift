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
  /// A scope that keeps instances was asked for a factory that takes arguments.
  case scopeRefusesArguments(key: RegistrationKey, scope: Scope, location: SourceLocation)
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
      \(key) cannot be \(scope): its factory takes arguments.
        registered at \(location)
        hint: leave it transient, or register the instance without arguments under a name.
      """
    }
  }
}
