// SPDX-License-Identifier: MIT

public import Corinth
public import Testing
internal import TestingSupport

/// A factory for what a test does not expect to be asked for: it fails the test, and throws.
///
/// ```swift
/// @Test(.container(application) {
///   try $0.override((any Mailer).self, factory: unimplemented((any Mailer).self))
/// })
/// func browsingSendsNoMail() throws { }
/// ```
///
/// The test fails also if the code under test handles the error, and if a detached task asks. Nothing asks after the test: the
/// fork is closed then. Make the factory where the test overrides, so that the message names the right test.
///
/// - Parameters:
///   - service: the type that is overridden.
///   - name: the name that is overridden, for the message.
///   - sourceLocation: where the test fails; the caller's when left out.
/// - Returns: a factory for `override`. One of arguments calls it: `{ (r, id: Int) in try unimplemented(User.self)(r) }`.
///
/// Safe to call from any thread.
public func unimplemented<Service>(
  _ service: Service.Type, name: Name? = nil,
  sourceLocation: Testing.SourceLocation = #_sourceLocation
) -> @Sendable (Resolver) throws -> Service {
  let key = RegistrationKey(product: service, name: name)
  let madeIn = TestRun.current
  return { _ in
    let run = TestRun.current(orElse: madeIn)
    let error = UnimplementedService(
      key, in: run?.test ?? Test.current.map { $0.displayName ?? $0.name },
      at: "\(sourceLocation.fileID):\(sourceLocation.line)")
    let record: TestRun.Report = {
      Issue.record(Comment(rawValue: "\(error)"), sourceLocation: sourceLocation)
    }
    // Outside of the test's tasks, Swift Testing would not know which test it is.
    if Test.current != nil || run?.add(record) != true { record() }
    throw error
  }
}
