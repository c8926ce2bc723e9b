// SPDX-License-Identifier: MIT

import Corinth
import TestSupport
import XCTest

/// A version is served before the reload returns: its scopes are tracked from the first one on.
final class TrackedWhileReloadingTests: XCTestCase {
  func testAVersionTracksTheScopesThatAreMadeDuringItsReload() async throws {
    let base = Container()
    base.tracksScopes = true
    let reloadable = ReloadableContainer(base)
    let isOver = Locked(false)
    let makers = (1...3).map { (line: UInt) in
      JoinableThread {
        var untracked = 0
        while !isOver.withLock({ $0 }) {
          let version = reloadable.current
          let scope = version.makeScope(line: line)
          guard (try? scope.resolveIfRegistered(Int.self)) != nil else { continue }
          let tracked = version.statistics.openScopesByAge.filter { $0.location.line == line }
          if tracked.count != 1 { untracked += 1 }
          try? scope.syncClose()
        }
        return untracked
      }
    }
    for number in 0..<StressSize.scaled(300) {
      try await reloadable.reload { try $0.register(value: number) }
    }
    isOver.withLock { $0 = true }
    for maker in makers { XCTAssertEqual(try maker.join().get(), 0) }
  }
}
