// SPDX-License-Identifier: MIT

import Corinth
import TestSupport
import XCTest

/// An instance, made by a registration or a default.
final class Made: Sendable {
  let label: String
  private let atDeinit: (@Sendable () -> Void)?

  init(_ label: String, atDeinit: (@Sendable () -> Void)? = nil) {
    self.label = label
    self.atDeinit = atDeinit
  }

  deinit { atDeinit?() }
}

/// What one may ask a container for.
enum KeySlot: Hashable, CaseIterable {
  case first, second, transient, left, right, pair, leaving, type, named

  var key: ServiceKey<Made>? {
    switch self {
    case .first: Keys.first
    case .second: Keys.second
    case .transient: Keys.transient
    case .left: Keys.side("left")
    case .right: Keys.side("right")
    case .pair: Keys.pair
    case .leaving: Keys.leaving
    case .type, .named: nil
    }
  }

  var name: Name? { key?.key.name ?? (self == .named ? "named" : nil) }

  /// Whether the default is shared.
  var isShared: Bool { self != .transient }

  static func random(using random: inout SeededGenerator) -> KeySlot {
    allCases.randomElement(using: &random) ?? .first
  }
}

private enum Keys {
  static let first: ServiceKey<Made> = ServiceKey(scope: .singleton, with: .dependsOn()) { _ in
    Made("default first")
  }
  static let second: ServiceKey<Made> = ServiceKey(scope: .singleton, with: .dependsOn()) { _ in
    Made("default second")
  }
  static let transient: ServiceKey<Made> = ServiceKey(with: .dependsOn()) { _ in
    Made("default transient")
  }
  /// Two keys of one place, made anew at every use.
  static func side(_ name: String) -> ServiceKey<Made> {
    ServiceKey(name: name, scope: .singleton, with: .dependsOn()) { _ in Made("default \(name)") }
  }
  static let pair: ServiceKey<Made> = ServiceKey(
    scope: .singleton, with: .dependsOn(keys: [Keys.first.key])
  ) { Made("pair of \(try $0.resolve(Keys.first).label)") }
  /// The instance's disposer and deinit ask for other keys.
  static let leaving: ServiceKey<Made> = ServiceKey(
    scope: .singleton, with: .dependsOn().onDispose { _ in KeyWorld.ask() }
  ) { _ in Made("default leaving", atDeinit: KeyWorld.ask) }
}

/// A registration as the oracle knows it. A default counts as none.
struct RegisteredMade: Equatable {
  let label: String
  let isShared: Bool
  /// Whether a version has the registration in place of its base's, which has not changed.
  var isOfBase = false
}

/// A container, and what the oracle knows of it.
final class KeyPlace {
  let number: Int
  let container: Container
  let parent: KeyPlace?
  /// What a fork sees of its base.
  let seen: [KeySlot: RegisteredMade]
  let isFork: Bool
  let isScope: Bool
  /// Whether the container is a version of a reloadable one: the defaults may be its own.
  let isVersion: Bool
  var own: [KeySlot: RegisteredMade] = [:]
  /// The slots whose registrations were removed in a fork, and those of its base with them.
  var hidden: Set<KeySlot> = []
  var isFrozen = false
  /// The instances that resolves have got.
  var instances: [KeySlot: Made] = [:]
  /// The slots whose instances here a reload disposes of, at a time that nobody knows.
  var replaced: Set<KeySlot> = []
  /// Whether nobody knows what the default pair was made of.
  var hasUnknownPair = false

  init(
    _ container: Container, _ number: Int, in parent: KeyPlace? = nil, isFork: Bool = false,
    isScope: Bool = false, isVersion: Bool = false, seeing seen: [KeySlot: RegisteredMade] = [:]
  ) {
    self.container = container
    self.number = number
    self.parent = parent
    self.isFork = isFork
    self.isScope = isScope
    self.isVersion = isVersion
    self.seen = seen
    isFrozen = isVersion
  }

  /// The registration that serves, and the container whose singleton serves.
  func serving(_ slot: KeySlot) -> (registered: RegisteredMade?, keeper: KeyPlace) {
    if let own = own[slot] { return (own, self) }
    if isFork, !hidden.contains(slot), let found = seen[slot] { return (found, self) }
    guard let parent else { return (nil, self) }
    let (registered, keeper) = parent.serving(slot)
    // The default is the outermost container's.
    return registered == nil && isVersion ? (nil, self) : (registered, keeper)
  }

