// SPDX-License-Identifier: MIT

/// The reason why a resource could not be loaded, or a property not be read. The error never
/// contains a value of the resource.
///
/// ```swift
/// do { try container.register(resource: url) } catch let error as ConfigurationError {
///   print(error)  // The resource app.json is malformed at line 3: Invalid value.
/// }
/// ```
///
/// ## Concurrency
/// A value: safe to share.
public struct ConfigurationError: Error, Sendable {
  /// The kind of the fault.
  @nonexhaustive
  public enum Kind: Sendable, Hashable {
    /// The file cannot be read.
    case unreadable
    /// The text is not of the expected format, has no section at the top, or is beyond the limits
    /// of resources.
    case malformed
    /// Two resources disagree on whether a key has a section or a value, or a resource has a key
    /// twice.
    case conflicting
    /// The property exists, but not with the requested type.
    case mistyped
  }

  /// The kind of the fault.
  public let kind: Kind
  /// The name of the resource: the file name, or the name of an environment variable.
  public let source: String
  /// The dotted name of the property; `nil` for the resource as a whole.
  public let property: String?
  /// The line of the resource, counted from 1, if the decoder tells.
  public let line: Int?

  /// Whether the resource is well-formed, and has no section at the top: for a compatibility
  /// module.
  package let isOfAnotherTop: Bool

  private let text: String

  init(
    _ kind: Kind, in source: String, property: String? = nil, line: Int? = nil,
    isOfAnotherTop: Bool = false, _ text: String
  ) {
    self.kind = kind
    self.source = source
    self.property = property
    self.line = line
    self.isOfAnotherTop = isOfAnotherTop
    self.text = text
  }
}

extension ConfigurationError: CustomStringConvertible {
  /// The fault, the place, and the expectation.
  public var description: String { text }
}

extension ConfigurationError: Equatable {
  public static func == (left: ConfigurationError, right: ConfigurationError) -> Bool {
    left.kind == right.kind && left.text == right.text
  }
}
