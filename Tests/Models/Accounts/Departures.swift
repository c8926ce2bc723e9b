// SPDX-License-Identifier: MIT

import TestSupport

/// The operations that let instances of one key go. An instance that goes between the modifiers of
/// its registration has the disposers that there are by then.
final class Departures: Sendable {
  private let begun = AtomicCounter()
  private let ended = AtomicCounter()

  func begin() { begun.add() }

  func end() { ended.add() }

  /// A moment, to ask later whether there have been any since.
  struct Moment {
    fileprivate let begun: Int
    fileprivate let isQuiet: Bool
  }

  var now: Moment {
    let ended = ended.value
    let begun = begun.value
    return Moment(begun: begun, isQuiet: ended == begun)
  }

  /// Whether none was under way since, but for some of the caller's own.
  func areAbsent(since moment: Moment, butFor own: Int) -> Bool {
    moment.isQuiet && begun.value == moment.begun + own
  }
}
