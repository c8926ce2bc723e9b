// SPDX-License-Identifier: MIT

public import Corinth
public import Testing
internal import TestingSupport

/// A factory for a service that a test must not resolve: the factory fails the test, and throws.
///
/// ```swift
/// @Test(.container(application) {
///   try $0.register(
///     (any Mailer).self, onDuplicate: .require, factory: unimplemented((any Mailer).self))
/// })
/// func browsingSendsNoMail() throws { }
/// ```
///
/// The test fails also if the code under test handles the error, and if a detached task resolves
/// the service. After the test no resolve reaches the factory, since the fork is closed. Make the
/// factory where the test overrides, so that the message names the right test.
///
/// - Parameters:
///   - service: the overridden type.
///   - name: the overridden name, for the message.
///   - sourceLocation: where the test fails; the caller's location when left out.
/// - Returns: a factory for `override`.
///
/// Safe to call from any thread.
public func unimplemented<Service>(
  _ service: Service.Type, name: Name? = nil,
  sourceLocation: Testing.SourceLocation = #_sourceLocation
) -> @Sendable (Resolver) throws -> Service {
  let failure = Failure(RegistrationKey(product: service, name: name), at: sourceLocation)
  return { _ in throw failure.recorded() }
}

/// A factory with arguments for a service that a test must not resolve: the factory fails the test,
/// and throws.
///
/// ```swift
/// try container.register(
///   User.self, onDuplicate: .require, factory: unimplemented(User.self, arguments: Int.self))
/// ```
///
/// As ``unimplemented(_:name:sourceLocation:)``.
///
/// - Parameters:
///   - service: the overridden type.
///   - name: the overridden name, for the message.
///   - first: the type of the first argument.
///   - rest: the types of the further arguments.
///   - sourceLocation: where the test fails; the caller's location when left out.
/// - Returns: a factory for `override`.
///
/// Safe to call from any thread.
public func unimplemented<Service, First, each Rest>(
  _ service: Service.Type, name: Name? = nil, arguments first: First.Type,
  _ rest: repeat (each Rest).Type, sourceLocation: Testing.SourceLocation = #_sourceLocation
) -> @Sendable (Resolver, First, repeat each Rest) throws -> Service {
  let key = RegistrationKey(
    product: service, name: name, arguments: (First, repeat each Rest).self)
  let failure = Failure(key, at: sourceLocation)
  return { (_: Resolver, _: First, _: repeat each Rest) in throw failure.recorded() }
}

/// Fails the test when an unimplemented service is resolved.
private struct Failure: Sendable {
  private let key: RegistrationKey
  private let sourceLocation: Testing.SourceLocation
  private let madeIn = TestRun.current

  init(_ key: RegistrationKey, at sourceLocation: Testing.SourceLocation) {
    self.key = key
    self.sourceLocation = sourceLocation
  }

  /// Fails the test that resolves the service.
  ///
  /// - Returns: the error for the code under test.
  func recorded() -> UnimplementedService {
    let run = TestRun.current(orElse: madeIn)
    let error = UnimplementedService(
      key, in: run?.test ?? Test.current.map { $0.displayName ?? $0.name },
      at: "\(sourceLocation.fileID):\(sourceLocation.line)")
    let record: TestRun.Report = { [sourceLocation] in
      Issue.record(Comment(rawValue: "\(error)"), sourceLocation: sourceLocation)
    }
    // Outside of the test's tasks, Swift Testing could not determine the test.
    if Test.current != nil || run?.add(record) != true { record() }
    return error
  }
}
