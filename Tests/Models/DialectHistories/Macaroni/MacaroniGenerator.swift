// SPDX-License-Identifier: MIT

import TestSupport

/// Makes programs. Each has few types and names, so that calls meet.
struct MacaroniGenerator {
  private let kinds: [Int]
  private let alternatives: [String?]
  /// How much more often than once each kind of call is made.
  private let weights: [Int]
  /// Some programs are about weak properties: their instances must be kept, and their policies
  /// change.
  private let isAboutWeakOnes: Bool
  private var registrations = 0
  /// What the calls before have made: most calls are about that.
  private var containers: Set<Int> = [0]
  private var hosts: Set<Int> = []
  private var keys: [MacaroniKey] = []

  init(_ random: inout SeededGenerator) {
    let families = [[0, 4, 8], [1, 5], [2, 6], [3]]
    let family = families.randomElement(using: &random) ?? []
    let other = Int.random(in: 0..<8, using: &random)
    kinds = Int.random(in: 0..<4, using: &random) == 0 ? family + [other] : family
    alternatives = Bool.random(using: &random) ? [nil] : [nil, "a", "b"]
    isAboutWeakOnes = Int.random(in: 0..<4, using: &random) == 0
    weights = (0..<8).map { _ in Int.random(in: 0...6, using: &random) }
  }

  mutating func program(_ random: inout SeededGenerator) -> [MacaroniCall] {
    var calls: [MacaroniCall] = [.create(0, parent: nil)]
    if Bool.random(using: &random) { calls.append(create(1, parent: 0)) }
    if Bool.random(using: &random) { calls.append(.policy(.singleton(0))) }
    let count = Int.random(in: 5...30, using: &random)
    while calls.count < count { calls.append(call(&random, depth: 0)) }
    return calls
  }

  private mutating func create(_ place: Int, parent: Int?) -> MacaroniCall {
    containers.insert(place)
    return .create(place, parent: parent)
  }

  private func place(_ random: inout SeededGenerator) -> Int {
    if Int.random(in: 0..<20, using: &random) == 0 { return newPlace(&random) }
    return containers.sorted().randomElement(using: &random) ?? 0
  }

  private func newPlace(_ random: inout SeededGenerator) -> Int {
    Int.random(in: 0..<MacaroniCall.places, using: &random)
  }

  private func maybePlace(_ random: inout SeededGenerator) -> Int? {
    Bool.random(using: &random) ? place(&random) : nil
  }

  private func host(_ random: inout SeededGenerator) -> Int {
    let some = Int.random(in: 0..<MacaroniCall.hosts, using: &random)
    if Int.random(in: 0..<20, using: &random) == 0 { return some }
    return hosts.sorted().randomElement(using: &random) ?? some
  }

  private func newKey(_ random: inout SeededGenerator) -> MacaroniKey {
    MacaroniKey(
      kind: KindNumber(number: kinds.randomElement(using: &random) ?? 0),
      alternative: (alternatives.randomElement(using: &random) ?? nil))
  }

  /// A key that something is registered for, more often than not, or a neighbor of one.
  private func key(_ random: inout SeededGenerator) -> MacaroniKey {
    let some = newKey(&random)
    guard let known = keys.randomElement(using: &random) else { return some }
    switch Int.random(in: 0..<10, using: &random) {
    case 0..<5: return known
    case 5, 6: return MacaroniKey(kind: some.kind, alternative: known.alternative)
    case 7: return MacaroniKey(kind: known.kind, alternative: some.alternative)
    default: return some
    }
  }

  private mutating func call(_ random: inout SeededGenerator, depth: Int) -> MacaroniCall {
    // Registrations, resolutions, hosts and reads are what the others bear on.
    let weights = [
      6 + weights[0], 6 + weights[1], 3 + weights[2], 4 + weights[3], weights[4], 1 + weights[5],
      weights[6], weights[7],
    ]
    var choice = Int.random(in: 0..<weights.reduce(0, +), using: &random)
    for (index, weight) in weights.enumerated() {
      if choice < weight { return call(index, &random, depth: depth) }
      choice -= weight
    }
    return .isResolvable(0, key(&random))
  }

