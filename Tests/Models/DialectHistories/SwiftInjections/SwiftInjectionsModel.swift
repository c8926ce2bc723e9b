// SPDX-License-Identifier: MIT

/// SwiftInjections as its document has it, "How it works".
final class SwiftInjectionsModel: SwiftInjectionsSubject {
  final class Assembly {
    var singletons: [String: Any] = [:]
    /// Migration, "What is better now": there is one of each type for which that of the key does
    /// not serve.
    var others: [String: [ObjectIdentifier: Any]] = [:]
    /// Whose initializers run.
    var beginning: [String: [ObjectIdentifier]] = [:]
    /// How many blocks of singletons run within one another.
    var running: [String: Int] = [:]
  }

  struct Definition {
    let assembly: Assembly
    let key: String
    let scope: InjectionsScope
  }

  private let ledger: Ledger
  private var instances: [InjectionsAssembly: Assembly] = [:]
  /// The objects of the graph, of all assemblies.
  private var stack: [String: Any] = [:]
  private var rounds: [String: Int] = [:]
  private var depth = 0
  private(set) var hasEnded = false

  init(_ ledger: Ledger) { self.ledger = ledger }

  func assembly(_ assembly: InjectionsAssembly) -> Assembly {
    switch assembly {
    case .first, .second: return Assembly()
    case .firstInstance, .secondInstance:
      let found = instances[assembly] ?? Assembly()
      instances[assembly] = found
      return found
    }
  }

  func define<K: Kind>(
    _ kind: K.Type, key: String?, scope: InjectionsScope, in assembly: Assembly,
    _ block: (Definition) -> K.Value
  ) -> K.Value {
    let key = key ?? String(describing: K.Value.self)
    let definition = Definition(assembly: assembly, key: key, scope: scope)
    if scope == .prototype { return block(definition) }
    if let found = stack[key] as? K.Value { return found }
    depth += 1
    let made = scope == .singleton ? inject(definition, block) : block(definition)
    depth -= 1
    if depth == 0 { (stack, rounds) = ([:], [:]) }
    return made
  }

  private func inject<Value>(_ definition: Definition, _ block: (Definition) -> Value) -> Value {
    let (assembly, key) = (definition.assembly, definition.key)
    let nesting = assembly.running[key, default: 0]
    // Migration, "What is absent, or differs": before `*~>`, the block gets the object that has
    // been made.
    if nesting > 0, let made = assembly.singletons[key] as? Value { return made }
    // The same: the program ends after more than 16 rounds of a graph.
    if nesting > 0 {
      if rounds[key] == 16 { hasEnded = true }
      rounds[key, default: 0] += 1
    }
    assembly.running[key] = nesting + 1
    defer { assembly.running[key] = nesting }
    return block(definition)
  }

  func initialize<K: Kind>(
    _ kind: K.Type, _ definition: Definition, byMethod: Bool, _ make: () -> K.Value
  ) -> K.Value {
    let key = definition.key
    switch definition.scope {
    case .prototype: return make()
    case .usual, .graph:
      if let found = stack[key] as? K.Value { return found }
      let made = make()
      stack[key] = made
      return made
    case .singleton:
      let assembly = definition.assembly
      let others = assembly.others[key] ?? [:]
      if let found = (assembly.singletons[key] ?? others[K.identifier]) as? K.Value
        ?? others[K.identifier] as? K.Value
      {
        stack[key] = found
        return found
      }
      // Migration, "What is better now": singletons that need each other in their initializers end
      // the program.
      let isFirst = assembly.singletons[key] == nil
      let beginning = assembly.beginning[key] ?? []
      if isFirst ? !beginning.isEmpty : beginning.contains(K.identifier) { hasEnded = true }
      assembly.beginning[key, default: []].append(K.identifier)
      let made = make()
      assembly.beginning[key]?.removeAll { $0 == K.identifier }
      if isFirst {
        assembly.singletons[key] = made
      } else {
        assembly.others[key, default: [:]][K.identifier] = made
      }
      stack[key] = made
      return made
    }
  }

  func existing<K: Kind>(_ kind: K.Type, key: String?, in assembly: Assembly) -> K.Value? {
    stack[key ?? String(describing: K.Value.self)] as? K.Value
  }
}
