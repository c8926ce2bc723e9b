// SPDX-License-Identifier: MIT

import TestSupport

/// Makes programs. Each has few types, names and arguments, so that calls meet.
struct SwinjectGenerator {
  private let kinds: [Int]
  private let names: [String?]
  private let shapes: [SwinjectShape]
  private let scopes: [SwinjectScope]
  /// Aliases of types that instances may not have. Nothing is resolved as a wrapper then, whose
  /// instance cannot be missing.
  private let hasWrongAliases: Bool
  private let isAboutGraphs: Bool
  /// How much more often than once each kind of call is made.
  private let weights: [Int]
  private var registrations = 0
  private var completions = 0
  private var assemblies = 0
  private var containers: Set<Int> = [0]
  private var views: Set<Int> = []
  private var keys: [(key: SwinjectKey, shape: SwinjectShape)] = []
  private var entries: Set<Int> = []
  /// Where wrappers may have been kept.
  private var wrappers: Set<Int> = []
  /// Where identifiers may have been taken.
  private var identifiers: Set<Int> = []

  init(_ random: inout SeededGenerator) {
    // Widget, Gadget and any Greeting are the objects; with their optionals, and values.
    let families = [[1, 2, 7], [1, 2, 7], [1, 5], [2, 6, 1], [0, 4], [3, 1], [0, 1, 3, 5]]
    kinds = families.randomElement(using: &random) ?? [1]
    names = Bool.random(using: &random) ? [nil] : [nil, "a"]
    shapes =
      switch Int.random(in: 0..<4, using: &random) {
      case 0: [.none, .number]
      case 1: SwinjectShape.allCases
      default: [.none]
      }
    let all = SwinjectScope.allCases
    scopes =
      switch Int.random(in: 0..<4, using: &random) {
      case 0: [all.randomElement(using: &random) ?? .graph]
      case 1: [.graph, .container, .weak]
      default: all
      }
    hasWrongAliases = Int.random(in: 0..<5, using: &random) == 0
    isAboutGraphs = Bool.random(using: &random)
    weights = (0..<9).map { _ in Int.random(in: 0...6, using: &random) }
  }

  mutating func program(_ random: inout SeededGenerator) -> [SwinjectCall] {
    var calls = [create(0, parent: nil, &random)]
    if Bool.random(using: &random) { calls.append(create(1, parent: 0, &random)) }
    calls.append(.register(0, registration(&random, depth: 0)))
    if isAboutGraphs { calls += identifying(&random) }
    let count = Int.random(in: 7...30, using: &random)
    while calls.count < count { calls.append(call(&random, depth: 0)) }
    return calls
  }

  /// Takes the identifier of a graph, whose objects may be kept.
  private mutating func identifying(_ random: inout SeededGenerator) -> [SwinjectCall] {
    var taking = registration(&random, depth: 0)
    let slot = slot(&random)
    taking.during.insert(.identify(.resolver, keep: slot), at: 0)
    identifiers.insert(slot)
    let keep = Bool.random(using: &random) ? self.slot(&random) : nil
    let resolve = SwinjectCall.resolve(
      .container(place(&random)), taking.key, arguments(taking.shape, &random), .plain, keep: keep)
    return [.register(0, taking), resolve]
  }

  private mutating func create(_ place: Int, parent: Int?, _ random: inout SeededGenerator)
    -> SwinjectCall
  {
    let isUsual = Bool.random(using: &random)
    let behaviors = Int.random(in: 0..<6, using: &random) == 0 ? [1, 2] : []
    let count = Int.random(in: 0..<4, using: &random) == 0 ? 1 : 0
    let registrations = (0..<count).map { _ in registration(&random, depth: 0) }
    containers.insert(place)
    return .create(
      place, parent: parent, isUsual ? .graph : scope(&random), behaviors: behaviors, registrations)
  }

  private func scope(_ random: inout SeededGenerator) -> SwinjectScope {
    scopes.randomElement(using: &random) ?? .graph
  }

  private func place(_ random: inout SeededGenerator) -> Int {
    if Int.random(in: 0..<20, using: &random) == 0 {
      return Int.random(in: 0..<SwinjectCall.places, using: &random)
    }
    return containers.sorted().randomElement(using: &random) ?? 0
  }

  private func slot(_ random: inout SeededGenerator) -> Int {
    Int.random(in: 0..<SwinjectCall.places, using: &random)
  }

  private func entry(_ random: inout SeededGenerator) -> Int? {
    entries.sorted().randomElement(using: &random)
  }

  private func newKey(_ random: inout SeededGenerator) -> SwinjectKey {
    SwinjectKey(
      kind: KindNumber(number: kinds.randomElement(using: &random) ?? 1),
      name: names.randomElement(using: &random) ?? nil)
  }

