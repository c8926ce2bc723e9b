// SPDX-License-Identifier: MIT

/// The lines of an input, counted from 1, without their ends; a line may end in CR LF.
struct InputLines: Sequence {
  /// Names the input in messages.
  let path: String
  private let bytes: [UInt8]

  init(_ bytes: [UInt8], of path: String) throws(InputError) {
    self.path = path
    self.bytes = bytes
    for (index, line) in split().enumerated()
    where String(validating: line, as: UTF8.self) == nil {
      throw error(line: index + 1, expected: "UTF-8 text", found: "other bytes")
    }
  }

  func error(line: Int, expected: String, found: String) -> InputError {
    InputError(in: path, line: line, expected: expected, found: found)
  }

  func makeIterator() -> some IteratorProtocol<(number: Int, text: String)> {
    split().enumerated().lazy.map { index, line in
      (number: index + 1, text: String(decoding: line, as: UTF8.self))
    }.makeIterator()
  }

  private func split() -> [ArraySlice<UInt8>] {
    bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).map { line in
      line.last == UInt8(ascii: "\r") ? line.dropLast() : line
    }
  }
}
