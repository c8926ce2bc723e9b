// SPDX-License-Identifier: MIT

import TestSupport
import XCTest

@testable import Corinth

/// A signal that comes as a service is cancelled counted as the second one, and ended the draining.
final class SignalCenterTests: AsyncTestCase {
  func testASignalThatHasComeBeforeAServiceEndsOtherwiseIsItsFirstOne() async throws {
    let signal = ShutdownSignal(rawValue: SIGUSR1)
    let receiver = await SignalCenter.shared.receive([signal])
    let other = await SignalCenter.shared.receive([ShutdownSignal(rawValue: SIGUSR2)])
    var hasPassed = await SignalCenter.shared.hasPassedSignal(to: receiver)
    XCTAssertFalse(hasPassed)
    kill(getpid(), SIGUSR1)
    for await _ in receiver.second.stream { break }
    hasPassed = await SignalCenter.shared.hasPassedSignal(to: receiver)
    XCTAssertTrue(hasPassed)
    hasPassed = await SignalCenter.shared.hasPassedSignal(to: other)
    XCTAssertFalse(hasPassed)
    for each in [receiver, other] { await SignalCenter.shared.remove(each) }
    hasPassed = await SignalCenter.shared.hasPassedSignal(to: receiver)
    XCTAssertFalse(hasPassed)
  }
}