  /// A key that something is registered for, more often than not, or a neighbor of one.
  private func key(_ random: inout SeededGenerator) -> (key: SwinjectKey, shape: SwinjectShape) {
    let some = newKey(&random)
    let shape = shapes.randomElement(using: &random) ?? .none
    guard let known = keys.randomElement(using: &random) else { return (some, shape) }
    return switch Int.random(in: 0..<12, using: &random) {
    case 0..<8: known
    case 8: (SwinjectKey(kind: some.kind, name: known.key.name), known.shape)
    case 9: (SwinjectKey(kind: known.key.kind, name: some.name), known.shape)
    case 10: (known.key, shape)
    default: (some, shape)
    }
  }

  private func arguments(_ shape: SwinjectShape, _ random: inout SeededGenerator)
    -> SwinjectArguments
  {
    let number = Int.random(in: 0..<2, using: &random)
    return switch shape {
    case .none: .none
    case .number: .number(number)
    case .text: .text("t")
    case .numbers: .numbers(number, 7)
    case .mixed: .mixed(number, "t")
    }
  }

  private func target(_ random: inout SeededGenerator, depth: Int) -> SwinjectTarget {
    if depth > 0, Int.random(in: 0..<4, using: &random) != 0 { return .resolver }
    if let view = views.sorted().randomElement(using: &random),
      Int.random(in: 0..<4, using: &random) == 0
    {
      return .view(view)
    }
    return .container(place(&random))
  }

  private mutating func call(_ random: inout SeededGenerator, depth: Int) -> SwinjectCall {
    // Registrations and resolutions are what the others bear on.
    let weights = [
      6 + weights[0], 12 + weights[1], weights[2], 1 + weights[3], weights[4], weights[5],
      1 + weights[6], weights[7], weights[8],
    ]
    // Closures resolve, most of the time, and take the identifiers of their graphs.
    if depth > 0 {
      switch Int.random(in: 0..<12, using: &random) {
      case 0..<8: return call(1, &random, depth: depth)
      case 8 where isAboutGraphs: return identify(&random, depth: depth)
      default: break
      }
    }
    var choice = Int.random(in: 0..<weights.reduce(0, +), using: &random)
    for (index, weight) in weights.enumerated() {
      if choice < weight { return call(index, &random, depth: depth) }
      choice -= weight
    }
    return call(1, &random, depth: depth)
  }

  private mutating func call(_ index: Int, _ random: inout SeededGenerator, depth: Int)
    -> SwinjectCall
  {
    switch index {
    case 0: return .register(place(&random), registration(&random, depth: depth))
    case 2: return identify(&random, depth: depth)
    case 3: return entryCall(&random, depth: depth)
    case 4:
      let isTyped = Bool.random(using: &random)
      return .reset(place(&random), scope(&random), isTyped ? key(&random).key.kind : nil)
    case 5:
      guard let wrapper = wrappers.sorted().randomElement(using: &random) else {
        return resolve(&random, depth: depth, keepsWrapper: !hasWrongAliases)
      }
      return .read(wrapper)
    case 6 where depth == 0: return outerCall(&random)
    case 7:
      switch Int.random(in: 0..<6, using: &random) {
      case 0: return .removeAll(place(&random))
      case 1 where depth == 0: return .describe(place(&random))
      case 2: return .behave(place(&random), Int.random(in: 3..<5, using: &random))
      default: return .has(place(&random), key(&random).key)
      }
    case 8 where depth == 0: return .forget(slot(&random))
    default:
      return resolve(&random, depth: depth, keepsWrapper: false)
    }
  }

  private mutating func resolve(
    _ random: inout SeededGenerator, depth: Int, keepsWrapper: Bool
  ) -> SwinjectCall {
    let (key, shape) = key(&random)
    var form = SwinjectForm.allCases.randomElement(using: &random) ?? .plain
    if hasWrongAliases || !keepsWrapper && Int.random(in: 0..<3, using: &random) != 0 {
      form = .plain
    }
    var keep = Int.random(in: 0..<3, using: &random) == 0 ? slot(&random) : nil
    if keepsWrapper {
      form = Bool.random(using: &random) ? .lazy : .provider
      let slot = keep ?? slot(&random)
      wrappers.insert(slot)
      keep = slot
    }
    return .resolve(
      target(&random, depth: depth), key, arguments(shape, &random), form, keep: keep)
  }

  /// Takes the identifier of a graph, or uses one.
  private mutating func identify(_ random: inout SeededGenerator, depth: Int) -> SwinjectCall {
    guard let identifier = identifiers.sorted().randomElement(using: &random),
      Int.random(in: 0..<3, using: &random) != 0, depth < 2
    else {
      // Outside of closures there is none.
      if depth == 0, Int.random(in: 0..<4, using: &random) != 0 {
        return .register(place(&random), registration(&random, depth: depth))
      }
      let slot = slot(&random)
      if depth > 0 { identifiers.insert(slot) }
      return .identify(target(&random, depth: depth), keep: slot)
    }
    let count = Int.random(in: 1...3, using: &random)
    return .withGraph(
      place(&random), identifier, fails: Int.random(in: 0..<4, using: &random) == 0,
      (0..<count).map { _ in call(&random, depth: depth + 1) })
  }

