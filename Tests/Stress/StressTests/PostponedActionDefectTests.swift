// SPDX-License-Identifier: MIT

import Corinth
import TestSupport
import XCTest

/// Faults that postponed actions once had, each with its story.
final class PostponedActionDefectTests: StressTestCase {
  private final class Server: Part, @unchecked Sendable {}
  private final class Plugin: Part, @unchecked Sendable {}
  private final class Settings: Part, @unchecked Sendable {}
  private final class Router: Part, @unchecked Sendable {}
  private final class Cache: Part, @unchecked Sendable {}

  private let tracker = LifetimeTracker()

  // MARK: - An error that nobody has made

  /// `Plugin`'s action asks for `Server`, whose factory needs `Plugin`, and gets the cycle error
  /// with which actions are postponed. Before it has thrown that, `Settings` fails, which `Plugin`
  /// has got early. A doomed construction is not postponed: it failed with the cycle error, and so
  /// did `Server`, although there is no cycle.
  func testAnActionWhoseConstructionIsDoomedBeforeItIsPostponedRunsAnew() throws {
    let tracker = tracker
    assertEnds {
      let (container, settingsRuns, serverRuns) = (Container(), AtomicCounter(), AtomicCounter())
      let (isServerBegun, areSettingsBegun) = (Gate(), Gate())
      let (mayFail, hasFailed) = (Gate(), Gate())
      let asking = Shared<JoinableThread<Void>?>(nil)
      try container.register(Server.self, scope: .singleton) { resolver in
        serverRuns.add()
        isServerBegun.open()
        areSettingsBegun.wait()
        return Server(tracker).noting(try resolver.resolve(Plugin.self))
      }
      try container.register(Plugin.self, scope: .singleton) { _ in Plugin(tracker) }
        .afterInit { $1.note(try $0.resolve(Settings.self)) }
        .afterInit { resolver, plugin in
          do {
            plugin.note(try resolver.resolve(Server.self))
          } catch {
            mayFail.open()
            hasFailed.wait()
            throw error
          }
        }
      try container.register(Settings.self, scope: .singleton) { _ in Settings(tracker) }
        .afterInit { resolver, _ in
          guard settingsRuns.add() == 1 else { return }
          areSettingsBegun.open()
          isServerBegun.wait()
          // So that this waits for `Server`, and yet can fail.
          asking.value = JoinableThread { _ = try? resolver.resolve(Server.self) }
          mayFail.wait()
          throw Refused()
        }
      let failing = JoinableThread {
        defer { hasFailed.open() }
        _ = try container.resolve(Settings.self)
      }
      XCTAssertNoThrow(try container.resolve(Server.self))
      XCTAssertEqual([settingsRuns.value, serverRuns.value], [2, 1])
      XCTAssertThrowsError(try failing.join().get())
      _ = asking.value?.join()
    }
    assertNoneLeft(tracker)
  }

  // MARK: - One thread waits for itself

  /// `Settings`' action is postponed until `Server` has its instance. The construction between them
  /// is `Plugin`'s, which has failed when the action goes on. The action's context led to `Server`
  /// only through that one, so the action was taken for a stranger: its resolve waited for the
  /// construction that its own thread was running.
  func testAnActionPostponedPastAFactoryThatThrewFindsTheConstructionThatItRunsIn() throws {
    let tracker = tracker
    for scope in [AnyScope.singleton, .weak, .graph] {
      assertEnds {
        let container = Container(defaultScope: Scope(scope))
        try container.register(Server.self) { resolver in
          let server = Server(tracker)
          do {
            _ = try resolver.resolve(Plugin.self)
          } catch let error as ResolutionError {
            XCTAssertTrue(error.underlyingError is Refused, "\(error)")
          }
          return server
        }
        try container.register(Plugin.self) { resolver in
          _ = try resolver.resolve(Settings.self)
          throw Refused()
        }
        let found = EventLog()
        try container.register(Settings.self) { _ in Settings(tracker) }
          .afterInit { resolver, _ in found.add("\(try resolver.resolve(Server.self).serial)") }
        let server = try container.resolve(Server.self)
        XCTAssertEqual(found.entries, ["\(server.serial)"], "\(scope)")
      }
    }
    assertNoneLeft(tracker)
  }

