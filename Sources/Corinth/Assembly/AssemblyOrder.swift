// SPDX-License-Identifier: MIT

/// Identifies a module: the type of the assembly, and the identifier.
struct AssemblyKey: Hashable, Sendable {
  private let type: ObjectIdentifier
  // The identifier is a text: keys are compared with the lock held, where no user code may run.
  private let id: String?

  init(_ assembly: some Assembly) {
    type = ObjectIdentifier(Swift.type(of: assembly))
    id = assembly.id
  }
}

/// The progress of an assembler with a module.
struct AssemblyProgress: Sendable {
  /// The steps not yet done.
  var todo = AssemblyPhase.allCases
  /// Whether a call is working on the module.
  var isClaimed = false
}

/// Assemblies with their dependencies: every assembly once, after its dependencies. Replacements
/// take the place of replaced assemblies.
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

  /// Notes replacements, the assemblies of the list before their dependencies: the dependencies of
  /// a replaced assembly are not searched.
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

  /// The assembly that takes the place of a given assembly, as a rule the given assembly; `nil` if
  /// an earlier call has applied the replacement. Assemblies that replace each other in a circle
  /// are all applied.
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

  /// Adds an assembly; marked as seen before its dependencies are visited, so that a cycle ends
  /// here.
  private mutating func add(_ listed: any Assembly) {
    guard let assembly = replacement(of: listed) else { return }
    let key = AssemblyKey(assembly)
    guard seen.insert(key).inserted else { return }
    for dependency in assembly.listedDependencies { add(dependency) }
    ordered.append((key, assembly))
  }
}

extension Assembly {
  /// The dependencies as an array, from any collection in which an assembly declares them.
  fileprivate var listedDependencies: [any Assembly] { Array(dependencies) }

  /// The types of the replaced assemblies, the assembly's own type excluded.
  var replacedTypes: [ObjectIdentifier] {
    replaces.map { ObjectIdentifier($0) }.filter { $0 != ObjectIdentifier(Self.self) }
  }

  /// Runs `body`, in which the assembly registers. The container notes the assembly of the new
  /// registrations, for listings and for reports of keys that several assemblies register.
  func noted(in container: Container, _ body: () throws -> Void) rethrows {
    try AssemblyRun.during(
      Self.self, id: id, replacing: replacedTypes, in: container.registry, body)
  }
}
