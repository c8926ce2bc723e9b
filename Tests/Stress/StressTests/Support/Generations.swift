// SPDX-License-Identifier: MIT

import TestSupport
import XCTest

/// Numbers the registrations that one writer makes of one key, so that readers can tell which were
/// current during a call. The writer announces each before it makes it, and confirms it afterwards.
struct Generations: Sendable {
  private let announced = AtomicCounter()
  private let confirmed = AtomicCounter()

  func advance(_ register: (Int) throws -> Void) rethrows {
    try register(announced.add())
    confirmed.add()
  }

  /// Asserts that what `resolve` returns stems from the last registration to be confirmed when it
  /// began, or from a later one that was announced before it ended.
  func check(_ resolve: () throws -> Int) rethrows {
    let oldest = confirmed.value
    let generation = try resolve()
    let newest = announced.value
    if !(oldest...newest).contains(generation) {
      XCTFail("generation \(generation) while \(oldest)...\(newest) were current")
    }
  }

  /// The number of the one registration that was current all the time that `body` took; `nil` when
  /// there was another.
  func unchanged(during body: () throws -> Void) rethrows -> Int? {
    let oldest = confirmed.value
    try body()
    return announced.value == oldest ? oldest : nil
  }
}
