// SPDX-License-Identifier: MIT

public import Corinth
internal import TestingSupport
internal import XCTest

/// A factory for what a test does not expect to be asked for: it fails the test, and throws.
///
/// ```swift
/// try container.override((any Mailer).self, factory: unimplemented((any Mailer).self))
/// ```
///
/// The test fails when it ends, also if the code under test handles the error. Outside of a ``ContainerTestCase`` it fails
/// at once.
///
/// - Parameters:
///   - service: the type that is overridden.
///   - name: the name that is overridden, for the message.
///   - file: where the test fails; the caller's when left out.
///   - fileID: the same for the message.
///   - line: the line of that.
/// - Returns: a factory for `override`. One of arguments calls it: `{ (r, id: Int) in try unimplemented(User.self)(r) }`.
///
/// Safe to call from any thread.
public func unimplemented<Service>(
  _ service: Service.Type, name: Name? = nil, file: StaticString = #filePath,
  fileID: StaticString = #fileID, line: UInt = #line
) -> @Sendable (Resolver) throws -> Service {
  let key = RegistrationKey(product: service, name: name)
  let madeIn = TestRun.current
  return { _ in
    let run = TestRun.current(orElse: madeIn)
    let error = UnimplementedService(key, in: run?.test, at: "\(fileID):\(line)")
    let fail: TestRun.Report = { XCTFail("\(error)", file: file, line: line) }
    if run?.add(fail) != true { fail() }
    throw error
  }
}
