// SPDX-License-Identifier: MIT

import Corinth
import Foundation
import TestSupport
import XCTest

/// Random registrations under declared keys, under types, and under both, against an oracle.
///
/// The oracle knows for each container and each slot who serves: a registration made somewhere, or
/// the default. Invariants that are checked after every step
///  1. A resolve gets an instance of the registration, or of the default, that the oracle names.
///  2. A singleton is one instance for the container that keeps it, until its registration changes.
///  3. A key is never missing; a type without a registration is.
///  4. A fork sees what its base had at its beginning, whatever is used first and where.
final class RandomKeyTests: XCTestCase {
  private var seed: UInt64 {
    ProcessInfo.processInfo.environment["CORINTH_SEED"].flatMap { UInt64($0) } ?? 1
  }

  /// `CORINTH_STRESS=100` makes 100,000 steps.
  func testKeysAndTypesAreWhatAnOracleSays() throws {
    for round in 0..<StressSize.scaled(50) {
      var world = KeyWorld(seed: seed &* 1_000_003 &+ UInt64(round))
      for _ in 0..<20 {
        try world.step()
        try world.check()
      }
      if let run = testRun, run.totalFailureCount > 0 {
        return XCTFail("seed \(seed), round \(round):\n\(world.log.joined(separator: "\n"))")
      }
    }
  }
}

private final class Made: Sendable {
  let label: String
  init(_ label: String) { self.label = label }
}

/// What one may ask a container for.
private enum Slot: Hashable, CaseIterable {
  case first, second, transient, type, named

  var key: ServiceKey<Made>? {
    switch self {
    case .first: Keys.first
    case .second: Keys.second
    case .transient: Keys.transient
    case .type, .named: nil
    }
  }

  var name: Name? { self == .named ? "named" : nil }
}

private enum Keys {
  static let first: ServiceKey<Made> = ServiceKey(scope: .singleton) { _ in Made("default first") }
  static let second: ServiceKey<Made> = ServiceKey(scope: .singleton) { _ in
    Made("default second")
  }
  static let transient: ServiceKey<Made> = ServiceKey { _ in Made("default transient") }
}

/// A registration as the oracle knows it. A default counts as none.
private struct Registered: Equatable {
  let label: String
  let isShared: Bool
}

/// A container, and what the oracle knows of it.
private final class Place {
  let container: Container
  let parent: Place?
  /// What a fork sees of its base.
  let seen: [Slot: Registered]
  let isFork: Bool
  var own: [Slot: Registered] = [:]
  /// The slots whose registrations were removed in a fork, and those of its base with them.
  var hidden: Set<Slot> = []
  var isFrozen = false
  /// The instances that resolves have got.
  var instances: [Slot: Made] = [:]

  init(
    _ container: Container, parent: Place? = nil, isFork: Bool = false,
    seeing seen: [Slot: Registered] = [:]
  ) {
    self.container = container
    self.parent = parent
    self.isFork = isFork
    self.seen = seen
  }

  /// The registration that serves, and the container whose singleton serves.
  func serving(_ slot: Slot) -> (registered: Registered?, keeper: Place) {
    if let own = own[slot] { return (own, self) }
    if isFork, !hidden.contains(slot), let found = seen[slot] { return (found, self) }
    // The default is the outermost container's.
    return parent?.serving(slot) ?? (nil, self)
  }

  var visible: [Slot: Registered] {
    Dictionary(
      uniqueKeysWithValues: Slot.allCases.compactMap { slot in
        serving(slot).registered.map { (slot, $0) }
      })
  }
}

private struct KeyWorld {
  private var random: SeededGenerator
  private var places: [Place]
  private var made = 0
  private(set) var log: [String] = []

  init(seed: UInt64) {
    random = SeededGenerator(seed: seed)
    places = [Place(Container())]
  }

  private mutating func number(of place: Place) -> Int {
    places.firstIndex { $0 === place } ?? -1
  }

  mutating func step() throws {
    let place = places.randomElement(using: &random) ?? places[0]
    let slot = Slot.allCases.randomElement(using: &random) ?? .first
    let number = number(of: place)
    switch Int.random(in: 0..<16, using: &random) {
    case 0..<5: try register(slot, in: place, number)
    case 5..<7: try override(slot, in: place, number)
    case 7..<9: remove(slot, in: place, number)
    case 9 where !place.isFrozen:
      log.append("remove all in \(number)")
      place.container.removeAll()
      forgetInstances(of: place)
      place.own = [:]
      place.hidden = Set(Slot.allCases)
    case 10:
      log.append("release \(slot) in \(number)")
      let isReleased: Bool =
        if let key = slot.key {
          place.container.release(key)
        } else {
          place.container.release(Made.self, name: slot.name)
        }
      if isReleased { place.instances[slot] = nil }
    case 11 where number > 0 || places.count < 8:
      log.append("freeze \(number)")
      if Bool.random(using: &random) {
        try place.container.freeze()
        place.isFrozen = true
      }
    case 12, 13:
      log.append("child \(places.count) of \(number)")
      places.append(Place(Container(parent: place.container), parent: place))
    case 14:
      log.append("scope \(places.count) of \(number)")
      places.append(Place(place.container.makeScope(), parent: place))
    default:
      log.append("fork \(places.count) of \(number)")
      places.append(Place(place.container.fork(), isFork: true, seeing: place.visible))
    }
  }

