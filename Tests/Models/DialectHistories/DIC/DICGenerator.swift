// SPDX-License-Identifier: MIT

import TestSupport

/// Makes programs. Each has few types, so that calls meet.
struct DICGenerator {
  private let kinds: [Int]
  private let weights: [Int]
  private var registrations = 0
  /// What the calls before have made: most calls are about that.
  private var forms: [Int: DICForm] = [:]
  private var registered: [Int] = []

  init(_ random: inout SeededGenerator) {
    let families = [[0, 4, 8], [1, 5, 7], [2, 6], [3], [1, 5, 0, 4]]
    kinds = families.randomElement(using: &random) ?? []
    weights = (0..<6).map { _ in Int.random(in: 0...6, using: &random) }
  }

  mutating func program(_ random: inout SeededGenerator) -> [DICCall] {
    var calls: [DICCall] = [create(0, &random)]
    let count = Int.random(in: 5...30, using: &random)
    while calls.count < count { calls.append(call(&random, depth: 0)) }
    return calls
  }

  private mutating func create(_ place: Int, _ random: inout SeededGenerator) -> DICCall {
    let forms: [DICForm] = [
      .mutable, .mutable, .builder, .builder, .async, .mini, .mutable, .builder, .immutable,
    ]
    let form = forms.randomElement(using: &random) ?? .mutable
    self.forms[place] = form
    return .create(place, form)
  }

  private func newPlace(_ random: inout SeededGenerator) -> Int {
    Int.random(in: 0..<DICCall.places, using: &random)
  }

  private func place(
    _ random: inout SeededGenerator, where isFitting: (DICForm) -> Bool = { _ in true }
  ) -> Int {
    if Int.random(in: 0..<20, using: &random) == 0 { return newPlace(&random) }
    return forms.filter { isFitting($0.value) }.keys.sorted().randomElement(using: &random) ?? 0
  }

  private func kind(_ random: inout SeededGenerator) -> KindNumber {
    let known = Bool.random(using: &random) ? registered.randomElement(using: &random) : nil
    return KindNumber(number: known ?? kinds.randomElement(using: &random) ?? 0)
  }

  private mutating func call(_ random: inout SeededGenerator, depth: Int) -> DICCall {
    let weights = [
      6 + weights[0], 6 + weights[1], 1 + weights[2] / 2, weights[3], weights[4] / 2,
      weights[5] / 2,
    ]
    var choice = Int.random(in: 0..<weights.reduce(0, +), using: &random)
    for (index, weight) in weights.enumerated() {
      if choice < weight { return call(index, &random, depth: depth) }
      choice -= weight
    }
    return .forget(0)
  }

  private mutating func call(_ index: Int, _ random: inout SeededGenerator, depth: Int) -> DICCall {
    switch index {
    case 0:
      let place = place(&random) { $0.takesRegistrations }
      return .register(place, registration(&random, in: forms[place], depth: depth))
    case 1:
      let keep = Int.random(in: 0..<4, using: &random) == 0
      return .load(
        place(&random) { $0 != .builder }, kind(&random), load(&random),
        keep: keep ? Int.random(in: 0..<2, using: &random) : nil)
    case 2:
      let other = newPlace(&random)
      let builder = place(&random) { $0 == .builder }
      guard forms[builder] == .builder else { return create(other, &random) }
      if Int.random(in: 0..<4, using: &random) == 0 {
        forms[other] = .builder
        return .copy(builder, to: other)
      }
      forms[other] = .immutable
      return .build(builder, to: other)
    case 3:
      if Bool.random(using: &random) {
        return .run(Int.random(in: 0..<2, using: &random), kind(&random))
      }
      return .list(
        place(&random) { $0.lists }, to: Int.random(in: 0..<2, using: &random),
        throwable: Bool.random(using: &random))
    case 4:
      return .unregister(place(&random) { $0.lists }, keepingCapacity: Bool.random(using: &random))
    default:
      switch Int.random(in: 0..<4, using: &random) {
      case 0:
        let place = place(&random)
        if forms.count > 1 { forms[place] = nil }
        return .drop(place)
      case 1: return .forget(Int.random(in: 0..<2, using: &random))
      default: return create(newPlace(&random), &random)
      }
    }
  }

  /// Those that end the program when nothing is registered are rare.
  private func load(_ random: inout SeededGenerator) -> DICLoad {
    let harmless: [DICLoad] = [.orNil, .orThrow]
    let all = Int.random(in: 0..<8, using: &random) == 0 ? DICLoad.allCases : harmless
    return all.randomElement(using: &random) ?? .orNil
  }

  private mutating func registration(
    _ random: inout SeededGenerator, in form: DICForm?, depth: Int
  ) -> DICRegistration {
    registrations += 1
    let kind = kind(&random)
    registered.append(kind.number)
    var slots: [DICRegistration.Slot] = [.plain]
    if form?.takesSingletons ?? true { slots.append(.singleton) }
    if form?.takesThrowing ?? true { slots.append(.throwing) }
    let style: DICRegistration.Style =
      switch Int.random(in: 0..<8, using: &random) {
      case 0, 1: .kept
      case 2, 3: .none
      case 4, 5: .failing
      default: .fresh
      }
    var registration = DICRegistration(
      number: registrations, kind: kind, slot: slots.randomElement(using: &random) ?? .plain,
      style: style, isAutoclosure: Bool.random(using: &random),
      isSpelled: Bool.random(using: &random), during: [])
    if depth == 0, Int.random(in: 0..<5, using: &random) == 0 {
      registration.during = (0..<Int.random(in: 1...2, using: &random)).map { _ in
        call(&random, depth: 1)
      }
    }
    return registration
  }
}
