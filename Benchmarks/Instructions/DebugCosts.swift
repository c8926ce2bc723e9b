// SPDX-License-Identifier: MIT

import BenchmarkSupport

/// The cost of the commonest calls of the compatibility modules in a debug build, in which people
/// run their tests.
enum DebugCosts {
  static let option = "--debug-costs"

  /// The calls beside equivalent calls of a dictionary of closures with a lock, in the same build.
  private static let pairs: [(operation: Operation, dictionary: Operation)] = [
    (.macaroniResolve, .dictionaryTransient), (.macaroniOptional, .dictionaryTransient),
    (.macaroniInjected, .dictionarySingleton),
    (.fusionSingleton, .dictionarySingleton), (.fusionTransient, .dictionaryTransient),
    (.swiftInjectionsSingleton, .dictionarySingleton),
    (.swiftInjectionsPrototype, .dictionaryTransient),
    (.dicSingleton, .dictionarySingleton), (.dicPlain, .dictionaryTransient),
    (.swinjectContainer, .dictionarySingleton), (.swinjectTransient, .dictionaryTransient),
    // Astroject's commonest calls are Corinth's own.
    (.singleton, .dictionarySingleton), (.transient, .dictionaryTransient),
  ]

  static func print() throws {
    let counter = try InstructionCounter()
    defer { counter.cleanUp() }
    var table = TextTable(["operation", "instructions", "dictionary", "ratio"])
    for (operation, dictionary) in pairs {
      let (own, other) = (try counter.count(operation), try counter.count(dictionary))
      table.add([
        operation.rawValue, "\(Int(own))", "\(Int(other))",
        "\((own / other * 100).rounded() / 100)",
      ])
    }
    Swift.print(table.text)
  }
}