  /// What an instance of the slot is labeled that is made now; `nil` if nobody knows.
  func label(_ slot: KeySlot) -> String? {
    let (registered, keeper) = serving(slot)
    if let registered { return registered.label }
    guard slot == .pair else { return "default \(slot)" }
    if keeper.hasUnknownPair || keeper.replaced.contains(.pair) { return nil }
    return keeper.label(.first).map { "pair of \($0)" }
  }

  /// Whether a default pair that is here is made of what `first` is here.
  var hasPairOfFirst: Bool {
    if hasUnknownPair || replaced.contains(.pair) { return false }
    guard own[.pair] == nil, let pair = instances[.pair] else { return true }
    return label(.first).map { pair.label == "pair of \($0)" } ?? false
  }

  var visible: [KeySlot: RegisteredMade] {
    Dictionary(
      uniqueKeysWithValues: KeySlot.allCases.compactMap { slot in
        serving(slot).registered.map { (slot, $0) }
      })
  }

  /// The container and those around it.
  var around: [KeyPlace] { [self] + (parent?.around ?? []) }

  func has(_ slot: KeySlot) -> Bool {
    own[slot] != nil || isFork && serving(slot).registered != nil
  }
}

/// Containers, and what random steps have made of them.
final class KeyWorld {
  var random: SeededGenerator
  var places: [KeyPlace] = []
  var made = 0
  private var placesMade = 0
  var log: [String] = []
  /// Of the first container, which then changes by reloads only.
  private(set) var reloadable: ReloadableContainer?

  /// The containers that deinits and disposers ask.
  private static let asked = Locked<[Container]>([])
  private static let unexpected = Locked<[String]>([])

  init(seed: UInt64) {
    random = SeededGenerator(seed: seed)
    add(Container())
  }

  /// Asks some container for keys, as the deinit of an instance, or a disposer.
  static func ask() {
    for container in asked.withLock({ $0 }).shuffled().prefix(2) {
      for slot in [KeySlot.first, .transient, .left] {
        guard let key = slot.key else { continue }
        do {
          _ = try container.resolve(key)
        } catch {
          if !error.is(.containerClosed) { unexpected.withLock { $0.append("\(error)") } }
        }
      }
    }
  }

  @discardableResult
  func add(
    _ container: Container, in parent: KeyPlace? = nil, isFork: Bool = false,
    isScope: Bool = false, isVersion: Bool = false, seeing seen: [KeySlot: RegisteredMade] = [:]
  ) -> KeyPlace {
    let place = KeyPlace(
      container, placesMade, in: parent, isFork: isFork, isScope: isScope, isVersion: isVersion,
      seeing: seen)
    placesMade += 1
    places.append(place)
    Self.asked.withLock { $0 = places.map(\.container) }
    return place
  }

  var randomPlace: KeyPlace { places.randomElement(using: &random) ?? places[0] }

  /// Whether no step may change the container's registrations.
  func isSettled(_ place: KeyPlace) -> Bool {
    place.isVersion || reloadable != nil && place === places[0]
  }

  func step() async throws {
    let place = randomPlace
    let slot = KeySlot.random(using: &random)
    switch Int.random(in: 0..<18, using: &random) {
    case 0..<11 where isSettled(place): try await reload()
    case 0..<5: try register(slot, in: place)
    case 5..<7: try override(slot, in: place)
    case 7..<9: remove(slot, in: place)
    case 9 where !place.isFrozen: removeAll(in: place)
    case 10: release(slot, in: place)
    case 11 where place.number > 0 && !isSettled(place) || places.count < 8: try freeze(place)
    case 12, 13:
      // A version ends with its scopes, and children with it.
      guard !place.around.contains(where: \.isVersion) else {
        return try await makeScope(of: place)
      }
      log.append("child \(placesMade) of \(place.number)")
      add(Container(parent: place.container), in: place)
    case 14: try await makeScope(of: place)
    case 15: try await reload()
    default:
      // A replaced version ends when its scopes have, and its forks have no base then.
      guard !place.isVersion else { return try await makeScope(of: place) }
      log.append("fork \(placesMade) of \(place.number)")
      add(place.container.fork(), isFork: true, seeing: place.visible)
    }
  }

