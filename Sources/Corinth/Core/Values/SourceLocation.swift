// SPDX-License-Identifier: MIT

/// A location in the source, such as that of a registration.
public struct SourceLocation: Sendable, Hashable, CustomStringConvertible {
  /// Module and file name, as `#fileID` gives them.
  public var file: String { "\(fileID)" }
  /// The line, counted from 1.
  public let line: UInt

  private let fileID: StaticString

  @usableFromInline
  init(file: StaticString, line: UInt) {
    fileID = file
    self.line = line
  }

  public static func == (left: SourceLocation, right: SourceLocation) -> Bool {
    left.line == right.line && left.file == right.file
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(file)
    hasher.combine(line)
  }

  /// For example `App/main.swift:12`.
  public var description: String { "\(file):\(line)" }
}
