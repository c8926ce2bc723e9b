// SPDX-License-Identifier: MIT

public import Corinth
public import Testing
internal import TestingSupport

/// Checks that a container is released with the last reference to the container.
///
/// ```swift
/// @Test func theApplicationDoesNotKeepItself() throws {
///   try expectReleased { try makeApplication() }
/// }
/// ```
///
/// A factory with a captured container keeps the container alive for ever, with all registrations
/// and instances. The test fails if registrations keep their container, and the failure names the
/// registrations. The trait
/// ``Testing/Trait/container(_:draining:checksDisposal:overrides:)`` makes the same check of a
/// container made for each test.
///
/// - Parameters:
///   - sourceLocation: where the test fails; the caller's location when left out.
///   - make: makes a container for the check alone. Called a second time if the first container is
///     not released: the second container loses all registrations. The check passes, and changes
///     nothing, if `make` returns the first container again.
/// - Throws: the error of the first call of `make`.
/// - Complexity: O(*n*) in the number of keys ever registered, if the container is not released.
///
/// Takes the writer lock of the second container, for a moment for each registration.
public func expectReleased(
  sourceLocation: Testing.SourceLocation = #_sourceLocation, _ make: () throws -> Container
) throws {
  let check = ReleaseCheck(of: try make())
  record(check.failure(makingAnother: make), at: sourceLocation)
}

/// Checks that a container made by asynchronous code is released with the last reference to the
/// container. The caller stays on the caller's actor.
///
/// - Parameters:
///   - sourceLocation: where the test fails; the caller's location when left out.
///   - make: makes a container for the check alone; see the synchronous form.
/// - Throws: the error of the first call of `make`.
nonisolated(nonsending)
  public func expectReleased(
    sourceLocation: Testing.SourceLocation = #_sourceLocation,
    _ make: nonisolated(nonsending) () async throws -> Container
  ) async throws
{
  let check = ReleaseCheck(of: try await make())
  record(await check.failure(makingAnother: make), at: sourceLocation)
}

private func record(_ text: String?, at sourceLocation: Testing.SourceLocation) {
  guard let text else { return }
  Issue.record(Comment(rawValue: text), sourceLocation: sourceLocation)
}
