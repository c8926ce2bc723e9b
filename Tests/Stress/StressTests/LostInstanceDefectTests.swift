// SPDX-License-Identifier: MIT

import Corinth
import TestSupport
import XCTest

/// Instances with disposers that their container lets go while they are being built.
///
/// They were neither disposed of nor reported: the override, the release or the removal found no
/// instance yet, and the construction stored one in a registration that no container had any more.
final class LostInstanceDefectTests: StressTestCase {
  private final class Pool: Part, @unchecked Sendable {}

  /// What became of the instances.
  private struct Account: Sendable {
    let built = AtomicCounter()
    let disposed = AtomicCounter()
    let reported = EventLog()
  }

  /// Counts reports of drops, for as long as the body runs.
  private func reporting(to account: Account, _ body: () throws -> Void) rethrows {
    let former = Container.onUndisposed
    Container.onUndisposed = { report in
      for _ in report.instances { account.reported.add("\(report.cause)") }
    }
    defer { Container.onUndisposed = former }
    try body()
  }

  /// Lets an instance go while its factory runs, and closes the container.
  ///
  /// - Parameter other: a thread that the body starts, which holds the container.
  private func letGo(
    on other: Guarded<JoinableThread<Void>> = Guarded(),
    _ body: @escaping @Sendable (Container) throws -> Void
  ) throws -> Account {
    let (tracker, account) = (LifetimeTracker(), Account())
    reporting(to: account) {
      assertEnds {
        let container = Container()
        let (isInside, mayEnd) = (Gate(), Gate())
        try container.register(Pool.self, scope: .singleton) { _ in
          if account.built.add() == 1 {
            isInside.open()
            mayEnd.wait()
          }
          return Pool(tracker)
        }.onDispose { _ in account.disposed.add() }
        let thread = JoinableThread { _ = try? container.resolve(Pool.self) }
        isInside.wait()
        try body(container)
        mayEnd.open()
        _ = thread.join()
        try container.syncClose()
        _ = other.value?.join()
      }
    }
    assertNoneLeft(tracker)
    return account
  }

  private func assertReported(
    _ account: Account, as cause: UndisposedReport.Cause, file: StaticString = #filePath,
    line: UInt = #line
  ) {
    XCTAssertEqual(account.reported.entries, ["\(cause)"], file: file, line: line)
    XCTAssertEqual(
      account.disposed.value + 1, account.built.value, "the others are disposed of", file: file,
      line: line)
  }

  func testAnInstanceThatIsReleasedWhileItIsBuiltIsReported() throws {
    assertReported(
      try letGo { XCTAssertTrue($0.release(Pool.self)) }, as: .released)
    assertReported(try letGo { $0.releaseAll() }, as: .released)
  }

  func testAnInstanceThatIsUnregisteredWhileItIsBuiltIsReported() throws {
    assertReported(
      try letGo { XCTAssertTrue($0.unregister(Pool.self)) }, as: .removed)
    assertReported(try letGo { $0.removeAll() }, as: .removed)
  }

  func testAnInstanceThatIsOverriddenWhileItIsBuiltIsReported() throws {
    let tracker = LifetimeTracker()
    assertReported(
      try letGo { container in
        try container.register(Pool.self, scope: .singleton) { _ in Pool(tracker) }
      }, as: .overridden)
    let replaced = try letGo { container in
      try container.syncReplace(Pool.self) { _ in Pool(tracker) }
    }
    XCTAssertEqual(replaced.reported.entries, ["overridden"])
    XCTAssertEqual(replaced.disposed.value, 1, "the replacement has the disposers")
  }

  func testAnInstanceBelowAnOverrideIsDisposedOfWithTheContainer() throws {
    let tracker = LifetimeTracker()
    let override = Guarded<Registration<Pool>>()
    let account = try letGo { container in
      override.value = try container.register(Pool.self, onDuplicate: .require) { _ in Pool(tracker)
      }
    }
    XCTAssertEqual(account.reported.entries, [])
    XCTAssertEqual(account.disposed.value, 1)
  }

  func testAnInstanceThatAClosingFindsIsDisposedOfOnceAndNotReported() throws {
    let closer = Guarded<JoinableThread<Void>>()
    let account = try letGo(on: closer) { container in
      closer.value = JoinableThread { try? container.syncClose() }
    }
    XCTAssertEqual(account.reported.entries, [])
    XCTAssertEqual(account.disposed.value, 1)
  }

  /// Releases race with the end of constructions: each instance is disposed of or reported, and
  /// none is both.
  func testEachInstanceIsAccountedForOnceBesideReleases() throws {
    let (tracker, account) = (LifetimeTracker(), Account())
    try reporting(to: account) {
      for _ in 0..<StressSize.scaled(200) {
        let container = Container()
        try container.register(Pool.self, scope: .singleton) { _ in
          account.built.add()
          return Pool(tracker)
        }.onDispose { _ in account.disposed.add() }
        try onThreads(3) { index in
          for _ in 0..<10 {
            if index == 0 {
              container.release(Pool.self)
            } else {
              _ = try container.resolve(Pool.self)
            }
          }
        }
        try container.syncClose()
      }
    }
    XCTAssertEqual(account.disposed.value + account.reported.entries.count, account.built.value)
    assertNoneLeft(tracker)
  }
}
