// SPDX-License-Identifier: MIT

import Synchronization

/// Something that is or is not, for all threads. Reading it takes no lock.
final class Flag: Sendable {
  private let storage: Atomic<Bool>

  init(_ isSet: Bool = false) {
    storage = Atomic(isSet)
  }

  var isSet: Bool {
    get { storage.load(ordering: .sequentiallyConsistent) }
    set { storage.store(newValue, ordering: .sequentiallyConsistent) }
  }
}
