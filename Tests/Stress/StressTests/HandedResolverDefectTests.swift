// SPDX-License-Identifier: MIT

import Corinth
import TestSupport
import XCTest

/// Faults of factories that hand their resolver to another thread and wait for it, each with its
/// story.
final class HandedResolverDefectTests: StressTestCase {
  private final class Server: Part, @unchecked Sendable {}
  private final class Handler: Part, @unchecked Sendable {}
  private final class Log: Part, @unchecked Sendable {}

  private let tracker = LifetimeTracker()

  /// How a transient asks for another instance.
  private enum Way: CaseIterable, Sendable {
    case resolver, provider, container

    func resolve<Product>(_ product: Product.Type, _ resolver: Resolver) throws -> Product {
      switch self {
      case .resolver: return try resolver.resolve(Product.self)
      case .provider:
        let provider = try resolver.provider(for: Product.self)
        return try provider()
      case .container: return try resolver.container.resolve(Product.self)
      }
    }
  }

  /// `Server`'s factory waits for a thread that resolves `Handler` through its resolver. `Handler`
  /// is transient, and a transient has no construction of its own: what it asked a provider or the
  /// container for was not known to be a part of `Server`'s construction, and waited for it.
  func testACycleThroughATransientInAnotherThreadIsAnErrorInEveryWay() throws {
    let tracker = tracker
    for way in Way.allCases {
      assertEnds {
        let container = Container()
        try container.register(Server.self, scope: .singleton) { resolver in
          let handler = JoinableThread { try resolver.resolve(Handler.self) }
          return Server(tracker).noting(try handler.join().get())
        }
        try container.register(Handler.self) { resolver in
          Handler(tracker).noting(try way.resolve(Server.self, resolver))
        }
        for _ in 0..<2 {
          assertCycle { try container.resolve(Server.self) }
          assertCycle { try container.resolve(Handler.self) }
        }
      }
    }
    assertNoneLeft(tracker)
  }

  /// Two threads deep, with a transient in each.
  func testACycleThroughTwoThreadsIsAnErrorInEveryWay() throws {
    let tracker = tracker
    for way in Way.allCases {
      assertEnds {
        let container = Container()
        try container.register(Server.self, scope: .singleton) { resolver in
          let handler = JoinableThread { try resolver.resolve(Handler.self) }
          return Server(tracker).noting(try handler.join().get())
        }
        try container.register(Handler.self) { resolver in
          let log = JoinableThread { try resolver.resolve(Log.self) }
          return Handler(tracker).noting(try log.join().get())
        }
        try container.register(Log.self) { resolver in
          Log(tracker).noting(try way.resolve(Server.self, resolver))
        }
        assertCycle { try container.resolve(Server.self) }
      }
    }
    assertNoneLeft(tracker)
  }

  /// Where there is no cycle, all three ways lead to the one instance, which the first thread
  /// builds meanwhile.
  func testAnotherInstanceIsFoundInEveryWay() throws {
    let tracker = tracker
    for way in Way.allCases {
      assertEnds {
        let (container, logs) = (Container(), AtomicCounter())
        try container.register(Server.self, scope: .singleton) { resolver in
          let handler = JoinableThread { try resolver.resolve(Handler.self) }
          let log = try resolver.resolve(Log.self)
          return Server(tracker).noting(log).noting(try handler.join().get())
        }
        let found = EventLog()
        try container.register(Handler.self) { resolver in
          let log = try way.resolve(Log.self, resolver)
          found.add("\(log.serial)")
          return Handler(tracker)
        }
        try container.register(Log.self, scope: .singleton) { _ in
          logs.add()
          return Log(tracker)
        }
        let server = try container.resolve(Server.self)
        XCTAssertEqual(found.entries, ["\(server.found[0])"])
        XCTAssertEqual(logs.value, 1)
      }
    }
    assertNoneLeft(tracker)
  }
}
