// SPDX-License-Identifier: MIT

import Corinth
import Foundation
import TestSupport
import XCTest

/// Containers that shut down while others resolve: each instance that anybody has got is disposed
/// of, once.
final class ShutdownStressTests: StressTestCase {
  private let rounds = StressSize.scaled(300, sanitized: 50)
  private let keys = 16
  private let tracker = LifetimeTracker()

  /// An instance that counts how often it was disposed of.
  private final class Resource: Tracked, @unchecked Sendable {
    // SAFETY: constant and Sendable.
    private let disposals = AtomicCounter()

    func dispose() { disposals.add() }
    var disposalCount: Int { disposals.value }
  }

  /// What the threads and tasks have got.
  private struct Findings: Sendable {
    private let resources = Shared<[Resource]>([])

    func add(_ resource: Resource) {
      resources.withValue { resources in
        if !resources.contains(where: { $0 === resource }) { resources.append(resource) }
      }
    }

    func assertEachWasDisposedOfOnce(line: UInt = #line) {
      let counts = resources.value.map(\.disposalCount)
      XCTAssertEqual(
        counts.filter { $0 != 1 }, [], "of \(counts.count) instances", line: line)
    }

    func assertNoneWasDisposedOfTwice(line: UInt = #line) {
      XCTAssertEqual(resources.value.count { $0.disposalCount > 1 }, 0, line: line)
    }
  }

  private func registerMany(in container: Container) throws {
    for key in 0..<keys {
      try container.register(Resource.self, name: Name(key), scope: .singleton) { [tracker] _ in
        usleep(10)
        return Resource(tracker)
      }.onDispose { $0.dispose() }
    }
    try container.register(Resource.self, scope: .singleton) { [tracker] (_, _: Int) in
      usleep(10)
      return Resource(tracker)
    }.onDispose { $0.dispose() }
  }

  private func registerManyAsync(in container: Container) throws {
    for key in 0..<keys {
      try container.registerAsync(Resource.self, name: Name(key), scope: .singleton) {
        [tracker] _ in
        await Task.yield()
        return Resource(tracker)
      }.onDispose { resource in
        await Task.yield()
        resource.dispose()
      }
    }
    try container.registerAsync(Resource.self, scope: .singleton) { [tracker] (_, _: Int) in
      await Task.yield()
      return Resource(tracker)
    }.onDispose { $0.dispose() }
  }

  /// Nothing but the end of the container may have ended a resolve.
  private static func check(_ error: any Error) {
    guard case ResolutionError.containerClosed? = error as? ResolutionError else {
      return XCTFail("\(error)")
    }
  }

  func testThreadsResolveWhileTheContainerShutsDown() async throws {
    for round in 0..<rounds {
      let (container, findings, isShutDown) = (Container(), Findings(), Flag())
      try registerMany(in: container)
      let begun = AsyncGate()
      let threads = (0..<4).map { [keys] thread in
        JoinableThread {
          for turn in 0... {
            let wasShutDown = isShutDown.isSet
            do {
              let key = (turn + thread * 5) % keys
              let resource =
                turn % 3 == 0
                ? try container.resolve(Resource.self, arguments: turn % 8)
                : try container.resolve(Resource.self, name: Name(key))
              XCTAssertFalse(wasShutDown)
              findings.add(resource)
            } catch {
              return Self.check(error)
            }
            if turn == round % 24 { begun.open() }
          }
        }
      }
      await begun.wait()
      try await container.shutdown()
      isShutDown.isSet = true
      for thread in threads { try thread.join().get() }
      findings.assertEachWasDisposedOfOnce()
    }
    await tracker.waitUntilNoneIsLeft()
    assertNoneLeft(tracker)
  }

  func testTasksResolveWhileTheContainerShutsDown() async throws {
    for round in 0..<rounds {
      let (container, findings, isShutDown) = (Container(), Findings(), Flag())
      try registerManyAsync(in: container)
      try await onTasks(5) { [keys] index in
        if index == 0 {
          for _ in 0..<round % 10 { await Task.yield() }
          try await container.shutdown()
          isShutDown.isSet = true
          return
        }
        for turn in 0... {
          let wasShutDown = isShutDown.isSet
          do {
            let key = (turn + index * 5) % keys
            let resource =
              turn % 3 == 0
              ? try await container.resolveAsync(Resource.self, arguments: turn % 8)
              : try await container.resolveAsync(Resource.self, name: Name(key))
            XCTAssertFalse(wasShutDown)
            findings.add(resource)
          } catch {
            return Self.check(error)
          }
          await Task.yield()
        }
      }
      findings.assertEachWasDisposedOfOnce()
    }
    await tracker.waitUntilNoneIsLeft()
    assertNoneLeft(tracker)
  }

  func testManyTasksShutDownTogether() async throws {
    for _ in 0..<rounds {
      let (container, findings) = (Container(), Findings())
      try registerMany(in: container)
      for key in 0..<keys {
        findings.add(try container.resolve(Resource.self, name: Name(key)))
      }
      try await onTasks(6) { _ in
        try await container.shutdown()
        findings.assertEachWasDisposedOfOnce()
      }
    }
    await tracker.waitUntilNoneIsLeft()
    assertNoneLeft(tracker)
  }

  /// What was released, overridden or removed before is nobody's to dispose of; what was not, is.
  func testReleasesAndOverridesWhileTheContainerShutsDown() async throws {
    for _ in 0..<rounds {
      let (container, findings) = (Container(), Findings())
      try registerMany(in: container)
      let begun = AsyncGate()
      let writer = JoinableThread { [keys, tracker] in
        for turn in 0... {
          begun.open()
          container.release(Resource.self, name: Name(turn % keys))
          do {
            try container.register(Resource.self, name: "other", scope: .singleton) { _ in
              Resource(tracker)
            }.onDispose { $0.dispose() }
          } catch RegistrationError.containerClosed {
            return
          } catch {
            return XCTFail("\(error)")
          }
        }
      }
      let readers = (0..<3).map { [keys] index in
        JoinableThread {
          for turn in 0... {
            do {
              findings.add(
                try container.resolve(Resource.self, name: Name((turn + index) % keys)))
            } catch {
              return Self.check(error)
            }
          }
        }
      }
      await begun.wait()
      try await container.shutdown()
      for thread in readers + [writer] { try thread.join().get() }
      findings.assertNoneWasDisposedOfTwice()
    }
    await tracker.waitUntilNoneIsLeft()
    assertNoneLeft(tracker)
  }

  func testASynchronousSingletonUnderConstructionIsWaitedForAndDisposedOf() async throws {
    for _ in 0..<rounds {
      let container = Container()
      let (building, goOn, lobby) = (AsyncGate(), Gate(), Lobby())
      try container.register(Resource.self, scope: .singleton) { [tracker] _ in
        building.open()
        goOn.wait()
        return Resource(tracker)
      }.onDispose { $0.dispose() }
      let thread = JoinableThread { try container.resolve(Resource.self) }
      await building.wait()
      let closing = Task { try await lobby.enter { try await container.shutdown() } }
      await lobby.waitForSuspension(of: 1)
      goOn.open()
      try await closing.value
      XCTAssertEqual(try thread.join().get().disposalCount, 1)
    }
    await tracker.waitUntilNoneIsLeft()
    assertNoneLeft(tracker)
  }
}
