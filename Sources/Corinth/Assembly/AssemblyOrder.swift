// SPDX-License-Identifier: MIT

/// Identifies a module: the type of its assembly, and its identifier.
struct AssemblyKey: Hashable, Sendable {
  private let type: ObjectIdentifier
  // A text: it is compared with the lock held, where no user code may run.
  private let id: String?

  init(_ assembly: some Assembly) {
    type = ObjectIdentifier(Swift.type(of: assembly))
    id = assembly.id
  }
}

/// How far an assembler has got with a module.
struct AssemblyProgress: Sendable {
  /// The steps that have not been done.
  var todo = AssemblyPhase.allCases
  /// Whether a call is at it.
  var isClaimed = false
}

/// Assemblies with those that they need: each once, after those that it needs.
struct AssemblyOrder {
  private(set) var ordered: [(key: AssemblyKey, assembly: any Assembly)] = []
  private var seen: Set<AssemblyKey> = []

  init(_ assemblies: some Collection<any Assembly>) {
    for assembly in assemblies { add(assembly) }
  }

  /// Marked before those that it needs are visited, so that a cycle ends here.
  private mutating func add(_ assembly: some Assembly) {
    let key = AssemblyKey(assembly)
    guard seen.insert(key).inserted else { return }
    for dependency in assembly.dependencies { add(dependency) }
    ordered.append((key, assembly))
  }
}
