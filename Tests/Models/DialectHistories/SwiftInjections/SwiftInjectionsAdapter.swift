// SPDX-License-Identifier: MIT

import SwiftInjectionsDialect

/// SwiftInjections as the compatibility module has it.
final class SwiftInjectionsAdapter: SwiftInjectionsSubject {
  typealias Assembly = SwiftInjectionsDialect.Assembly
  typealias Definition = SwiftInjectionsDialect.Definition

  private final class First: Assembly {}
  private final class Second: Assembly {}

  let hasEnded = false

  init(_ ledger: Ledger) {}

  func assembly(_ assembly: InjectionsAssembly) -> Assembly {
    switch assembly {
    case .first: First()
    case .second: Second()
    case .firstInstance: First.instance()
    case .secondInstance: Second.instance()
    }
  }

  func define<K: Kind>(
    _ kind: K.Type, key: String?, scope: InjectionsScope, in assembly: Assembly,
    _ block: (Definition) -> K.Value
  ) -> K.Value {
    switch (key, scope) {
    case (nil, .usual): assembly.define { definition in block(definition) }
    case (let key?, .usual): assembly.define(withKey: key) { definition in block(definition) }
    case (nil, let scope):
      assembly.define(withScope: Self.scope(scope)) { definition in block(definition) }
    case (let key?, let scope):
      assembly.define(withKey: key, scope: Self.scope(scope)) { definition in block(definition) }
    }
  }

  private static func scope(_ scope: InjectionsScope) -> Scope {
    switch scope {
    case .usual, .graph: .ObjectGraph
    case .singleton: .Singleton
    case .prototype: .Prototype
    }
  }

  func initialize<K: Kind>(
    _ kind: K.Type, _ definition: Definition, byMethod: Bool, _ make: () -> K.Value
  ) -> K.Value {
    if byMethod {
      if K.self == WidgetKind.self {
        return withType { initObject(definition, make) as Widget }
      }
      if K.self == GadgetKind.self {
        return withType { initObject(definition, make) as Gadget }
      }
    }
    return definition *~> make()
  }

  /// For classes only.
  private func initObject<Object: AnyObject, Value>(
    _ definition: Definition, _ make: () -> Value
  ) -> Object {
    definition.initObject(withType(make) as Object)
  }

  private func withType<From, To>(_ make: () -> From) -> To {
    guard let made = make() as? To else { preconditionFailure("not a \(To.self)") }
    return made
  }

  func existing<K: Kind>(_ kind: K.Type, key: String?, in assembly: Assembly) -> K.Value? {
    if let key { return assembly.existingObject(withKey: key) }
    return assembly.existingObjectByMatchingType()
  }
}
