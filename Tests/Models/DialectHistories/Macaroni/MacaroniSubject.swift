// SPDX-License-Identifier: MIT

/// Macaroni, as the model or as the compatibility module.
protocol MacaroniSubject: AnyObject {
  associatedtype Container: AnyObject
  init(_ ledger: Ledger)
  func create(parent: Container?) -> Container
  func register<K: Kind>(
    _ kind: K.Type, _ alternative: String?, spelled: Bool, in container: Container,
    _ closure: @escaping () -> K.Value)
  func register<K: Kind>(
    _ kind: K.Type, _ alternative: String?, spelled: Bool, in container: Container,
    taking closure: @escaping (Any) -> K.Value)
  /// The inner optional is the one of the overload.
  func resolve<K: Kind>(
    _ kind: K.Type, _ alternative: String?, _ form: MacaroniForm, from container: Container
  ) throws -> K.Value?
  func resolve<K: Kind>(
    _ kind: K.Type, _ alternative: String?, _ form: MacaroniForm, from container: Container,
    parameter: Any
  ) throws -> K.Value?
  func isResolvable<K: Kind>(_ kind: K.Type, _ alternative: String?, in container: Container)
    -> Bool
  func cleanup(_ container: Container)
  func lock(_ container: Container)
  func unlock(_ container: Container)
  func setPolicy(_ policy: MacaroniPolicyOf<Container>?)
  func host<K: Kind>(
    _ kind: K.Type, _ alternative: String?, _ form: MacaroniHostFormOf<Container>,
    _ mode: MacaroniModeOf<Container>
  ) -> any MacaroniHost
  func pass<K: Kind>(
    _ kind: K.Type, _ alternative: String?, _ source: MacaroniSourceOf<Container>
  ) -> K.Value
}

/// An object with a property that is injected.
protocol MacaroniHost: Described {
  var isWeak: Bool { get }
  func read() -> String
  /// Passes the projected value to a function with an injected parameter.
  func project() -> String
  func assign()
}

enum MacaroniPolicyOf<Container> {
  case singleton(Container)
  case enclosing(default: Container?)
  case custom(Container?, Container?)
}

enum MacaroniHostFormOf<Container> {
  case object
  case module(Container?)
  case weak
  case structure
}

enum MacaroniModeOf<Container> {
  case usual
  case capturing(Container, labeled: Bool)
  case lazily
  case eager(Container?)
  case holding
}

enum MacaroniSourceOf<Container> {
  case object(Any)
  case container(Container)
  case resolved(Container, spelled: Bool)
  case value
  case wrongValue
  case plain
}
