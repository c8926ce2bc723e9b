// SPDX-License-Identifier: MIT

/// SwiftInjections, as the model or as the compatibility module.
protocol SwiftInjectionsSubject: AnyObject {
  associatedtype Assembly: AnyObject
  associatedtype Definition
  init(_ ledger: Ledger)
  func assembly(_ assembly: InjectionsAssembly) -> Assembly
  /// - Parameter isShared: whether the assembly outlives the program.
  func define<K: Kind>(
    _ kind: K.Type, key: String?, scope: InjectionsScope, in assembly: Assembly,
    _ block: (Definition) -> K.Value
  ) -> K.Value
  func initialize<K: Kind>(
    _ kind: K.Type, _ definition: Definition, byMethod: Bool, _ make: () -> K.Value
  ) -> K.Value
  func existing<K: Kind>(_ kind: K.Type, key: String?, in assembly: Assembly) -> K.Value?
  var hasEnded: Bool { get }
}