  private mutating func entryCall(_ random: inout SeededGenerator, depth: Int) -> SwinjectCall {
    guard let entry = entry(&random) else { return call(1, &random, depth: depth) }
    switch Int.random(in: 0..<6, using: &random) {
    case 0, 1: return .scope(entry, scope(&random))
    case 2, 3: return .complete(entry, completion(&random, depth: depth))
    case 4:
      guard let alias = alias(&random, of: nil) else { return call(1, &random, depth: depth) }
      return .implement(entry, alias)
    default:
      guard let alias = alias(&random, of: nil) else { return call(1, &random, depth: depth) }
      return .forward(place(&random), alias, to: entry)
    }
  }

  /// Calls that are made outside of closures.
  private mutating func outerCall(_ random: inout SeededGenerator) -> SwinjectCall {
    switch Int.random(in: 0..<6, using: &random) {
    case 0, 1:
      let parent = Int.random(in: 0..<4, using: &random) == 0 ? nil : place(&random)
      return create(slot(&random), parent: parent, &random)
    case 2:
      let place = place(&random)
      if containers.count > 1 { containers.remove(place) }
      return .drop(place)
    case 3:
      let view = Int.random(in: 0..<2, using: &random)
      views.insert(view)
      return .view(view, of: place(&random))
    default:
      let assemblies = (0..<Int.random(in: 1...2, using: &random)).map { _ in assembly(&random) }
      return .assemble(place(&random), atOnce: Bool.random(using: &random), assemblies)
    }
  }

  private mutating func assembly(_ random: inout SeededGenerator) -> SwinjectAssembly {
    assemblies += 1
    let number = assemblies
    let registrations = (0..<Int.random(in: 0...2, using: &random)).map { _ in
      registration(&random, depth: 0)
    }
    let loaded = (0..<Int.random(in: 0...2, using: &random)).map { _ in call(&random, depth: 1) }
    return SwinjectAssembly(number: number, registrations: registrations, loaded: loaded)
  }

  private mutating func completion(_ random: inout SeededGenerator, depth: Int)
    -> SwinjectCompletion
  {
    completions += 1
    let number = completions
    let count = depth > 1 ? 0 : Int.random(in: 0...2, using: &random)
    return SwinjectCompletion(
      number: number, during: (0..<count).map { _ in call(&random, depth: depth + 1) })
  }

  /// A type that the instances of a kind have. Without a kind, only programs with wrong aliases
  /// have one.
  private mutating func alias(_ random: inout SeededGenerator, of kind: Int?) -> SwinjectKey? {
    var alias = newKey(&random)
    if !hasWrongAliases {
      switch kind {
      // Objects are greetings; a number is one that may be missing.
      case 1, 7: alias.kind = KindNumber(number: [2, 5, 6].randomElement(using: &random) ?? 2)
      case 0: alias.kind = KindNumber(number: 4)
      case 2: alias.kind = KindNumber(number: 6)
      default: return nil
      }
    }
    return alias
  }

  private mutating func registration(_ random: inout SeededGenerator, depth: Int)
    -> SwinjectRegistration
  {
    registrations += 1
    let number = registrations
    let some = (key: newKey(&random), shape: shapes.randomElement(using: &random) ?? .none)
    let (key, shape) = keys.isEmpty || Bool.random(using: &random) ? some : self.key(&random)
    keys.append((key, shape))
    let style: SwinjectRegistration.Style =
      switch Int.random(in: 0..<4, using: &random) {
      case 0: .derived
      case 1: .none
      default: .fresh
      }
    var registration = SwinjectRegistration(
      number: number, key: key, shape: shape, style: style, scope: nil, during: [],
      completions: [], aliases: [], entry: nil)
    if Int.random(in: 0..<3, using: &random) != 0 { registration.scope = scope(&random) }
    if depth < 2, Int.random(in: 0..<2, using: &random) == 0 {
      let count = Int.random(in: 1...3, using: &random)
      registration.during = (0..<count).map { _ in call(&random, depth: depth + 1) }
    }
    if Int.random(in: 0..<3, using: &random) == 0 {
      let count = Int.random(in: 1...2, using: &random)
      registration.completions = (0..<count).map { _ in completion(&random, depth: depth) }
    }
    if Int.random(in: 0..<4, using: &random) == 0,
      let alias = alias(&random, of: key.kind.number)
    {
      registration.aliases = [alias]
      keys.append((alias, shape))
    }
    if Int.random(in: 0..<3, using: &random) == 0 {
      let slot = slot(&random)
      entries.insert(slot)
      registration.entry = slot
    }
    return registration
  }
}
