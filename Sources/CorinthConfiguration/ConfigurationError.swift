// SPDX-License-Identifier: MIT

/// Why a resource could not be loaded, or a property not be read. It never has a value of the resource in it.
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
  /// What is wrong.
  @nonexhaustive
  public enum Kind: Sendable, Hashable {
    /// The file cannot be read.
    case unreadable
    /// The text is not of its format, has no section at its top, or is beyond the limits of resources.
    case malformed
    /// One resource has a section where another one has a value, or a key twice.
    case conflicting
    /// The property is there, and has another type than the one that was asked for.
    case mistyped
  }

  /// What is wrong.
  public let kind: Kind
  /// The name of the resource: its file name, or that of an environment variable.
  public let source: String
  /// The dotted name of the property; `nil` if it is the resource as a whole.
  public let property: String?
  /// The line of the resource, counted from 1, if the decoder tells.
  public let line: Int?

  /// Whether the resource is well-formed, and has no section at its top: for a dialect.
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
  /// What is wrong, where, and what was expected.
  public var description: String { text }
}

extension ConfigurationError: Equatable {
  public static func == (left: ConfigurationError, right: ConfigurationError) -> Bool {
    left.kind == right.kind && left.text == right.text
  }
}
