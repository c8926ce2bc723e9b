// SPDX-License-Identifier: MIT

import Synchronization

/// Lends connections; refuses when it is closed or has none left.
package final class ConnectionPool: Sendable {
  private struct State {
    var lent = 0
    var served = 0
    var isClosed = false
  }

  private let settings: StorageSettings
  private let state = Mutex(State())

  init(settings: StorageSettings) {
    self.settings = settings
  }

  package var served: Int { state.withLock { $0.served } }
  var isClosed: Bool { state.withLock { $0.isClosed } }

  func withConnection<Result>(_ body: () throws -> Result) throws -> Result {
    try state.withLock { state in
      if state.isClosed { throw StorageError.poolClosed }
      if state.lent == settings.connections { throw StorageError.noConnectionLeft }
      state.lent += 1
      state.served += 1
    }
    defer { state.withLock { $0.lent -= 1 } }
    return try body()
  }

  func close() { state.withLock { $0.isClosed = true } }
}

package enum StorageError: Error, Equatable {
  case poolClosed
  case noConnectionLeft
}
