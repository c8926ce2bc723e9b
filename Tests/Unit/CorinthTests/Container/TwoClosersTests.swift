// SPDX-License-Identifier: MIT

import Corinth
import Foundation
import TestSupport
import XCTest

/// Two callers that end one container at once, each with limits of its own.
final class TwoClosersTests: AsyncTestCase {
  private func failures(in result: Result<some Any, any Error>) -> [DisposalFailure] {
    guard case .failure(let error) = result else { return [] }
    guard case CloseError.disposalFailed(let failures) = error else {
      XCTFail("\(error)")
      return []
    }
    return failures
  }

  private func isWait(_ failure: DisposalFailure) -> Bool {
    failure.key == RegistrationKey(product: Container.self)
  }

  /// The second caller waited for ever.
  func testASecondCallerWaitsForAsLongAsItsTotalLimitAllows() async throws {
    let (container, isDisposing, mayEnd) = (container, AsyncGate(), AsyncGate())
    try container.register(Int.self, scope: .singleton) { _ in 1 }.onDispose { _ in
      isDisposing.open()
      await mayEnd.wait()
    }
    _ = try container.resolve(Int.self)
    async let first: Void = container.close()
    await isDisposing.wait()
    await assertThrows {
      try await container.shutdown(totalTimeLimit: .milliseconds(20))
    } _: { error in
      let text = "\(error)"
      XCTAssert(text.hasPrefix("1 closing by another caller did not end in time.\n"), text)
      XCTAssert(text.contains("another caller closes it, and had not ended after 0.02"), text)
      XCTAssertFalse(text.contains(" at "), text)
    }
    mayEnd.open()
    try await first
    try await container.shutdown(totalTimeLimit: .milliseconds(20))
  }

  func testADisposerThatEndsItsContainerWithATotalLimitGoesOnAtOnce() async throws {
    let container = container
    try container.register(Int.self, scope: .singleton) { _ in 1 }.onDispose { _ in
      try await container.shutdown(totalTimeLimit: hangLimit)
    }
    _ = try container.resolve(Int.self)
    try await container.shutdown(totalTimeLimit: hangLimit)
  }

  // MARK: - At random

  private enum Form: CaseIterable {
    case close, totalLimit, limitOfEach, patient

    func end(_ container: Container, _ limit: Duration) async throws {
      switch self {
      case .close: try await container.close()
      case .totalLimit:
        try await container.shutdown(timeLimit: hangLimit, totalTimeLimit: limit)
      case .limitOfEach:
        try await container.shutdown(timeLimit: limit, totalTimeLimit: hangLimit)
      case .patient: try await container.shutdown(timeLimit: hangLimit)
      }
    }
  }

  func testEachTotalLimitHoldsAndEachDisposerRunsAtMostOnce() async throws {
    for seed in 1...UInt64(StressSize.scaled(200)) { try await run(seed) }
  }

  private func run(_ seed: UInt64) async throws {
    var random = SeededGenerator(seed: seed)
    let (container, mayEnd, mayReturn) = (Container(), AsyncGate(), DispatchSemaphore(value: 0))
    let count = Int.random(in: 1...4, using: &random)
    let (begun, ended) = (Locked([Int](repeating: 0, count: count)), AtomicCounter())
    for number in 0..<count {
      let form = Int.random(in: 0..<3, using: &random)
      try container.register(Int.self, name: Name(number), scope: .singleton) { _ in number }
        .onDispose { _ async in
          begun.withLock { $0[number] += 1 }
          switch form {
          case 0: break
          case 1: await mayEnd.wait()
          default: Self.block(mayReturn)
          }
          ended.add()
        }
      _ = try container.resolve(Int.self, name: Name(number))
    }
    let closers = (0..<2).map { _ in
      let form = Form.allCases.randomElement(using: &random) ?? .close
      let limit = Duration.milliseconds(Int.random(in: 1...10, using: &random))
      let yields = Int.random(in: 0..<20, using: &random)
      let task = Task {
        for _ in 0..<yields { await Task.yield() }
        try await form.end(container, limit)
      }
      return (form, task)
    }
    // They return although the other one may not.
    for case (.totalLimit, let task) in closers { _ = await task.result }
    mayEnd.open()
    for _ in 0..<count { mayReturn.signal() }
    var (disposals, waits) = ([DisposalFailure](), 0)
    for (form, task) in closers {
      let failures = failures(in: await task.result)
      if let wait = failures.first, isWait(wait) {
        XCTAssertEqual(failures.count, 1, "\(seed)")
        XCTAssertEqual(form, .totalLimit, "\(seed)")
        waits += 1
      } else if !failures.isEmpty {
        XCTAssertEqual(disposals.count, 0, "two had the failures: \(seed)")
        disposals = failures
      }
    }
    XCTAssertLessThanOrEqual(waits, 1, "\(seed)")
    let omitted = disposals.filter { ($0.error as? TimeLimitExceeded)?.wasBegun == false }
    await waitUntil { ended.value == count - omitted.count }
    for number in 0..<count {
      let key = RegistrationKey(product: Int.self, name: Name(number))
      XCTAssertEqual(
        begun.withLock { $0[number] }, omitted.contains { $0.key == key } ? 0 : 1, "\(seed)")
    }
  }

  private static func block(_ semaphore: DispatchSemaphore) { semaphore.wait() }
}
