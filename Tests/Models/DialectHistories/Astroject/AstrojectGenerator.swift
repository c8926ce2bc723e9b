// SPDX-License-Identifier: MIT

import TestSupport

/// Makes programs. Each has few types and names, so that calls meet.
struct AstrojectGenerator {
  private let kinds: [Int]
  private let names: [String?]
  private let weights: [Int]
  /// Some programs are about instance objects that registrations of one type share.
  private let isAboutInstances: Bool
  private var sharable: [Int] = []
  private var registrations = 0
  /// What the calls before have made: most calls are about that.
  private var keys: [AstrojectKey] = []

  init(_ random: inout SeededGenerator) {
    let families = [[0, 4], [1], [1, 5, 7], [2, 6], [3], [1, 2]]
    isAboutInstances = Int.random(in: 0..<4, using: &random) == 0
    let family = families.randomElement(using: &random) ?? []
    kinds = isAboutInstances ? Array(family.prefix(1)) : family
    names = [[nil], [nil, "a"], [nil, "a", "b"]].randomElement(using: &random) ?? []
    weights = (0..<5).map { _ in Int.random(in: 0...6, using: &random) }
  }

  mutating func program(_ random: inout SeededGenerator) -> [AstrojectCall] {
    var calls: [AstrojectCall] = [.create(0)]
    if Bool.random(using: &random) { calls.append(.create(1)) }
    let count = Int.random(in: 5...30, using: &random)
    while calls.count < count { calls.append(call(&random, depth: 0)) }
    return calls
  }

  private func place(_ random: inout SeededGenerator) -> Int {
    Int.random(in: 0..<5, using: &random) == 0 ? 1 : 0
  }

  private func newKey(_ random: inout SeededGenerator) -> AstrojectKey {
    AstrojectKey(
      kind: KindNumber(number: kinds.randomElement(using: &random) ?? 0),
      name: (names.randomElement(using: &random) ?? nil))
  }

  private func key(_ random: inout SeededGenerator) -> AstrojectKey {
    let known = keys.randomElement(using: &random)
    return Int.random(in: 0..<4, using: &random) == 0 ? newKey(&random) : known ?? newKey(&random)
  }

  private mutating func call(_ random: inout SeededGenerator, depth: Int) -> AstrojectCall {
    let weights = [
      6 + weights[0], 8 + weights[1], 1 + weights[2] / 2, 1 + weights[3] / 2, weights[4],
    ]
    var choice = Int.random(in: 0..<weights.reduce(0, +), using: &random)
    var index = 0
    while choice >= weights[index] {
      choice -= weights[index]
      index += 1
    }
    switch index {
    case 0: return .register(place(&random), registration(&random, depth: depth))
    case 1:
      let keep = Int.random(in: 0..<3, using: &random) == 0
      return .resolve(
        place(&random), key(&random), isAsync: Int.random(in: 0..<4, using: &random) == 0,
        keep: keep ? Int.random(in: 0..<2, using: &random) : nil)
    case 2: return .isRegistered(place(&random), key(&random))
    case 3: return .release(registration: Int.random(in: 0...registrations, using: &random))
    default:
      switch Int.random(in: 0..<8, using: &random) {
      case 0: return .create(place(&random))
      case 1: return .drop(place(&random))
      case 2: return .clear(place(&random))
      case 3, 4: return .add(place(&random), behavior: Int.random(in: 0..<3, using: &random))
      case 5, 6:
        guard depth == 0 else { return .clear(place(&random)) }
        let ids = [nil, "a", "b", "c"]
        let assemblies = (0..<Int.random(in: 0...3, using: &random)).map { _ in
          AstrojectAssembly(
            registration: registration(&random, depth: depth), resolves: key(&random),
            id: ids.randomElement(using: &random) ?? nil)
        }
        return .apply(place(&random), assemblies)
      default: return .forget(Int.random(in: 0..<2, using: &random))
      }
    }
  }

  private func instance(_ random: inout SeededGenerator) -> AstrojectInstance {
    let shared = AstrojectInstance.shared(
      registration: sharable.randomElement(using: &random) ?? 0)
    if isAboutInstances, !sharable.isEmpty, Bool.random(using: &random) { return shared }
    let all: [AstrojectInstance] = [
      .singleton, .weak, .prototype, .recording, .weak, shared, shared,
    ]
    return all.randomElement(using: &random) ?? .weak
  }

  private mutating func registration(_ random: inout SeededGenerator, depth: Int)
    -> AstrojectRegistration
  {
    registrations += 1
    let key = keys.isEmpty || Bool.random(using: &random) ? newKey(&random) : key(&random)
    keys.append(key)
    // Corinth refuses to hold values weakly, as the library did.
    let isObject = [1, 2, 7].contains(key.kind.number)
    let scope: AstrojectScope =
      switch isAboutInstances
        ? Int.random(in: 5...7, using: &random)
        : Int.random(in: 0..<10, using: &random)
      {
      case 9: .prototype
      case 1, 2: .singleton
      case 3, 4: isObject ? .weak : .singleton
      case 5, 0: .instance(instance(&random))
      case 6, 7:
        .composite(
          (0..<(isAboutInstances ? 2 : Int.random(in: 0...3, using: &random))).map { _ in
            instance(&random)
          },
          byClosure: Bool.random(using: &random))
      default: .usual
      }
    if case .instance = scope { sharable.append(registrations) }
    let style: AstrojectRegistration.Style =
      switch Int.random(in: 0..<10, using: &random) {
      case 0, 1: .kept
      case 2: .none
      case 3: .failing
      case 4, 5: .needing(self.key(&random))
      default: .fresh
      }
    var registration = AstrojectRegistration(
      number: registrations, key: key,
      overridable: Int.random(in: 0..<3, using: &random) == 0
        ? Int.random(in: 0..<3, using: &random) > 0 : nil,
      isAsync: Int.random(in: 0..<6, using: &random) == 0, scope: scope,
      afterInit: Int.random(in: 0..<6, using: &random) == 0 ? Bool.random(using: &random) : nil,
      style: style, during: [])
    if depth == 0, Int.random(in: 0..<6, using: &random) == 0 {
      registration.during = [call(&random, depth: 1)]
    }
    return registration
  }
}
