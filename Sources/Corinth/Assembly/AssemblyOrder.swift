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

/// Assemblies with those that they need: each once, after those that it needs. Others take the place of some.
struct AssemblyOrder {
  private(set) var ordered: [(key: AssemblyKey, assembly: any Assembly)] = []
  private var seen: Set<AssemblyKey> = []
  private var replacements: [ObjectIdentifier: any Assembly] = [:]
  /// The types of assemblies whose replacements an earlier call has applied.
  private let replaced: Set<ObjectIdentifier>

  init(_ assemblies: some Collection<any Assembly>, without replaced: Set<ObjectIdentifier>) {
    self.replaced = replaced
    findReplacements(in: assemblies)
    for assembly in assemblies { add(assembly) }
  }

  /// The assemblies of the list come before their dependencies: an assembly that a dependency replaces is not searched.
  private mutating func findReplacements(in assemblies: some Collection<any Assembly>) {
    var found = Array(assemblies)
    var visited: Set<AssemblyKey> = []
    for assembly in found { note(assembly) }
    var next = 0
    while next < found.count {
      let assembly = found[next]
      next += 1
      guard visited.insert(AssemblyKey(assembly)).inserted else { continue }
      note(assembly)
      if !isReplaced(ObjectIdentifier(type(of: assembly))) { found += assembly.listedDependencies }
    }
  }

  private mutating func note(_ assembly: any Assembly) {
    for type in assembly.replacedTypes where replacements[type] == nil {
      replacements[type] = assembly
    }
  }

  private func isReplaced(_ type: ObjectIdentifier) -> Bool {
    replacements[type] != nil || replaced.contains(type)
  }

  /// The assembly that takes the place of another one, itself as a rule; `nil` if an earlier call has applied it. Assemblies
  /// that replace each other in a circle are all applied.
  private func replacement(of assembly: any Assembly) -> (any Assembly)? {
    var assembly = assembly
    var visited: Set<ObjectIdentifier> = []
    while visited.insert(ObjectIdentifier(type(of: assembly))).inserted {
      let type = ObjectIdentifier(type(of: assembly))
      guard let other = replacements[type] else {
        return replaced.contains(type) ? nil : assembly
      }
      assembly = other
    }
    return assembly
  }

  /// Marked before those that it needs are visited, so that a cycle ends here.
  private mutating func add(_ listed: any Assembly) {
    guard let assembly = replacement(of: listed) else { return }
    let key = AssemblyKey(assembly)
    guard seen.insert(key).inserted else { return }
    for dependency in assembly.listedDependencies { add(dependency) }
    ordered.append((key, assembly))
  }
}

extension Assembly {
  /// The dependencies, from whatever collection an assembly declares them in.
  fileprivate var listedDependencies: [any Assembly] { Array(dependencies) }

  /// The types of the other assemblies whose place it takes.
  var replacedTypes: [ObjectIdentifier] {
    replaces.map { ObjectIdentifier($0) }.filter { $0 != ObjectIdentifier(Self.self) }
  }
}
