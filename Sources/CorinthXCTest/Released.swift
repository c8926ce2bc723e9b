// SPDX-License-Identifier: MIT

public import Corinth
internal import TestingSupport
internal import XCTest

/// Asserts that a container is released with the last reference to the container.
///
/// ```swift
/// func testTheApplicationDoesNotKeepItself() throws {
///   try assertReleased { try makeApplication() }
/// }
/// ```
///
/// A factory with a captured container keeps the container alive for ever, with all registrations
/// and instances. The test fails if registrations keep their container, and the failure names the
/// registrations. A ``ContainerTestCase`` makes no such check: properties of a test case may keep
/// the container, and may be gone when a second container is made.
///
/// - Parameters:
///   - file: the file where the test fails; the caller's file when left out.
///   - line: the line in `file`.
///   - make: makes a container for the check alone. Called a second time if the first container is
///     not released: the second container loses all registrations. The check passes, and changes
///     nothing, if `make` returns the first container again.
/// - Throws: the error of the first call of `make`.
/// - Complexity: O(*n*) in the number of keys ever registered, if the container is not released.
///
/// Takes the writer lock of the second container, for a moment for each registration.
public func assertReleased(
  file: StaticString = #filePath, line: UInt = #line, _ make: () throws -> Container
) throws {
  let check = ReleaseCheck(of: try make())
  if let text = check.failure(makingAnother: make) { XCTFail(text, file: file, line: line) }
}

/// Asserts that a container made by asynchronous code is released with the last reference to the
/// container. The caller stays on the caller's actor.
///
/// - Parameters:
///   - file: the file where the test fails; the caller's file when left out.
///   - line: the line in `file`.
///   - make: makes a container for the check alone; see the synchronous form.
/// - Throws: the error of the first call of `make`.
nonisolated(nonsending)
  public func assertReleased(
    file: StaticString = #filePath, line: UInt = #line,
    _ make: nonisolated(nonsending) () async throws -> Container
  ) async throws
{
  let check = ReleaseCheck(of: try await make())
  if let text = await check.failure(makingAnother: make) { XCTFail(text, file: file, line: line) }
}
