// SPDX-License-Identifier: MIT

import DialectHistories
import TestSupport
import Testing

@Suite(.serialized)
struct DialectHistoriesTests {
  @Test(arguments: Dialect.all.map(\.name))
  func randomProgramsDoWhatTheModelDoes(_ name: String) throws {
    let dialect = try #require(Dialect.all.first { $0.name == name })
    let failure = dialect.firstFailure(from: 1, count: StressSize.scaled(2_000))
    #expect(failure == nil, "\(failure ?? "")")
  }
}
