// SPDX-License-Identifier: MIT

import XCTest

@testable import Corinth

/// Names may come from outside: texts that were chosen to collide must not.
final class NameFloodTests: XCTestCase {
  /// Asserts that next to no two of the texts have one hash, so that a registry's chains stay
  /// short.
  private func assertSpread(_ texts: [String], line: UInt = #line) {
    var counts: [UInt64: Int] = [:]
    for text in texts { counts[Name(text).hash, default: 0] += 1 }
    XCTAssertEqual(Set(texts).count, texts.count, "the texts are not different", line: line)
    // Two of 10,000 collide by chance once in 200,000 million runs.
    XCTAssertEqual(counts.count, texts.count, "hashes of \(texts.count) texts", line: line)
    XCTAssertEqual(counts.values.max(), 1, "the longest chain", line: line)
  }

  private func text(_ words: [String]) -> String {
    // Contiguous, and on the heap whatever its length.
    var text = ""
    text.reserveCapacity(64 + 8 * words.count)
    for word in words { text += word }
    return text
  }

  /// Names were hashed word by word, `hash = (hash ^ word) * constant; hash ^= hash >> 32`, from a
  /// secret start. A flip of a word's uppermost ASCII bit flipped two known bits of the result with
  /// even odds, whatever the secret, and both were ASCII bits: the next word could flip them back.
  /// So each pair of words doubled the texts of one hash: 16,384 texts of fourteen pairs had 471.
  func testTextsWhoseWordsUndoOneAnotherHaveHashesOfTheirOwn() {
    let pairs = 12
    let texts = (0..<1 << pairs).map { choice in
      text(
        (0..<pairs).flatMap { pair in
          choice >> pair & 1 == 0 ? ["abcdefg1", "abc1efg1"] : ["abcdefgq", "abcqefgq"]
        })
    }
    assertSpread(texts)
  }

  /// The same within two words, without even odds: their last bytes undo each other for any secret,
  /// and so some 9,000 texts of sixteen bytes had 256 hashes.
  func testTextsOfTwoWordsThatUndoEachOtherHaveHashesOfTheirOwn() {
    let letters = (33..<127).map { String(Unicode.Scalar(UInt8($0))) }
    assertSpread(
      letters.flatMap { first in
        letters.map { last in text(["abcdefg", first, "abc", last, "efg", last]) }
      })
  }

  func testTextsOfTheSameWordsInAnotherOrderHaveHashesOfTheirOwn() {
    let words = [
      "abcdefgh", "ijklmnop", "qrstuvwx", "yz012345", "6789ABCD", "EFGHIJKL", "MNOPQRST",
    ]
    func orders(_ words: [String]) -> [[String]] {
      if words.isEmpty { return [[]] }
      return words.indices.flatMap { index in
        var others = words
        let first = others.remove(at: index)
        return orders(others).map { [first] + $0 }
      }
    }
    assertSpread(orders(words).map(text))
  }

  /// The last words may overlap those before, so that texts of different lengths have words in
  /// common.
  func testTextsOfOneByteAndDifferentLengthsHaveHashesOfTheirOwn() {
    for byte in ["\0", "\u{1}", "a", "\u{7F}"] {
      assertSpread((0..<500).map { text(Array(repeating: byte, count: $0)) })
    }
  }

  /// The length was mixed with the same bits as the first byte.
  func testTextsWhoseLengthsMakeUpForTheirFirstBytesHaveHashesOfTheirOwn() {
    let first = (0..<128).map { String(Unicode.Scalar(UInt8($0))) }
    assertSpread(
      (0..<64).flatMap { length in
        first.map { text([$0] + Array(repeating: "a", count: length)) }
      })
  }

  func testAnASCIITextHasOneHashHoweverItIsStored() {
    for length in 0...40 {
      let bytes = (0..<length).map { UInt8(ascii: "0") + UInt8($0) }
      let short = String(decoding: bytes, as: UTF8.self)
      var long = short
      long.reserveCapacity(100)
      let part = ("_" + short + "_").dropFirst().dropLast()
      for each in [text([short]), long, String(part), String(Substring(long))] {
        XCTAssertEqual(Name(each).hash, Name(short).hash, "of \(length) bytes")
        XCTAssertEqual(Name(each), Name(short))
      }
      XCTAssertEqual(Name(part).hash, Name(short).hash, "of \(length) bytes")
    }
    XCTAssertEqual(Name("literal").hash, Name(String(decoding: "literal".utf8, as: UTF8.self)).hash)
  }
}
