// SPDX-License-Identifier: MIT

public import Corinth
internal import TestingSupport
internal import XCTest

/// A factory for a service that a test must not resolve: the factory fails the test, and throws.
///
/// ```swift
/// try container.register(
///   (any Mailer).self, onDuplicate: .require, factory: unimplemented((any Mailer).self))
/// ```
///
/// The test fails at the test's end, also if the code under test handles the error. Outside of a
/// ``ContainerTestCase`` the test fails at once.
///
/// - Parameters:
///   - service: the overridden type.
///   - name: the overridden name, for the message.
///   - file: the file where the test fails; the caller's file when left out.
///   - fileID: the identifier of the file, for the message.
///   - line: the line in the file.
/// - Returns: a factory for `override`.
///
/// Safe to call from any thread.
public func unimplemented<Service>(
  _ service: Service.Type, name: Name? = nil, file: StaticString = #filePath,
  fileID: StaticString = #fileID, line: UInt = #line
) -> @Sendable (Resolver) throws -> Service {
  let failure = Failure(
    RegistrationKey(product: service, name: name), file: file, fileID: fileID, line: line)
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
/// As ``unimplemented(_:name:file:fileID:line:)``.
///
/// - Parameters:
///   - service: the overridden type.
///   - name: the overridden name, for the message.
///   - first: the type of the first argument.
///   - rest: the types of the further arguments.
///   - file: the file where the test fails; the caller's file when left out.
///   - fileID: the identifier of the file, for the message.
///   - line: the line in the file.
/// - Returns: a factory for `override`.
///
/// Safe to call from any thread.
public func unimplemented<Service, First, each Rest>(
  _ service: Service.Type, name: Name? = nil, arguments first: First.Type,
  _ rest: repeat (each Rest).Type, file: StaticString = #filePath,
  fileID: StaticString = #fileID, line: UInt = #line
) -> @Sendable (Resolver, First, repeat each Rest) throws -> Service {
  let key = RegistrationKey(
    product: service, name: name, arguments: (First, repeat each Rest).self)
  let failure = Failure(key, file: file, fileID: fileID, line: line)
  return { (_: Resolver, _: First, _: repeat each Rest) in throw failure.recorded() }
}

/// Fails the test when an unimplemented service is resolved.
private struct Failure: Sendable {
  private let key: RegistrationKey
  private let file: StaticString
  private let fileID: StaticString
  private let line: UInt
  private let madeIn = TestRun.current

  init(_ key: RegistrationKey, file: StaticString, fileID: StaticString, line: UInt) {
    self.key = key
    self.file = file
    self.fileID = fileID
    self.line = line
  }

  /// Fails the test that resolves the service.
  ///
  /// - Returns: the error for the code under test.
  func recorded() -> UnimplementedService {
    let run = TestRun.current(orElse: madeIn)
    let error = UnimplementedService(key, in: run?.test, at: "\(fileID):\(line)")
    let fail: TestRun.Report = { [file, line] in XCTFail("\(error)", file: file, line: line) }
    if run?.add(fail) != true { fail() }
    return error
  }
}
