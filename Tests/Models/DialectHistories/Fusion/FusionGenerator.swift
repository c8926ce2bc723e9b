// SPDX-License-Identifier: MIT

import TestSupport

/// Makes programs. Each has few types and ids, so that calls meet.
struct FusionGenerator {
  private let kinds: [Int]
  private let ids: [FusionID]
  private let weights: [Int]
  private var bindings = 0
  /// What the calls before have made: most calls are about that.
  private var containers: Set<Int> = [0]
  private var hosts: Set<Int> = []
  private var keys: [FusionKey] = []

  init(_ random: inout SeededGenerator) {
    let families = [[0, 4], [1, 5, 7], [2, 6], [3], [1, 2, 7]]
    kinds = families.randomElement(using: &random) ?? []
    let some = FusionID.allCases.shuffled(using: &random).prefix(
      Int.random(in: 0...3, using: &random))
    ids = [.none] + some
    weights = (0..<7).map { _ in Int.random(in: 0...6, using: &random) }
  }

  mutating func program(_ random: inout SeededGenerator) -> [FusionCall] {
    var calls: [FusionCall] = [.create(0, parent: nil)]
    if Bool.random(using: &random) { calls.append(create(1, parent: 0)) }
    if Int.random(in: 0..<3, using: &random) == 0 {
      calls.append(.main(place(&random), spelling: Int.random(in: 0..<3, using: &random)))
    }
    let count = Int.random(in: 5...30, using: &random)
    while calls.count < count { calls.append(call(&random, depth: 0)) }
    return calls
  }

  private mutating func create(_ place: Int, parent: Int?) -> FusionCall {
    containers.insert(place)
    return .create(place, parent: parent)
  }

  private func newPlace(_ random: inout SeededGenerator) -> Int {
    Int.random(in: 0..<FusionCall.places, using: &random)
  }

  private func place(_ random: inout SeededGenerator) -> Int {
    if Int.random(in: 0..<20, using: &random) == 0 { return newPlace(&random) }
    return containers.sorted().randomElement(using: &random) ?? 0
  }

  private func maybePlace(_ random: inout SeededGenerator) -> Int? {
    Int.random(in: 0..<4, using: &random) == 0 ? nil : place(&random)
  }

  private func host(_ random: inout SeededGenerator) -> Int {
    hosts.sorted().randomElement(using: &random) ?? 0
  }

  private func newKey(_ random: inout SeededGenerator) -> FusionKey {
    FusionKey(
      kind: KindNumber(number: kinds.randomElement(using: &random) ?? 0),
      id: ids.randomElement(using: &random) ?? .none)
  }

  /// A key that something is bound to, more often than not, or a neighbor of one.
  private func key(_ random: inout SeededGenerator) -> FusionKey {
    let some = newKey(&random)
    guard let known = keys.randomElement(using: &random) else { return some }
    switch Int.random(in: 0..<10, using: &random) {
    case 0..<6: return known
    case 6: return FusionKey(kind: some.kind, id: known.id)
    case 7, 8: return FusionKey(kind: known.kind, id: some.id)
    default: return some
    }
  }

  private mutating func call(_ random: inout SeededGenerator, depth: Int) -> FusionCall {
    let weights = [
      6 + weights[0], 6 + weights[1], 1 + weights[2] / 2, 2 + weights[3], weights[4] / 3,
      weights[5] / 3, weights[6],
    ]
    var choice = Int.random(in: 0..<weights.reduce(0, +), using: &random)
    for (index, weight) in weights.enumerated() {
      if choice < weight { return call(index, &random, depth: depth) }
      choice -= weight
    }
    return .describe(0)
  }

  private mutating func call(_ index: Int, _ random: inout SeededGenerator, depth: Int)
    -> FusionCall
  {
    switch index {
    case 0:
      let place = maybePlace(&random)
      return .bind(place, binding(&random, depth: depth, isStatic: place == nil))
    case 1:
      let keep = Int.random(in: 0..<4, using: &random) == 0
      return .resolve(
        maybePlace(&random), key(&random), form(&random),
        keep: keep ? Int.random(in: 0..<2, using: &random) : nil)
    case 2: return newHost(&random)
    case 3: return hosts.isEmpty ? newHost(&random) : .read(host(&random))
    case 4:
      return depth == 0 ? .describe(place(&random)) : .unbind(maybePlace(&random), key(&random))
    case 5: return .main(place(&random), spelling: Int.random(in: 0..<3, using: &random))
    default:
      switch Int.random(in: 0..<6, using: &random) {
      case 0:
        return create(newPlace(&random), parent: Bool.random(using: &random) ? place(&random) : nil)
      case 1:
        let place = place(&random)
        if containers.count > 1 { containers.remove(place) }
        return .drop(place)
      case 2: return .dropHost(host(&random))
      case 3: return .forget(Int.random(in: 0..<2, using: &random))
      default: return .unbind(maybePlace(&random), key(&random))
      }
    }
  }

  /// Those that end the program when nothing is bound are rare.
  private func form(_ random: inout SeededGenerator) -> FusionForm {
    let harmless: [FusionForm] = [
      .optional, .identifier, .throwing, .throwingIdentifier, .old, .optional, .throwing,
    ]
    let all = Int.random(in: 0..<8, using: &random) == 0 ? FusionForm.allCases : harmless
    return all.randomElement(using: &random) ?? .optional
  }

  private mutating func binding(_ random: inout SeededGenerator, depth: Int, isStatic: Bool)
    -> FusionBinding
  {
    bindings += 1
    var key = keys.isEmpty || Bool.random(using: &random) ? newKey(&random) : key(&random)
    let forms = FusionBinding.Form.allCases.filter { !isStatic || $0.isStatic }
    let form = forms.randomElement(using: &random) ?? .factory
    if !form.takesID { key.id = .none }
    keys.append(key)
    let style: FusionBinding.Style =
      switch Int.random(in: 0..<6, using: &random) {
      case 0, 1: .kept
      case 2: .none
      default: .fresh
      }
    var binding = FusionBinding(
      number: bindings, key: key, isSingleton: form.isSingleton ?? Bool.random(using: &random),
      form: form, style: style, during: [])
    if depth == 0, Int.random(in: 0..<5, using: &random) == 0 {
      binding.during = (0..<Int.random(in: 1...2, using: &random)).map { _ in
        call(&random, depth: 1)
      }
    }
    return binding
  }

  private mutating func newHost(_ random: inout SeededGenerator) -> FusionCall {
    let host = Int.random(in: 0..<FusionCall.hosts, using: &random)
    hosts.insert(host)
    let form: FusionHostForm =
      switch Int.random(in: 0..<6, using: &random) {
      case 0: .structure
      case 1: .local
      case 2: .object(Int.random(in: 0...1, using: &random))
      default: .containerized(place(&random))
      }
    return .host(host, key(&random), form)
  }
}