  private func makeScope(of place: KeyPlace) async throws {
    log.append("scope \(placesMade) of \(place.number)")
    let scope =
      if place.isVersion, let reloadable {
        try reloadable.scopes.makeScope()
      } else {
        place.container.makeScope()
      }
    add(scope, in: place, isScope: true)
  }

  func register(_ slot: KeySlot, in place: KeyPlace) throws {
    let new = newMade(slot)
    let policies: [DuplicatePolicy?] = [nil, .override, .keep]
    let policy = policies.randomElement(using: &random) ?? nil
    log.append("register \(new) as \(slot) in \(place.number), \(policy as Any)")
    let isThere = place.has(slot)
    do {
      try register(new, as: slot, in: place.container, policy)
      XCTAssertFalse(place.isFrozen && !(policy == .keep && isThere))
    } catch {
      XCTAssert(place.isFrozen, "\(error)")
      return
    }
    if policy == .keep, isThere { return }
    place.own[slot] = new
    place.instances[slot] = nil
  }

  func newMade(_ slot: KeySlot) -> RegisteredMade {
    made += 1
    return RegisteredMade(label: "\(slot) \(made)", isShared: Bool.random(using: &random))
  }

  func register(
    _ new: RegisteredMade, as slot: KeySlot, in container: Container, _ policy: DuplicatePolicy?
  ) throws {
    let scope: Scope<Made> = new.isShared ? .singleton : .transient
    var options: RegistrationOptions<Made> = .dependsOn()
    if slot == .leaving, new.isShared { options = options.onDispose { _ in KeyWorld.ask() } }
    let atDeinit = slot == .leaving ? KeyWorld.ask : nil
    let factory: @Sendable (Resolver) -> Made = { _ in Made(new.label, atDeinit: atDeinit) }
    if let key = slot.key {
      try container.register(
        key, scope: scope, onDuplicate: policy, with: options, factory: factory)
    } else {
      try container.register(
        Made.self, name: slot.name, scope: scope, onDuplicate: policy, with: options,
        factory: factory)
    }
  }

  /// An override that is undone at once.
  func override(_ slot: KeySlot, in place: KeyPlace) throws {
    guard let key = slot.key, !place.isFrozen else { return }
    // A child's own registration is asked for, not one of its parents.
    guard place.parent == nil || place.own[slot] != nil else { return }
    log.append("override \(slot) in \(place.number), and restore")
    let fake = try place.container.register(key, onDuplicate: .require, with: .dependsOn()) { _ in
      Made("fake")
    }
    XCTAssertEqual(try place.container.resolve(key).label, "fake")
    XCTAssert(fake.restore())
  }

  func remove(_ slot: KeySlot, in place: KeyPlace) {
    log.append("remove \(slot) in \(place.number)")
    let isRemoved = place.container.unregister(Made.self, name: slot.name)
    let isThere = place.has(slot)
    // A default may be there, and be removed, too.
    if slot.key == nil || isThere {
      XCTAssertEqual(isRemoved, isThere && !place.isFrozen, "\(slot) in \(place.number)")
    }
    if place.isFrozen { return }
    place.own[slot] = nil
    place.hidden.insert(slot)
    if isRemoved { place.instances[slot] = nil }
  }

  func removeAll(in place: KeyPlace) {
    log.append("remove all in \(place.number)")
    place.container.removeAll()
    place.instances = [:]
    place.own = [:]
    place.hidden = Set(KeySlot.allCases)
  }

  private func release(_ slot: KeySlot, in place: KeyPlace) {
    log.append("release \(slot) in \(place.number)")
    let isReleased: Bool =
      if let key = slot.key {
        place.container.release(key)
      } else {
        place.container.release(Made.self, name: slot.name)
      }
    if isReleased { place.instances[slot] = nil }
  }

  func freeze(_ place: KeyPlace) throws {
    guard Bool.random(using: &random) else { return }
    log.append("freeze \(place.number)")
    try place.container.freeze()
    place.isFrozen = true
  }

  // MARK: - Reloads

