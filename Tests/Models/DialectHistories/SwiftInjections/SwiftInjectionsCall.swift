// SPDX-License-Identifier: MIT

/// A program on SwiftInjections: the definitions of its assemblies, and the accesses to them.
///
/// Each call has the definitions with it: so a program is a list of calls, as that of any module.
struct SwiftInjectionsCall: CustomStringConvertible {
  enum Operation {
    case create(Int, InjectionsAssembly)
    case drop(Int)
    case define(Int, InjectionsDefinition)
    case access(InjectionsAccess, keep: Int?)
    case existing(Int, InjectionsLookup)
    case forget(Int)
  }

  var operation: Operation

  static let assemblies = 3
  static let definitions = 4

  var description: String {
    switch operation {
    case .create(let place, let assembly): "create a\(place) \(assembly)"
    case .drop(let place): "drop a\(place)"
    case .define(let place, let definition): "define d\(place) \(definition)"
    case .access(let access, let keep): "access \(access)" + (keep.map { ", keep k\($0)" } ?? "")
    case .existing(let place, let lookup): "existing a\(place) \(lookup)"
    case .forget(let place): "forget k\(place)"
    }
  }
}

enum InjectionsAssembly: CaseIterable {
  case first, second, firstInstance, secondInstance
}

/// The computed property of an assembly. Without an assembly, the one that the block belongs to.
struct InjectionsAccess: CustomStringConvertible {
  var assembly: Int?
  var definition: Int

  var description: String { "\(assembly.map { "a\($0)." } ?? "self.")d\(definition)" }
}

struct InjectionsLookup: CustomStringConvertible {
  var kind: KindNumber
  var key: String?

  var description: String { "\(kind)" + (key.map { " \"\($0)\"" } ?? " by type") }
}

enum InjectionsScope: CaseIterable {
  case usual, graph, singleton, prototype
}

enum InjectionsStep: CustomStringConvertible {
  case access(InjectionsAccess)
  case existing(InjectionsLookup)

  var description: String {
    switch self {
    case .access(let access): "\(access)"
    case .existing(let lookup): "existing \(lookup)"
    }
  }
}

struct InjectionsDefinition: CustomStringConvertible {
  enum Making {
    case operation, method, twice
    case existing(Int)
    case nothing
  }

  var kind: KindNumber
  /// What the operator makes.
  var made: KindNumber
  var key: String?
  var scope: InjectionsScope
  var making: Making
  var before: [InjectionsStep]
  /// Within the initializer.
  var within: [InjectionsStep]
  var after: [InjectionsStep]

  var description: String {
    "\(kind) made as \(made) \(key.map { "\"\($0)\"" } ?? "") \(scope) \(making) "
      + "before \(before) within \(within) after \(after)"
  }
}
