// SPDX-License-Identifier: MIT

internal import Synchronization

/// A location in the source, such as the location of a registration.
public struct SourceLocation: Sendable, Hashable, CustomStringConvertible {
  /// The module and the file name, in the form of `#fileID`.
  public var file: String {
    // SAFETY: the text of a constant, which ends with 0. No address is as small as a scalar.
    if let scalar = UInt32(exactly: fileID).flatMap(Unicode.Scalar.init) { return "\(scalar)" }
    return unsafe UnsafePointer<CChar>(bitPattern: fileID).map { unsafe String(cString: $0) } ?? ""
  }
  /// The line, counted from 1.
  public var line: UInt { UInt(number) }

  /// The address of the text, or the only scalar of the text: a StaticString would take 24 bytes.
  private let fileID: UInt
  // Last, and short: registrations store more in the bytes behind the line's number.
  private let number: UInt32

  @usableFromInline
  @inline(__always)
  init(file: StaticString, line: UInt) {
    fileID =
      unsafe file.hasPointerRepresentation
      ? UInt(bitPattern: file.utf8Start) : UInt(file.unicodeScalar.value)
    number = UInt32(clamping: line)
  }

  #if DEBUG
    /// A location set by a single thread, the first of several.
    struct SetOnce: ~Copyable, Sendable {
      private let fileID = Atomic<UInt>(0)
      private let line = Atomic<UInt>(0)

      /// `nil` until the location is set.
      var value: SourceLocation? {
        // The line is stored last, and lines count from 1. Pairs with the release in `set`.
        let line = line.load(ordering: .acquiring)
        let fileID = fileID.load(ordering: .relaxed)
        return line == 0 || fileID == 0 ? nil : SourceLocation(fileID: fileID, line: line)
      }

      /// Sets the location, unless the location is set already.
      func set(_ location: SourceLocation) {
        let (isSet, _) = fileID.compareExchange(
          expected: 0, desired: location.fileID, ordering: .relaxed)
        if isSet { line.store(location.line, ordering: .releasing) }
      }

      /// Forgets the location.
      func forget() {
        line.store(0, ordering: .relaxed)
        fileID.store(0, ordering: .releasing)
      }
    }

    private init(fileID: UInt, line: UInt) {
      (self.fileID, number) = (fileID, UInt32(truncatingIfNeeded: line))
    }
  #endif

  public static func == (left: SourceLocation, right: SourceLocation) -> Bool {
    left.number == right.number && (left.fileID == right.fileID || left.file == right.file)
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(file)
    hasher.combine(number)
  }

  /// For example `App/main.swift:12`.
  @inline(never) public var description: String { "\(file):\(line)" }
}