  /// The same where the construction in between fails for want of the one that the action is
  /// postponed for, two actions deep: `Server`'s factory needs `Plugin`, `Plugin`'s action
  /// `Router`, `Router`'s action `Cache`, and `Cache`'s factory both `Settings`, whose action needs
  /// `Server`, and `Server` itself.
  func testActionsPostponedPastAConstructionThatFailsForWantOfAnOuterOneEnd() throws {
    let tracker = tracker
    for scope in [AnyScope.singleton, .weak, .graph] {
      for first in 0..<5 {
        assertEnds {
          let container = Container(defaultScope: Scope(scope))
          try container.register(Server.self) { resolver in
            let plugin = try resolver.resolve(Plugin.self)
            return Server(tracker).noting(plugin)
          }
          try container.register(Plugin.self) { _ in Plugin(tracker) }
            .afterInit { $1.note(try $0.resolve(Router.self)) }
          try container.register(Router.self) { _ in Router(tracker) }
            .afterInit { $1.note(try $0.resolve(Cache.self)) }
          try container.register(Cache.self) { resolver in
            let settings = try resolver.resolve(Settings.self)
            let server = try resolver.resolve(Server.self)
            return Cache(tracker).noting(settings).noting(server)
          }
          try container.register(Settings.self) { _ in Settings(tracker) }
            .afterInit { $1.note(try $0.resolve(Server.self)) }
          let part = try Self.resolve(first, from: container)
          XCTAssertFalse(part.found.isEmpty, "\(scope), \(first): the action has not run")
        }
      }
    }
    assertNoneLeft(tracker)
  }

  private static func resolve(_ index: Int, from container: Container) throws -> Part {
    switch index {
    case 0: try container.resolve(Server.self)
    case 1: try container.resolve(Plugin.self)
    case 2: try container.resolve(Router.self)
    case 3: try container.resolve(Cache.self)
    default: try container.resolve(Settings.self)
    }
  }

  /// The same in tasks, where the construction in between ends well: that of an asynchronous
  /// transient, which keeps no instance.
  func testAnActionPostponedPastAnAsynchronousTransientEnds() throws {
    let tracker = tracker
    for scope in [AnyScope.singleton, .graph] {
      assertEndsAsync {
        let container = Container()
        try container.registerAsync(Server.self, scope: scope) { resolver in
          let server = Server(tracker)
          server.note(try await resolver.resolveAsync(Plugin.self))
          return server
        }
        try container.registerAsync(Plugin.self) { resolver in
          let settings = try await resolver.resolveAsync(Settings.self)
          return Plugin(tracker).noting(settings)
        }
        let found = EventLog()
        try container.registerAsync(Settings.self, scope: scope) { _ in Settings(tracker) }
          .afterInit { resolver, _ in
            found.add("\(try await resolver.resolveAsync(Server.self).serial)")
          }
        let server = try await container.resolveAsync(Server.self)
        XCTAssertEqual(found.entries, ["\(server.serial)"], "\(scope)")
      }
    }
    assertNoneLeftInTasks(tracker)
  }

  // MARK: - Built twice

  /// `Plugin`'s action asks for `Router`, whose factory needs `Settings`, `Cache` and `Server`.
  /// `Server` is being built around it, so `Router` fails and is built again when `Server` has its
  /// instance. The actions of `Settings` and `Cache` were postponed until `Router` had its
  /// instance, and their instances were dropped with it: both factories ran twice in one resolve.
  func testAFactoryRunsOnceAlthoughAConstructionAroundItFailsForWantOfAnOuterOne() throws {
    let tracker = tracker
    assertEnds {
      let (container, runs) = (Container(defaultScope: .singleton), EventLog())
      try container.register(Server.self) { resolver in
        runs.add("server")
        return Server(tracker).noting(try resolver.resolve(Plugin.self))
      }
      try container.register(Plugin.self) { _ in
        runs.add("plugin")
        return Plugin(tracker)
      }.afterInit { $1.note(try $0.resolve(Router.self)) }
      try container.register(Router.self) { resolver in
        let settings = try resolver.resolve(Settings.self)
        let cache = try resolver.resolve(Cache.self)
        let server = try resolver.resolve(Server.self)
        return Router(tracker).noting(settings).noting(cache).noting(server)
      }
      try container.register(Settings.self) { _ in
        runs.add("settings")
        return Settings(tracker)
      }.afterInit { $1.note(try $0.resolve(Router.self)) }
      try container.register(Cache.self) { _ in
        runs.add("cache")
        return Cache(tracker)
      }.afterInit { $1.note(try $0.resolve(Router.self)) }
      let server = try container.resolve(Server.self)
      XCTAssertEqual(runs.entries.sorted(), ["cache", "plugin", "server", "settings"])
      let router = try container.resolve(Router.self)
      let (settings, cache) = (
        try container.resolve(Settings.self), try container.resolve(Cache.self)
      )
      XCTAssertEqual(router.found, [settings.serial, cache.serial, server.serial])
      XCTAssertEqual(settings.found.last, router.serial)
      XCTAssertEqual(cache.found.last, router.serial)
      XCTAssertEqual(tracker.alive, 5)
    }
    assertNoneLeft(tracker)
  }