  /// Makes the first container reloadable, or reloads it.
  func reload() async throws {
    guard let reloadable else {
      log.append("version \(placesMade) of 0")
      let made = ReloadableContainer(places[0].container)
      reloadable = made
      add(made.current, in: places[0], isVersion: true).hasUnknownPair = true
      return
    }
    guard let old = places.last(where: \.isVersion) else { return }
    var own = old.own
    var changed: Set<KeySlot> = []
    log.append("reload \(placesMade)")
    try await reloadable.reload { version in
      for _ in 0..<Int.random(in: 1...2, using: &random) {
        try change(KeySlot.random(using: &random), in: version, &own, &changed)
      }
    }
    // A replaced version ends, and its forks with it, when its scopes have.
    places.removeAll { $0 === old }
    let new = add(reloadable.current, in: places[0], isVersion: true)
    // Shared with the base where the reload has not reached what the pair is made of.
    let base = places[0]
    base.replaced.formUnion(changed.contains(.first) ? changed.union([.pair]) : changed)
    new.hasUnknownPair =
      (own[.first]?.isOfBase ?? true) && (base.hasUnknownPair || base.instances[.pair] != nil)
    new.own = own
    new.instances = old.instances.filter { own[$0.key] != nil && !changed.contains($0.key) }
  }

  /// A change within a reload.
  private func change(
    _ slot: KeySlot, in version: Container, _ own: inout [KeySlot: RegisteredMade],
    _ changed: inout Set<KeySlot>
  ) throws {
    changed.insert(slot)
    if Bool.random(using: &random) {
      let new = newMade(slot)
      log.append("  register \(new) as \(slot)")
      try register(new, as: slot, in: version, nil)
      own[slot] = new
    } else {
      log.append("  remove \(slot)")
      let isThere = own[slot].map { !$0.isOfBase } ?? false
      let isRemoved = version.unregister(Made.self, name: slot.name)
      // The base's own cannot be removed, and a default may be there.
      if isThere || slot.key == nil && own[slot] == nil {
        XCTAssertEqual(isRemoved, isThere, "\(slot)")
      }
      guard isThere else { return }
      // The version builds the base's registration anew.
      own[slot] = places[0].own[slot].map {
        RegisteredMade(label: $0.label, isShared: $0.isShared, isOfBase: true)
      }
    }
  }

  // MARK: - Checks

  func check() throws {
    for place in places.shuffled(using: &random) {
      for slot in KeySlot.allCases.shuffled(using: &random) where Bool.random(using: &random) {
        try check(slot, in: place)
      }
    }
    let unexpected = Self.unexpected.withLock { $0 }
    XCTAssertEqual(unexpected, [])
  }

  private func check(_ slot: KeySlot, in place: KeyPlace) throws {
    let (registered, keeper) = place.serving(slot)
    let text = "\(slot) in \(place.number)"
    guard let key = slot.key else {
      let found = try place.container.resolveIfRegistered(Made.self, name: slot.name)
      XCTAssertEqual(found?.label, registered?.label, text)
      if let found, let registered { checkInstance(found, registered.isShared, slot, keeper, text) }
      return
    }
    XCTAssertEqual(place.container.contains(key), registered != nil, "contains \(text)")
    let isKnown = keeper.instances[slot] != nil && registered?.isShared ?? slot.isShared
    let expected =
      isKnown && !keeper.replaced.contains(slot)
      ? keeper.instances[slot]?.label : place.label(slot)
    let found =
      Bool.random(using: &random)
      ? try place.container.resolve(key) : try place.container.provider(for: key)()
    if let expected { XCTAssertEqual(found.label, expected, text) }
    checkInstance(found, registered?.isShared ?? slot.isShared, slot, keeper, text)
  }

  private func checkInstance(
    _ found: Made, _ isShared: Bool, _ slot: KeySlot, _ keeper: KeyPlace, _ text: String
  ) {
    guard isShared else { return }
    if let known = keeper.instances[slot], !keeper.replaced.contains(slot) {
      XCTAssert(known === found, "another instance of \(text)")
    }
    keeper.instances[slot] = found
  }

  /// Closes all containers: disposers and deinits ask them meanwhile.
  func end() async throws {
    for place in places.reversed() where !place.isVersion {
      if reloadable != nil, place === places[0] {
        try await place.container.shutdown()
      } else {
        try await place.container.close()
      }
      place.instances = [:]
    }
    for place in places { place.instances = [:] }
    Self.asked.withLock { $0 = [] }
    XCTAssertEqual(Self.unexpected.withLock { $0 }, [])
  }
}
