// SPDX-License-Identifier: MIT

public import Corinth
internal import TestingSupport
internal import XCTest

/// Asserts that a container leaves nothing undisposed while `body` runs.
///
/// ```swift
/// let service = try makeService()
/// try await assertNothingUndisposed(in: service) {
///   try await service.resolveAsync(Server.self).start()
///   try await service.shutdown(draining: .seconds(5))
/// }
/// ```
///
/// For a container made by the test; a ``ContainerTestCase`` checks the fork at the end of every
/// test. The test fails, when `body` has returned or thrown,
///
/// - for every instance that the container, or a scope, child or fork of the container, has dropped
///   undisposed. Only forks made in `body` count;
/// - if the container still keeps instances to dispose of: `body` has to shut the container down,
///   or to close a container that is a request scope;
/// - if request scopes of the container or of the container's children are still open.
///
/// For children and forks in use after `body`, only the drops count: the code that keeps such a
/// container shuts the container down. In a ``ContainerTestCase``, a drop that is reported here is
/// not reported again at the end of the test. The drop is reported here also without
/// ``ContainerTestCase/checksDisposal``.
///
/// - Parameters:
///   - container: the container, which is watched until `body` ends.
///   - file: the file where the test fails; the caller's file when left out.
///   - line: the line in `file`.
///   - body: the work.
/// - Returns: the result of `body`.
/// - Throws: the error of `body`.
/// - Complexity: O(*n*) in the number of keys ever registered.
///
/// Takes the container's writer lock, for a moment before and after `body`. Receives drops on all
/// threads.
public func assertNothingUndisposed<Result>(
  in container: Container, file: StaticString = #filePath, line: UInt = #line,
  _ body: () throws -> Result
) rethrows -> Result {
  try DisposalCheck.of(container, { XCTFail($0, file: file, line: line) }, body)
}

/// Asserts that a container leaves nothing undisposed while the asynchronous `body` runs.
///
/// The caller stays on the caller's actor.
///
/// - Parameters:
///   - container: the container, which is watched until `body` ends.
///   - file: the file where the test fails; the caller's file when left out.
///   - line: the line in `file`.
///   - body: the work.
/// - Returns: the result of `body`.
/// - Throws: the error of `body`.
nonisolated(nonsending)
  public func assertNothingUndisposed<Result>(
    in container: Container, file: StaticString = #filePath, line: UInt = #line,
    _ body: nonisolated(nonsending) () async throws -> Result
  ) async rethrows -> Result
{
  try await DisposalCheck.of(container, { XCTFail($0, file: file, line: line) }, body)
}
