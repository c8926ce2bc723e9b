// SPDX-License-Identifier: MIT

internal import Synchronization

/// Whether the registrations of one container may change.
///
/// Changed with the container's writer lock held, so that a writer which finds it thawed has finished before the
/// container is frozen.
struct Freezing: ~Copyable, Sendable {
  enum Level: UInt8 {
    case thawed
    case frozen
    /// For good. Readers rely on it: they find objects in slots and use them outside of sections.
    case forGood
  }

  private let word = Atomic<UInt8>(Level.thawed.rawValue)

  var level: Level {
    Level(rawValue: word.load(ordering: .acquiring)) ?? .forGood
  }

  /// - Returns: the level that holds then: what is frozen for good stays so.
  @discardableResult
  func setAssumingWriterLockHeld(_ level: Level) -> Level {
    if self.level != .forGood { word.store(level.rawValue, ordering: .releasing) }
    return self.level
  }

  /// Nobody relies on it any more: the container ends.
  func endAssumingWriterLockHeld() {
    word.store(Level.frozen.rawValue, ordering: .releasing)
  }
}

extension ContainerCore {
  /// Whether registrations are refused.
  var isFrozen: Bool { freezing.level != .thawed }

  /// Whether nothing leaves a slot before the container ends.
  var isFrozenForGood: Bool { freezing.level == .forGood }

  /// - Returns: whether the level holds: what is frozen for good stays so.
  @discardableResult
  func freeze(_ level: Freezing.Level) -> Bool {
    table.withWriterLock { freezing.setAssumingWriterLockHeld(level) } == level
  }
}
