// SPDX-License-Identifier: MIT

import TestSupport

/// What programs may have, beside resolves, forks and scopes.
public struct AccountFeatures: OptionSet, Sendable {
  public let rawValue: Int

  public init(rawValue: Int) { self.rawValue = rawValue }

  /// Changes of registrations whose instances are being built.
  public static let changes = AccountFeatures(rawValue: 1)
  /// Instances whose deinits resolve.
  public static let deinits = AccountFeatures(rawValue: 2)
  /// Resolves between the modifiers of a registration.
  public static let halfMade = AccountFeatures(rawValue: 4)
}

extension AccountProgram {
  /// The program of a seed.
  public init(seed: UInt64, _ features: AccountFeatures) {
    var generator = AccountGenerator(SeededGenerator(seed: seed), features)
    self = generator.make()
  }
}

private struct AccountGenerator {
  private var random: SeededGenerator
  private let features: AccountFeatures
  private var program = AccountProgram(containers: [.init(relation: .root)], keys: [], threads: [])

  init(_ random: SeededGenerator, _ features: AccountFeatures) {
    self.random = random
    self.features = features
  }

  mutating func make() -> AccountProgram {
    program.containers[0].isDropped = percent(15)
    if percent(60) {
      for _ in 0..<(1 + below(2)) {
        let relation = pick(AccountProgram.ContainerKind.Relation.allCases.dropFirst())
        program.containers.append(.init(relation: relation, isDropped: percent(30)))
      }
    }
    let keys = 1 + below(3)
    for index in 0..<keys { program.keys.append(key(index, of: keys)) }
    for _ in 0..<(2 + below(2)) { program.threads.append(thread()) }
    return program
  }

  private mutating func key(_ index: Int, of count: Int) -> AccountProgram.Key {
    var key = AccountProgram.Key()
    key.lifetime = pick([.singleton, .singleton, .singleton, .scoped, .cached, .weak])
    key.isAsync = percent(25)
    let isOwned = key.lifetime == .singleton || key.lifetime == .scoped
    if isOwned, percent(90) { key.disposer = percent(70) ? .sync : .async }
    key.change = pick(AccountProgram.Key.Change.allCases)
    if index + 1 < count, percent(40) {
      key.need = index + 1
      key.resolvesAtTheEnd = percent(40) && features.contains(.deinits)
    }
    if percent(15) { key.factoryFailsEvery = 1 + below(3) }
    if percent(35) { key.actionFailsEvery = percent(50) ? 0 : 1 + below(3) }
    key.pause = pick([0, 1, 4, 12])
    if features.contains(.halfMade) {
      key.chainsScope = percent(25)
      key.actsFirst = percent(40)
      key.between = percent(50) ? .nothing : pick(AccountProgram.Key.Between.allCases)
      key.chainPause = pick([0, 0, 1, 4, 12])
    }
    return key
  }

  private mutating func thread() -> AccountProgram.Thread {
    var thread = AccountProgram.Thread(isTask: percent(50))
    for _ in 0..<(1 + below(5)) {
      thread.operations.append(
        AccountProgram.Operation(
          kind: kind(), container: percent(60) ? 0 : below(program.containers.count),
          pause: below(8)))
    }
    return thread
  }

  private mutating func kind() -> AccountProgram.Kind {
    let key = below(program.keys.count)
    if percent(50) { return .resolve(key) }
    let choice = below(100)
    guard features.contains(.changes) else {
      return choice < 50 ? .scope(key, closes: percent(60)) : .fork(key, closes: percent(60))
    }
    switch choice {
    case ..<20: return .release(key)
    case ..<25: return .releaseAll
    case ..<32: return .unregister(key)
    case ..<65:
      return switch program.keys[key].change {
      case .replace: .replace(key, disposesOld: percent(50))
      case .register: .register(key)
      case .override: percent(60) ? .override(key) : .restore
      }
    case ..<75: return .dispose(key)
    case ..<84: return .scope(key, closes: percent(60))
    case ..<92: return .fork(key, closes: percent(60))
    default: return percent(50) ? .close : .shutdown
    }
  }

  private mutating func below(_ bound: Int) -> Int {
    bound <= 1 ? 0 : Int.random(in: 0..<bound, using: &random)
  }

  private mutating func percent(_ chance: Int) -> Bool { below(100) < chance }

  private mutating func pick<Elements: RandomAccessCollection>(
    _ elements: Elements
  ) -> Elements.Element where Elements.Index == Int {
    elements[elements.startIndex + below(elements.count)]
  }
}
