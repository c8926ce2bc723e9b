// SPDX-License-Identifier: MIT

import Corinth
import TestSupport
import XCTest

/// What a reader beside a writer asks.
private struct AskedPlace: Sendable {
  /// The container; a new scope of the version that is current then, within reloads.
  let container: @Sendable () throws -> Container
  /// The labels before the writer began; without an entry, any label.
  let labels: [KeySlot: String]
  /// Whether the writer's changes are seen.
  let isAffected: Bool
  /// What serves where the writer has removed what did: the labels in the containers around.
  var labelsBehind: [[KeySlot: String]] = []
  /// Whether a default pair is made of what the same container says is first.
  var hasPairOfFirst = false
}

extension KeyWorld {
  /// Steps of one thread in one container, or reloads, while others ask all containers and make
  /// forks of them.
  func race() async throws {
    let writer = randomPlace
    let first = made
    log.append("race in \(writer.number)")
    // A reload leaves alone what is there, and a version may end with it.
    let isReloading = isSettled(writer)
    var asked = places.filter { !isReloading || !$0.isVersion }.map { place in
      let container = place.container
      return AskedPlace(
        container: { container }, labels: labels(in: place, isReloading: isReloading),
        isAffected: !isReloading && place.around.contains { $0 === writer },
        labelsBehind: place.around.dropFirst().map { labels(in: $0, isReloading: isReloading) })
    }
    if let reloadable {
      asked.append(
        AskedPlace(
          container: { try reloadable.scopes.makeScope() }, labels: [:], isAffected: true,
          hasPairOfFirst: places[0].hasPairOfFirst))
    }
    let isOver = AtomicCounter()
    let readers = (0..<2).map { [asked] _ in
      let seed = random.next()
      return JoinableThread { try read(asked, seed, first, until: isOver) }
    }
    let before = Set(places.map(ObjectIdentifier.init))
    do {
      try await write(in: writer)
    } catch {
      XCTFail("\(error)")
    }
    isOver.add()
    for reader in readers { for failure in try reader.join().get() { XCTFail(failure) } }
    forget(changesOf: writer, before)
  }

  private func labels(in place: KeyPlace, isReloading: Bool) -> [KeySlot: String] {
    var labels: [KeySlot: String] = [:]
    for slot in KeySlot.allCases where slot.key != nil {
      let (registered, keeper) = place.serving(slot)
      let isShared = registered?.isShared ?? slot.isShared
      labels[slot] = (isShared ? keeper.instances[slot]?.label : nil) ?? place.label(slot)
      // A reload may have the base's pair built anew, of what is first there.
      let isReplaced = keeper.replaced.contains(slot) || isReloading && keeper === places[0]
      if slot == .pair, registered == nil, isReplaced { labels[slot] = nil }
    }
    return labels
  }

  private func write(in place: KeyPlace) async throws {
    for _ in 0..<4 {
      let slot = KeySlot.random(using: &random)
      if isSettled(place) {
        try await reload()
        continue
      }
      switch Int.random(in: 0..<8, using: &random) {
      case 0..<4: try register(slot, in: place)
      case 4, 5: remove(slot, in: place)
      case 6 where !place.isFrozen: removeAll(in: place)
      default: try freeze(place)
      }
    }
  }

  /// Nobody knows what the readers have had built, and when.
  private func forget(changesOf writer: KeyPlace, _ before: Set<ObjectIdentifier>) {
    for place in places {
      if place === writer || !before.contains(ObjectIdentifier(place)) { place.instances = [:] }
      place.hasUnknownPair = true
      place.instances[.pair] = nil
    }
  }
}

/// - Parameter first: registrations with a greater number are the writer's.
/// - Returns: what was not as it must be.
private func read(
  _ places: [AskedPlace], _ seed: UInt64, _ first: Int, until isOver: AtomicCounter
) throws -> [String] {
  var random = SeededGenerator(seed: seed)
  var failures: [String] = []
  var asks = 0
  while isOver.value == 0 || asks < 8 {
    asks += 1
    guard let place = places.randomElement(using: &random) else { return [] }
    let slot = KeySlot.random(using: &random)
    guard let key = slot.key else { continue }
    let isFork = Int.random(in: 0..<4, using: &random) == 0
    let asked = try place.container()
    let container = isFork ? asked.fork() : asked
    let label = try container.resolve(key).label
    if isFork || place.labels.isEmpty {
      let again = try container.resolve(key).label
      if again != label { failures.append("\(label), then \(again), a fork's: \(isFork)") }
      let pair = try KeySlot.pair.key.map { try container.resolve($0).label } ?? ""
      let first = try KeySlot.first.key.map { try container.resolve($0).label } ?? ""
      if isFork || place.hasPairOfFirst, pair.hasPrefix("pair of "), pair != "pair of \(first)" {
        failures.append("\(pair) beside \(first), a fork's: \(isFork)")
      }
    }
    if place.labels.isEmpty { try asked.syncClose() }
    if !isAllowed(label, slot, in: place, isFork, first) {
      failures.append("\(slot) is \(label), a fork's: \(isFork), was \(place.labels[slot] ?? "?")")
    }
  }
  return failures
}

private func isAllowed(
  _ label: String, _ slot: KeySlot, in place: AskedPlace, _ isFork: Bool, _ first: Int
) -> Bool {
  if label.hasPrefix("pair of ") {
    // A fork's pair is made of what the fork sees, and the labels say what was made before.
    return slot == .pair && (place.isAffected || isFork || label == place.labels[slot] ?? label)
  }
  guard let before = place.labels[slot] else { return true }
  if label == before { return true }
  guard place.isAffected else { return false }
  if place.labelsBehind.contains(where: { $0[slot] == label }) { return true }
  let number = label.split(separator: " ").last.flatMap { Int($0) }
  return label == "default \(slot)" || label.hasPrefix("\(slot) ") && (number ?? 0) > first
}
