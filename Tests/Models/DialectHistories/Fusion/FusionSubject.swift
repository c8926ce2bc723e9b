// SPDX-License-Identifier: MIT

/// Fusion, as the model or as the compatibility module.
protocol FusionSubject: AnyObject {
  associatedtype Container: AnyObject
  init(_ ledger: Ledger)
  func create(parent: Container?) -> Container
  func setMain(_ container: Container, spelling: Int)
  func main() -> Container
  /// - Parameter container: without one, the static form.
  func bind<K: Kind>(
    _ kind: K.Type, _ binding: FusionBinding, in container: Container?,
    _ factory: @escaping (Container?) -> K.Value)
  func unbind<K: Kind>(_ kind: K.Type, _ id: AnyHashable?, in container: Container?)
  func resolve<K: Kind>(
    _ kind: K.Type, _ id: AnyHashable?, _ form: FusionForm, from container: Container?
  ) -> FusionOutcome<K.Value>
  /// `nil` when the order of what happens is not told.
  func describe(_ container: Container) -> String?
  func host<K: Kind>(_ kind: K.Type, _ id: AnyHashable?, _ form: FusionHostFormOf<Container>)
    -> any FusionHost
  /// Whether something has happened that ends the program.
  var hasEnded: Bool { get }
}

enum FusionOutcome<Value> {
  case value(Value)
  case none
  case notRegistered(type: any Any.Type, id: AnyHashable?)
}

protocol FusionHost {
  func read() -> String
}

enum FusionHostFormOf<Container> {
  case object(Int)
  case containerized(Container)
  case structure
  case local
}
