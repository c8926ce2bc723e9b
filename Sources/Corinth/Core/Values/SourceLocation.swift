// SPDX-License-Identifier: MIT

/// A location in the source, such as that of a registration.
public struct SourceLocation: Sendable, Hashable, CustomStringConvertible {
  /// Module and file name, as `#fileID` gives them.
  public var file: String {
    // SAFETY: the text of a constant, which ends with 0. No address is as small as a scalar.
    if let scalar = UInt32(exactly: fileID).flatMap(Unicode.Scalar.init) { return "\(scalar)" }
    return unsafe UnsafePointer<CChar>(bitPattern: fileID).map { unsafe String(cString: $0) } ?? ""
  }
  /// The line, counted from 1.
  public let line: UInt

  /// The address of its text, or the only scalar of it. Each registration has a location: a StaticString takes 24 bytes.
  private let fileID: UInt

  @usableFromInline
  init(file: StaticString, line: UInt) {
    fileID =
      unsafe file.hasPointerRepresentation
      ? UInt(bitPattern: file.utf8Start) : UInt(file.unicodeScalar.value)
    self.line = line
  }

  public static func == (left: SourceLocation, right: SourceLocation) -> Bool {
    left.line == right.line && (left.fileID == right.fileID || left.file == right.file)
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(file)
    hasher.combine(line)
  }

  /// For example `App/main.swift:12`.
  public var description: String { "\(file):\(line)" }
}
