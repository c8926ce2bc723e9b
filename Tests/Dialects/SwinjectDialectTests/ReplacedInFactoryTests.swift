// SPDX-License-Identifier: MIT

import Foundation
import SwinjectDialect
import TestSupport
import XCTest

private final class Ending: Sendable {
  private let onEnd: @Sendable () -> Void
  init(_ onEnd: @escaping @Sendable () -> Void = {}) { self.onEnd = onEnd }
  deinit { onEnd() }
}

private final class Screen {}

/// What a factory replaces or removes is let go by the end of the resolve, and on its thread, as in
/// a factory of the core's graph scope: the end of a run polls for nothing, so the collector's
/// thread runs the deinit later.
final class ReplacedInFactoryTests: XCTestCase {
  private let thread = Locked<pthread_t?>(nil)

  private func register(in container: Container) {
    container.register(Ending.self) { [thread] _ in
      Ending { thread.withLock { $0 = pthread_self() } }
    }.inObjectScope(.container)
    _ = container.resolve(Ending.self)
  }

  func testAServiceThatAFactoryReplacesEndsWithTheResolve() {
    let container = Container()
    register(in: container)
    container.register(Screen.self) { _ in
      container.register(Ending.self) { _ in Ending() }
      return Screen()
    }
    _ = container.resolve(Screen.self)
    XCTAssertEqual(thread.withLock { $0 }, pthread_self())
  }

  func testAContainerThatEndsInAFactoryLetsItsServicesGoByTheEndOfTheResolve() {
    let container = Container()
    let inner = Locked<Container?>(Container())
    inner.withLock { register(in: $0!) }
    container.register(Screen.self) { _ in
      let ended = inner.withLock { $0.take() }
      withExtendedLifetime(ended) {}
      return Screen()
    }
    _ = container.resolve(Screen.self)
    XCTAssertEqual(thread.withLock { $0 }, pthread_self())
  }
}
