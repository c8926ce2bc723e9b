// SPDX-License-Identifier: MIT

import Foundation
import XCTest

/// Compares a text with the one kept in `Tests/Golden/Texts/<name>.txt`.
///
/// With `CORINTH_UPDATE_GOLDEN=1` in the environment it writes the file instead.
public func assertGolden(
  _ name: String, _ text: String, file: StaticString = #filePath, line: UInt = #line
) {
  let location = goldenFolder.appending(path: "\(name).txt")
  if ProcessInfo.processInfo.environment["CORINTH_UPDATE_GOLDEN"] == "1" {
    XCTAssertNoThrow(
      try Data("\(text)\n".utf8).write(to: location), file: file, line: line)
    return
  }
  guard let golden = try? String(contentsOf: location, encoding: .utf8) else {
    XCTFail(
      "there is no golden text \(location.path); CORINTH_UPDATE_GOLDEN=1 writes it. The text:\n"
        + text, file: file, line: line)
    return
  }
  XCTAssertEqual("\(text)\n", golden, file: file, line: line)
}

private let goldenFolder = URL(filePath: #filePath).deletingLastPathComponent()
  .deletingLastPathComponent().deletingLastPathComponent().appending(path: "Golden/Texts")
