// SPDX-License-Identifier: MIT

public import Corinth
public import Testing
internal import TestingSupport

/// Checks that a container leaves nothing undisposed while `body` runs.
///
/// ```swift
/// let service = try makeService()
/// try await expectNothingUndisposed(in: service) {
///   try await service.resolveAsync(Server.self).start()
///   try await service.shutdown(draining: .seconds(5))
/// }
/// ```
///
/// For a container made by the test; a test with the trait
/// ``Testing/Trait/container(_:draining:checksDisposal:overrides:)`` checks the fork at the end.
/// The test fails, when `body` has returned or thrown,
///
/// - for every instance that the container, or a scope, child or fork of the container, has dropped
///   undisposed. Only forks made in `body` count;
/// - if the container still keeps instances to dispose of: `body` has to shut the container down,
///   or to close a container that is a request scope;
/// - if request scopes of the container or of the container's children are still open.
///
/// For children and forks in use after `body`, only the drops count: the code that keeps such a
/// container shuts the container down. In a test with the trait, a drop that is reported here is
/// not reported again at the end of the test. The drop is reported here also without the trait's
/// `checksDisposal`.
///
/// - Parameters:
///   - container: the container, which is watched until `body` ends.
///   - sourceLocation: where the test fails; the caller's location when left out.
///   - body: the work.
/// - Returns: the result of `body`.
/// - Throws: the error of `body`.
/// - Complexity: O(*n*) in the number of keys ever registered.
///
/// Takes the container's writer lock, for a moment before and after `body`. Receives drops on all
/// threads.
public func expectNothingUndisposed<Result>(
  in container: Container, sourceLocation: Testing.SourceLocation = #_sourceLocation,
  _ body: () throws -> Result
) rethrows -> Result {
  try DisposalCheck.of(container, { record($0, at: sourceLocation) }, body)
}

/// Checks that a container leaves nothing undisposed while the asynchronous `body` runs.
///
/// The caller stays on the caller's actor.
///
/// - Parameters:
///   - container: the container, which is watched until `body` ends.
///   - sourceLocation: where the test fails; the caller's location when left out.
///   - body: the work.
/// - Returns: the result of `body`.
/// - Throws: the error of `body`.
nonisolated(nonsending)
  public func expectNothingUndisposed<Result>(
    in container: Container, sourceLocation: Testing.SourceLocation = #_sourceLocation,
    _ body: nonisolated(nonsending) () async throws -> Result
  ) async rethrows -> Result
{
  try await DisposalCheck.of(container, { record($0, at: sourceLocation) }, body)
}

private func record(_ text: String, at sourceLocation: Testing.SourceLocation) {
  Issue.record(Comment(rawValue: text), sourceLocation: sourceLocation)
}
