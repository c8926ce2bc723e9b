// SPDX-License-Identifier: MIT

import CorinthTesting
import TestSupport
import Testing

/// The issues of `body`, as texts; an issue of the test if there are none.
func issues(
  sourceLocation: Testing.SourceLocation = #_sourceLocation, _ body: () async throws -> Void
) async throws -> [String] {
  let texts = EventLog()
  try await withKnownIssue(sourceLocation: sourceLocation) {
    try await body()
  } matching: { issue in
    let error = issue.error.map { "\($0)" }
    texts.add(([error].compactMap(\.self) + issue.comments.map(\.rawValue)).joined())
    return true
  }
  return texts.entries
}

/// The issues of a test with the trait.
func issues(
  of trait: ContainerTrait, sourceLocation: Testing.SourceLocation = #_sourceLocation,
  _ body: @escaping @Sendable () async throws -> Void
) async throws -> [String] {
  let (test, testCase) = (try #require(Test.current), try #require(Test.Case.current))
  return try await issues(sourceLocation: sourceLocation) {
    try await trait.provideScope(for: test, testCase: testCase, performing: body)
  }
}