  private mutating func call(_ index: Int, _ random: inout SeededGenerator, depth: Int)
    -> MacaroniCall
  {
    switch index {
    case 0: return .register(place(&random), registration(&random, depth: depth))
    case 1:
      let form = MacaroniForm.allCases.randomElement(using: &random) ?? .string
      if Int.random(in: 0..<3, using: &random) == 0 {
        return .resolveTaking(
          place(&random), key(&random), form,
          parameter: MacaroniParameter.allCases.randomElement(using: &random) ?? .number)
      }
      let keep = Int.random(in: 0..<4, using: &random) == 0
      return .resolve(
        place(&random), key(&random), form, keep: keep ? Int.random(in: 0..<2, using: &random) : nil
      )
    case 2: return newHost(&random)
    case 3:
      if hosts.isEmpty { return newHost(&random) }
      let host = host(&random)
      return Int.random(in: 0..<5, using: &random) == 0 ? .project(host) : .read(host)
    case 4: return .pass(key(&random), source(&random))
    case 5: return .isResolvable(place(&random), key(&random))
    case 6: return .policy(policy(&random))
    default:
      switch Int.random(in: 0..<8, using: &random) {
      case 0: return create(newPlace(&random), parent: maybePlace(&random))
      case 1:
        let place = place(&random)
        if containers.count > 1 { containers.remove(place) }
        return .drop(place)
      case 2: return .cleanup(place(&random))
      case 3: return .lock(place(&random))
      case 4: return .unlock(place(&random))
      case 5: return .assign(host(&random))
      case 6:
        let host = host(&random)
        hosts.remove(host)
        return .dropHost(host)
      default: return .forget(Int.random(in: 0..<2, using: &random))
      }
    }
  }

  private mutating func registration(_ random: inout SeededGenerator, depth: Int)
    -> MacaroniRegistration
  {
    registrations += 1
    let key = keys.isEmpty || Bool.random(using: &random) ? newKey(&random) : key(&random)
    keys.append(key)
    let style: MacaroniRegistration.Style =
      switch Int.random(in: 0..<8, using: &random) {
      case 0, 1: .kept
      case 4...7 where isAboutWeakOnes: .kept
      case 2: .once
      case 3, 4: .none
      default: .fresh
      }
    var registration = MacaroniRegistration(
      number: registrations, key: key, takes: Int.random(in: 0..<3, using: &random) == 0,
      isSpelled: Bool.random(using: &random), style: style, during: [])
    if depth == 0, Int.random(in: 0..<5, using: &random) == 0 {
      registration.during = (0..<Int.random(in: 1...2, using: &random)).map { _ in
        call(&random, depth: 1)
      }
    }
    return registration
  }

  private mutating func newHost(_ random: inout SeededGenerator) -> MacaroniCall {
    var key = key(&random)
    let form: MacaroniHostForm =
      switch Int.random(in: 0..<8, using: &random) {
      case _ where isAboutWeakOnes: .weak
      case 0: .module(maybePlace(&random))
      case 1, 2: .weak
      case 3: .structure
      default: .object
      }
    let mode: MacaroniMode =
      switch Int.random(in: 0..<8, using: &random) {
      case 0, 1: .capturing(place(&random), labeled: Bool.random(using: &random))
      case 2: .lazily
      case 3: .eager(nil)
      case 4: .eager(place(&random))
      case 5: .holding
      default: .usual
      }
    let host = Int.random(in: 0..<MacaroniCall.hosts, using: &random)
    hosts.insert(host)
    if case .weak = form {
      // A weak property is an optional already.
      if key.kind.number >= 4 { key.kind = KindNumber(number: key.kind.number % 4) }
      if case .holding = mode { return .host(host, key, form, .usual) }
    }
    return .host(host, key, form, mode)
  }

  private func source(_ random: inout SeededGenerator) -> MacaroniSource {
    switch Int.random(in: 0..<8, using: &random) {
    case 0, 1: .object(host(&random))
    case 2: .container(place(&random))
    case 3, 4: .resolved(place(&random), spelled: Bool.random(using: &random))
    case 5: .value
    case 6: .wrongValue
    default: .plain
    }
  }

  private func policy(_ random: inout SeededGenerator) -> MacaroniPolicy? {
    switch Int.random(in: 0..<6, using: &random) {
    case _ where isAboutWeakOnes: .custom(place(&random), place(&random))
    case 0: nil
    case 1, 2: .singleton(place(&random))
    case 3, 4: .enclosing(default: maybePlace(&random))
    default: .custom(maybePlace(&random), maybePlace(&random))
    }
  }
}
