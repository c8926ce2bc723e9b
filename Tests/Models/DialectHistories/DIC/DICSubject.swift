// SPDX-License-Identifier: MIT

/// DIC, as the model or as the compatibility module. A place holds a container or a builder of one
/// of its forms.
protocol DICSubject: AnyObject {
  associatedtype Place
  associatedtype List
  init(_ ledger: Ledger)
  func create(_ form: DICForm) -> Place
  func form(_ place: Place) -> DICForm
  func build(_ builder: Place) -> Place
  func register<K: Kind>(
    _ kind: K.Type, _ registration: DICRegistration, in place: Place,
    _ builder: @escaping () throws -> K.Value)
  func load<K: Kind>(_ kind: K.Type, _ form: DICLoad, from place: Place) throws -> K.Value?
  func unregister(_ place: Place, keepingCapacity: Bool)
  func list(_ place: Place, throwable: Bool) -> List
  /// The names of those kinds that a list has.
  func has<K: Kind>(_ kind: K.Type, in list: List) -> Bool
  func run<K: Kind>(_ kind: K.Type, in list: List) throws -> K.Value
  /// `load` found nothing, which ends the program.
  var hasEnded: Bool { get }
  /// Whether an error is the one of the container's own enum.
  func isMiss(_ error: any Error, of form: DICForm) -> Bool
}
