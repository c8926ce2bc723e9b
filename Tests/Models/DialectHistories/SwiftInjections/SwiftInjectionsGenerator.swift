// SPDX-License-Identifier: MIT

import TestSupport

/// Makes programs. Few keys and types: definitions meet.
struct SwiftInjectionsGenerator {
  private let keys: [String?]
  private let scopes: [InjectionsScope]
  private let weights: [Int]
  private var assemblies: Set<Int> = [0]
  private var defined = 1

  init(_ random: inout SeededGenerator) {
    keys =
      [[nil], [nil, "k"], ["k", "Widget"], [nil, "k", "Gadget", "l"]].randomElement(using: &random)
      ?? []
    let choices: [[InjectionsScope]] = [
      [.usual, .graph], [.singleton, .usual], [.usual, .graph, .singleton, .prototype],
      [.singleton], [.usual, .prototype],
    ]
    scopes = choices.randomElement(using: &random) ?? []
    weights = (0..<5).map { _ in Int.random(in: 0...5, using: &random) }
  }

  mutating func program(_ random: inout SeededGenerator) -> [SwiftInjectionsCall] {
    var operations: [SwiftInjectionsCall.Operation] = [create(0, &random)]
    if Bool.random(using: &random) { operations.append(create(1, &random)) }
    defined = Int.random(in: 1...SwiftInjectionsCall.definitions, using: &random)
    for place in 0..<defined {
      operations.append(.define(place, definition(&random)))
    }
    let count = Int.random(in: 8...30, using: &random)
    while operations.count < count { operations.append(operation(&random)) }
    return operations.map { SwiftInjectionsCall(operation: $0) }
  }

  private mutating func create(_ place: Int, _ random: inout SeededGenerator)
    -> SwiftInjectionsCall.Operation
  {
    assemblies.insert(place)
    return .create(place, InjectionsAssembly.allCases.randomElement(using: &random) ?? .first)
  }

  private func assembly(_ random: inout SeededGenerator) -> Int {
    assemblies.sorted().randomElement(using: &random) ?? 0
  }

  private mutating func operation(_ random: inout SeededGenerator) -> SwiftInjectionsCall.Operation
  {
    let weights = [
      8 + weights[0], 1 + weights[1] / 2, weights[2] / 2, weights[3] / 2, weights[4] / 2,
    ]
    var choice = Int.random(in: 0..<weights.reduce(0, +), using: &random)
    var index = 0
    while choice >= weights[index] {
      choice -= weights[index]
      index += 1
    }
    let place = Int.random(in: 0..<SwiftInjectionsCall.assemblies, using: &random)
    switch index {
    case 0:
      let keep = Int.random(in: 0..<3, using: &random) == 0
      return .access(
        InjectionsAccess(assembly: assembly(&random), definition: definitionPlace(&random)),
        keep: keep ? Int.random(in: 0..<2, using: &random) : nil)
    case 1: return .define(definitionPlace(&random), definition(&random))
    case 2: return .existing(assembly(&random), lookup(&random))
    case 3: return .forget(Int.random(in: 0..<2, using: &random))
    default:
      if Bool.random(using: &random) { return create(place, &random) }
      if assemblies.count > 1 { assemblies.remove(place) }
      return .drop(place)
    }
  }

  private func definitionPlace(_ random: inout SeededGenerator) -> Int {
    // Hardly ever one that is not there.
    let count =
      Int.random(in: 0..<20, using: &random) == 0 ? SwiftInjectionsCall.definitions : defined
    return Int.random(in: 0..<count, using: &random)
  }

  private func lookup(_ random: inout SeededGenerator) -> InjectionsLookup {
    let kind = [0, 1, 2, 7].randomElement(using: &random) ?? 0
    return InjectionsLookup(
      kind: KindNumber(number: kind), key: (keys.randomElement(using: &random) ?? nil))
  }

  private func steps(_ random: inout SeededGenerator, upTo most: Int) -> [InjectionsStep] {
    (0..<Int.random(in: 0...most, using: &random)).map { _ in
      if Int.random(in: 0..<4, using: &random) == 0 { return .existing(lookup(&random)) }
      let assembly = Bool.random(using: &random) ? nil : assembly(&random)
      return .access(InjectionsAccess(assembly: assembly, definition: definitionPlace(&random)))
    }
  }

  private func definition(_ random: inout SeededGenerator) -> InjectionsDefinition {
    // The types of the definition and of what its operator makes.
    let pairs = [(1, 1), (1, 1), (1, 7), (2, 1), (2, 2), (7, 7), (0, 0), (2, 7)]
    let (kind, made) = pairs.randomElement(using: &random) ?? (1, 1)
    let making: InjectionsDefinition.Making =
      switch Int.random(in: 0..<10, using: &random) {
      case 0, 1: .method
      case 2: .twice
      case 3: .existing(Int.random(in: 0..<2, using: &random))
      case 4: .nothing
      default: .operation
      }
    let isBare = Int.random(in: 0..<3, using: &random) > 0
    return InjectionsDefinition(
      kind: KindNumber(number: kind), made: KindNumber(number: made),
      key: (keys.randomElement(using: &random) ?? nil),
      scope: scopes.randomElement(using: &random) ?? .usual, making: making,
      before: isBare ? [] : steps(&random, upTo: 1), within: isBare ? [] : steps(&random, upTo: 1),
      after: steps(&random, upTo: 2))
  }
}