  private mutating func register(_ slot: Slot, in place: Place, _ number: Int) throws {
    made += 1
    let label = "\(made)"
    let isShared = Bool.random(using: &random)
    let scope: Scope<Made> = isShared ? .singleton : .transient
    let policies: [DuplicatePolicy?] = [nil, .override, .keep]
    let policy = policies.randomElement(using: &random) ?? nil
    log.append("register \(label) as \(slot) in \(number), \(scope), \(policy as Any)")
    let isThere = place.own[slot] != nil || place.isFork && place.serving(slot).registered != nil
    do {
      if let key = slot.key {
        try place.container.register(key, scope: scope, onDuplicate: policy) { _ in Made(label) }
      } else {
        try place.container.register(
          Made.self, name: slot.name, scope: scope, onDuplicate: policy
        ) { _ in Made(label) }
      }
      XCTAssertFalse(place.isFrozen && !(policy == .keep && isThere))
    } catch {
      XCTAssert(place.isFrozen, "\(error)")
      return
    }
    if policy == .keep, isThere { return }
    place.own[slot] = Registered(label: label, isShared: isShared)
    place.instances[slot] = nil
  }

  /// An override that is undone at once.
  private mutating func override(_ slot: Slot, in place: Place, _ number: Int) throws {
    guard let key = slot.key, !place.isFrozen else { return }
    // A child's own registration is asked for, not one of its parents.
    guard place.parent == nil || place.own[slot] != nil else { return }
    log.append("override \(slot) in \(number), and restore")
    let fake = try place.container.register(key, onDuplicate: .require) { _ in Made("fake") }
    XCTAssertEqual(try place.container.resolve(key).label, "fake")
    XCTAssert(fake.restore())
  }

  private mutating func remove(_ slot: Slot, in place: Place, _ number: Int) {
    log.append("remove \(slot) in \(number)")
    let name = slot.key?.key.name ?? slot.name
    let isRemoved = place.container.unregister(Made.self, name: name)
    let isThere = place.own[slot] != nil || place.isFork && place.serving(slot).registered != nil
    // A default may be there, and be removed, too.
    if slot.key == nil || isThere {
      XCTAssertEqual(isRemoved, isThere && !place.isFrozen, "\(slot) in \(number)")
    }
    if place.isFrozen { return }
    place.own[slot] = nil
    place.hidden.insert(slot)
    if isRemoved { place.instances[slot] = nil }
  }

  private func forgetInstances(of place: Place) {
    place.instances = [:]
  }

  mutating func check() throws {
    for index in places.indices.shuffled(using: &random) {
      let place = places[index]
      for slot in Slot.allCases.shuffled(using: &random) where Bool.random(using: &random) {
        try check(slot, in: place, index)
      }
    }
  }

  private mutating func check(_ slot: Slot, in place: Place, _ number: Int) throws {
    let (registered, keeper) = place.serving(slot)
    let text = "\(slot) in \(number)"
    guard let key = slot.key else {
      let found = try place.container.resolveIfRegistered(Made.self, name: slot.name)
      XCTAssertEqual(found?.label, registered?.label, text)
      if let found { checkInstance(found, of: registered, slot, keeper, text) }
      return
    }
    XCTAssertEqual(place.container.contains(key), registered != nil, "contains \(text)")
    let found =
      Bool.random(using: &random)
      ? try place.container.resolve(key) : try place.container.provider(for: key)()
    XCTAssertEqual(found.label, registered?.label ?? "default \(slot)", text)
    let serving = registered ?? Registered(label: found.label, isShared: slot != .transient)
    checkInstance(found, of: serving, slot, keeper, text)
  }

  private func checkInstance(
    _ found: Made, of registered: Registered?, _ slot: Slot, _ keeper: Place, _ text: String
  ) {
    guard registered?.isShared ?? false else { return }
    if let known = keeper.instances[slot] {
      XCTAssert(known === found, "another instance of \(text)")
    }
    keeper.instances[slot] = found
  }
}
