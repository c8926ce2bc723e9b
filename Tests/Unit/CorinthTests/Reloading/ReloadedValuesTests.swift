// SPDX-License-Identifier: MIT

import Corinth
import TestSupport
import XCTest

/// Reloads of values that are disposed of.
final class ReloadedValuesTests: ReloadTestCase {
  private func addValue(_ version: Int, to container: Container) throws {
    try container.register(value: Service(services, version: version)).dependsOn()
      .onDispose { [log] in log.add("\($0.version)") }
  }

  func testAValueEndsWithItsVersionOrTheContainer() async throws {
    try addValue(1, to: base)
    let reloadable = ReloadableContainer(base)
    for version in 2...4 {
      try await reloadable.reload { try addValue(version, to: $0) }.value
      XCTAssertEqual(try reloadable.current.resolve(Service.self).version, version)
    }
    XCTAssertEqual(log.entries, ["2", "3"])
    try await base.shutdown()
    XCTAssertEqual(log.entries, ["2", "3", "4", "1"])
  }

  /// One that a reload had registered was disposed of with its version, though later ones served
  /// it.
  func testAValueThatIsDecoratedAnewStaysInUse() async throws {
    for isOfBase in [true, false] {
      let container = Container()
      let ended = log.entries.count
      if isOfBase { try addValue(1, to: container) }
      let reloadable = ReloadableContainer(container)
      if !isOfBase { try await reloadable.reload { try addValue(1, to: $0) }.value }
      for added in 1...3 {
        try await reloadable.reload { [services] next in
          try next.decorate(Service.self) { service, _ in
            Service(services, version: service.version + 10)
          }
        }.value
        try await reloadable.reload { try $0.register(value: "other") }.value
        XCTAssertEqual(try reloadable.current.resolve(Service.self).version, 1 + 10 * added)
        XCTAssertEqual(log.entries.count, ended)
      }
      try await container.shutdown()
      XCTAssertEqual(log.entries.count, ended + 1)
    }
    settleReclamation()
    await services.waitUntilNoneIsLeft()
    XCTAssertEqual(services.alive, 0)
  }

  func testAValueThatAReloadRemovesIsDisposedOfOnce() async throws {
    let reloadable = ReloadableContainer(base)
    try await reloadable.reload { try addValue(1, to: $0) }.value
    try await reloadable.reload { try $0.register(value: "other") }.value
    try await reloadable.reload { XCTAssert($0.unregister(Service.self)) }.value
    XCTAssertFalse(reloadable.current.contains(Service.self))
    XCTAssertEqual(log.entries, ["1"])
    try await base.shutdown()
    XCTAssertEqual(log.entries, ["1"])
  }

  func testAFailedReloadDisposesOfItsValues() async throws {
    try addValue(1, to: base)
    let reloadable = ReloadableContainer(base)
    await assertThrows {
      try await reloadable.reload { next in
        try addValue(2, to: next)
        throw CancellationError()
      }
    }
    XCTAssertEqual(log.entries, ["2"])
    XCTAssertEqual(try reloadable.current.resolve(Service.self).version, 1)
    try await base.shutdown()
    XCTAssertEqual(log.entries, ["2", "1"])
  }
}
