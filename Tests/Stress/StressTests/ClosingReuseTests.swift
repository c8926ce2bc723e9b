// SPDX-License-Identifier: MIT

import Foundation
import TestSupport
import XCTest

@testable import Corinth

/// The closings of a thread are used again, and tasks that disposers have made may outlive a use:
/// design note 24.
final class ClosingReuseTests: XCTestCase {
  private final class Service: Sendable {}

  private static func makeScope(
    disposing dispose: @escaping @Sendable () throws -> Void
  ) throws -> Container {
    let container = Container()
    try container.register(
      Service.self, scope: .scoped, with: .onDispose { (_: Service) in try dispose() }
    ) { _ in Service() }
    let scope = container.makeScope()
    _ = try scope.resolve(Service.self)
    return scope
  }

  func testATaskOfADisposerIsAPartOfTheDisposal() throws {
    let closed = Locked<Container?>(nil)
    let scope = try Self.makeScope {
      let hasReturned = Gate()
      Task {
        try await closed.withLock { $0 }?.close()
        hasReturned.open()
      }
      hasReturned.wait()
    }
    closed.withLock { $0 = scope }
    try JoinableThread { for _ in 0..<2 { try scope.syncClose() } }.join().get()
    closed.withLock { $0 = nil }
  }

  /// As a part of the next disposal, the task would not wait for its end.
  func testATaskThatOutlivesADisposalIsNoPartOfTheNext() throws {
    let (isDisposing, isOver) = (AsyncGate(), Gate())
    let hasReturned = Locked(false)
    let second = try Self.makeScope {
      isDisposing.open()
      usleep(20_000)
      XCTAssertFalse(hasReturned.withLock { $0 })
    }
    let first = try Self.makeScope {
      Task {
        await isDisposing.wait()
        try await second.close()
        hasReturned.withLock { $0 = true }
        isOver.open()
      }
    }
    try JoinableThread {
      try first.syncClose()
      try second.syncClose()
    }.join().get()
    isOver.wait()
  }

  func testATaskMayLookAtADisposalWhoseThreadHasEnded() throws {
    let (mayLook, isOver, isDisposing, mayEnd) = (AsyncGate(), Gate(), Gate(), Gate())
    let second = try Self.makeScope {
      isDisposing.open()
      mayEnd.wait()
    }
    let first = try Self.makeScope {
      Task {
        await mayLook.wait()
        try await second.close()
        isOver.open()
      }
    }
    try JoinableThread { try first.syncClose() }.join().get()
    let closing = JoinableThread { try second.syncClose() }
    isDisposing.wait()
    mayLook.open()
    usleep(1000)
    mayEnd.open()
    try closing.join().get()
    isOver.wait()
  }

  /// Each disposer closes the next scope: more disposals than a thread keeps of other spares.
  func testNestedDisposalsAreAllUsedAgain() throws {
    try XCTSkipUnless(ThreadSpares.areKept)
    let used = Locked<[Set<ObjectIdentifier>]>([])
    try JoinableThread {
      for _ in 0..<3 {
        var scope = try Self.makeScope {
          used.withLock { $0.append(Set(DisposalContext.enclosing.map { ObjectIdentifier($0) })) }
        }
        for _ in 0..<9 { scope = try Self.makeScope { [scope] in try scope.syncClose() } }
        try scope.syncClose()
      }
    }.join().get()
    let found = used.withLock { $0 }
    XCTAssertEqual(found.map(\.count), [10, 10, 10])
    XCTAssertEqual(Set(found).count, 1)
  }

  /// A disposal in a task ends on a thread of the tasks, with the closing of the thread that has
  /// begun the disposal.
  @MainActor func testDisposalsThatEndOnOtherThreadsAreUsedAgain() async throws {
    try XCTSkipUnless(ThreadSpares.areKept)
    let used = Locked<Set<ObjectIdentifier>>([])
    func closeOnThread() throws {
      try Self.makeScope {
        used.withLock { $0.formUnion(DisposalContext.enclosing.map { ObjectIdentifier($0) }) }
      }.syncClose()
    }
    let container = Container()
    try container.register(Service.self, scope: .scoped) { _ in Service() }
      .onDispose { (_: Service) async in }
    for _ in 0..<1000 {
      try closeOnThread()
      let scope = container.makeScope()
      _ = try scope.resolve(Service.self)
      try await scope.close()
    }
    XCTAssertLessThan(used.withLock { $0.count }, 500)
  }
}