  // MARK: - The order of disposal

  private func registerPair(in container: Container, disposing log: EventLog) throws {
    let tracker = tracker
    try container.register(Server.self) { resolver in
      Server(tracker).noting(try resolver.resolve(Settings.self))
    }.as(.singleton)
      .onDispose { _ in log.add("server") }
    try container.register(Settings.self) { _ in Settings(tracker) }.as(.singleton)
      .afterInit { $1.note(try $0.resolve(Server.self)) }
      .onDispose { _ in log.add("settings") }
  }

  /// `Server` is built from `Settings`, whose action asks for `Server`. Instances that are
  /// published together were numbered in the order in which they ended: when `Settings` was asked
  /// for first, it was disposed of first, while `Server`'s disposer might still use it.
  func testTheOrderOfDisposalIsThatOfFactoriesWhicheverInstanceIsAskedForFirst() async throws {
    for first in ["server", "settings"] {
      let (container, log) = (Container(), EventLog())
      try registerPair(in: container, disposing: log)
      if first == "server" {
        _ = try container.resolve(Server.self)
      } else {
        _ = try container.resolve(Settings.self)
      }
      try await container.shutdown()
      XCTAssertEqual(log.entries, ["server", "settings"], "\(first) was asked for first")
    }
    assertNoneLeft(tracker)
  }

  func testTheOrderOfAsynchronousDisposalIsThatOfFactories() async throws {
    let tracker = tracker
    for first in ["server", "settings"] {
      let (container, log) = (Container(), EventLog())
      try container.registerAsync(Server.self) { resolver in
        let settings = try await resolver.resolveAsync(Settings.self)
        return Server(tracker).noting(settings)
      }.as(.singleton)
        .onDispose { (_: Server) async in log.add("server") }
      try container.registerAsync(Settings.self) { _ in Settings(tracker) }.as(.singleton)
        .afterInit { resolver, settings in
          settings.note(try await resolver.resolveAsync(Server.self))
        }
        .onDispose { (_: Settings) async in log.add("settings") }
      if first == "server" {
        _ = try await container.resolveAsync(Server.self)
      } else {
        _ = try await container.resolveAsync(Settings.self)
      }
      try await container.shutdown()
      XCTAssertEqual(log.entries, ["server", "settings"], "\(first) was asked for first")
    }
    await tracker.waitUntilNoneIsLeft()
    assertNoneLeft(tracker)
  }

  // MARK: - Graph instances of a resolution that is over

  /// `Cache`, a graph instance, is built in the resolution that a transient begins in the middle of
  /// `Server`'s. Its action is postponed until `Server` has its instance, and that resolution is
  /// over by then. The action went on in a resolution of its own: the transient that it asks for
  /// got another `Cache`, built for that one.
  func testAPostponedActionFindsTheGraphInstancesOfItsResolution() throws {
    let tracker = tracker
    assertEnds {
      let (container, caches) = (Container(defaultScope: .singleton), AtomicCounter())
      try container.register(Server.self) { resolver in
        Server(tracker).noting(try resolver.resolve(Plugin.self))
      }
      try container.register(Plugin.self) { resolver in
        Plugin(tracker).noting(try resolver.resolve(Settings.self))
      }
      try container.register(Settings.self) { _ in Settings(tracker) }
        .afterInit { $1.note(try $0.container.resolve(Router.self)) }
      try container.register(Router.self, scope: .transient) { resolver in
        Router(tracker).noting(try resolver.resolve(Cache.self))
      }
      let found = EventLog()
      try container.register(Cache.self, scope: .graph) { _ in
        caches.add()
        return Cache(tracker)
      }.afterInit { resolver, cache in
        let server = try resolver.resolve(Server.self)
        let router = try resolver.resolve(Router.self)
        found.add("\(server.serial)")
        XCTAssertEqual(router.found, [cache.serial], "the cache of another resolution")
      }
      let server = try container.resolve(Server.self)
      XCTAssertEqual(found.entries, ["\(server.serial)"])
      XCTAssertEqual(caches.value, 1)
    }
    assertNoneLeft(tracker)
  }
}
