// SPDX-License-Identifier: MIT

package import Corinth
import Dispatch
import Synchronization

/// Reloads the container with a new price list. The decorators go around the new list too, with new
/// caches.
package struct ReloadingPriceListSwitch: PriceListSwitch {
  let reloadable: ReloadableContainer

  package init(reloadable: ReloadableContainer) {
    self.reloadable = reloadable
  }

  package func use(_ list: any PriceList) throws {
    try waiting {
      // The reload returns before the disposal of the old list, which waits for the calling
      // request.
      try await reloadable.reload { version in
        try version.register(
          (any PriceList).self, onDuplicate: .require, with: .dependsOn(PriceCounters.self)
        ) { _ in list }
      }
    }
  }

  /// Blocks the thread of the request until `body` has returned. No task runs on the thread.
  private func waiting(for body: @escaping @Sendable () async throws -> Void) throws {
    let failure = Failure()
    let isDone = DispatchSemaphore(value: 0)
    Task {
      do { try await body() } catch { failure.error.withLock { $0 = error } }
      isDone.signal()
    }
    isDone.wait()
    if let error = failure.error.withLock({ $0 }) { throw error }
  }
}

private final class Failure: Sendable {
  let error = Mutex<(any Error)?>(nil)
}
