// SPDX-License-Identifier: MIT

import TestSupport

/// An instance that notes the serials of others, and so keeps none of them alive.
class Part: Tracked, @unchecked Sendable {
  // SAFETY: only written by the factory and the afterInit actions, which run one after the other
  // and before other resolutions see the instance; ThreadSanitizer finds out where that is not so.
  private(set) var found: [Int] = []

  func note(_ other: Tracked) {
    found.append(other.serial)
  }

  func noting(_ other: Tracked) -> Self {
    note(other)
    return self
  }
}

/// Why a factory or an action fails where a test wants it to.
struct Refused: Error {}
