// SPDX-License-Identifier: MIT

import DialectHistories
import TestSupport
import Testing

@Suite(.serialized)
struct DialectHistoriesTests {
  /// In a process of its own: the threads of other tests would delay the end of instances that are
  /// let go of.
  @Test(arguments: Dialect.all.map(\.name))
  func randomProgramsDoWhatTheModelDoes(_ name: String) {
    // Programs have one thread, on which ThreadSanitizer finds nothing.
    let count = StressSize.scaled(2_000, sanitized: 100)
    let run = ChildRun(
      .product("DialectHistoryRun"), ["--dialect", name, "--seed", "1", "--count", "\(count)"],
      limit: nil, showsCrash: true)
    #expect(run.status == 0, "\(run.describe())")
  }
}
