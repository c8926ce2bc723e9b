// SPDX-License-Identifier: MIT

import XCTest

@testable import Corinth

/// The two words of a string that holds its bytes itself, which names are compared by: design note
/// 27.
final class StringAssumptionTests: XCTestCase {
  func testAStringIsTwoWords() {
    XCTAssertEqual(MemoryLayout<String>.size, 16)
    XCTAssertEqual(MemoryLayout<String>.stride, 16)
  }

  func testAShortASCIITextIsItsBytesAndItsLength() {
    for length in 0...15 {
      let bytes = (0..<length).map { UInt8(ascii: "a") + UInt8($0) }
      // Made at run time, as a literal may be stored in another form.
      let words = NameContent.words(of: String(decoding: bytes, as: UTF8.self))
      XCTAssertTrue(NameContent.isShort(words), "\(length)")
      var stored = unsafe withUnsafeBytes(of: words.0.littleEndian) { unsafe Array($0) }
      stored += unsafe withUnsafeBytes(of: words.1.littleEndian) { unsafe Array($0) }
      let padding = Array(repeating: UInt8(0), count: 15 - length)
      XCTAssertEqual(stored, bytes + padding + [0xE0 | UInt8(length)])
      XCTAssertEqual(
        unsafe unsafeBitCast(words, to: String.self), String(decoding: bytes, as: UTF8.self))
    }
  }

  func testLongerAndOtherTextsAreNotTakenForShortOnes() {
    for text in ["sixteen bytes 16", "ä", "é", String(repeating: "long ", count: 20)] {
      XCTAssertFalse(NameContent.isShort(NameContent.words(of: text + "")), text)
    }
  }
}
