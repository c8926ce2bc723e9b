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
/// For a container that the test makes; a ``ContainerTestCase`` checks its fork at the end of each test. The test fails,
/// when `body` has returned or thrown,
///
/// - for each instance that the container, or a scope, child or fork of it, has dropped without disposing of it.
///   Only forks that are made in `body` count;
/// - if the container still keeps instances that it is to dispose of: `body` has to shut it down, or to close it if it is a
///   request scope;
/// - if request scopes of the container or of its children are still open.
///
/// Of children and forks that are in use after `body`, only the drops count: the code that keeps them shuts them
/// down. In a ``ContainerTestCase``, a drop that is reported here is not reported again at the end of the test.
/// It is reported here also without ``ContainerTestCase/checksDisposal``.
///
/// - Parameters:
///   - container: the container. It is watched until `body` ends.
///   - file: where the test fails; the caller's when left out.
///   - line: the line of that.
///   - body: the work.
/// - Returns: the result of `body`.
/// - Throws: the error of `body`.
/// - Complexity: O(*n*) in the number of keys ever registered.
///
/// Takes the container's writer lock, for a moment before `body` and after it. Receives drops on all threads.
public func assertNothingUndisposed<Result>(
  in container: Container, file: StaticString = #filePath, line: UInt = #line,
  _ body: () throws -> Result
) rethrows -> Result {
  try DisposalCheck.of(container, { XCTFail($0, file: file, line: line) }, body)
}

/// Asserts that a container leaves nothing undisposed while `body` runs: the same for asynchronous work.
///
/// The caller stays on its actor.
///
/// - Parameters:
///   - container: the container. It is watched until `body` ends.
///   - file: where the test fails; the caller's when left out.
///   - line: the line of that.
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
