// SPDX-License-Identifier: MIT

import Corinth
import CorinthConfiguration
import Foundation
import TestSupport
import XCTest

/// Files that are made to hurt: each is refused before the platform's decoder sees it, with the
/// place.
///
/// The decoders of the platforms end the process for JSON of 512 levels and for XML of 20,000, and
/// take minutes for a binary property list of a hundred bytes.
final class HostileResourceTests: XCTestCase {
  override func setUpWithError() throws { try skipUnderThreadSanitizer() }

  private let container = Container()

  private func assertRefused(
    _ kind: ConfigurationError.Kind, _ parts: String..., of content: [UInt8],
    in fileExtension: String = "plist", line: UInt = #line
  ) throws {
    let url = FileManager.default.temporaryDirectory.appending(path: "\(UUID()).\(fileExtension)")
    defer { try? FileManager.default.removeItem(at: url) }
    try Data(content).write(to: url)
    XCTAssertThrowsError(try container.register(resource: url), line: line) { error in
      XCTAssertEqual((error as? ConfigurationError)?.kind, kind, "\(error)", line: line)
      for part in parts + [url.lastPathComponent] {
        XCTAssertTrue("\(error)".contains(part), "\(error)", line: line)
      }
      XCTAssertLessThan("\(error)".utf8.count, 1_000, line: line)
    }
    XCTAssertEqual(container.registrations.count, 0, line: line)
  }

  private func assertRefusedJSON(
    _ kind: ConfigurationError.Kind, _ part: String, line: UInt = #line, _ text: String
  ) throws {
    try assertRefused(kind, part, of: Array(text.utf8), in: "json", line: line)
  }

  private func assertRefusedList(
    _ kind: ConfigurationError.Kind, _ part: String, line: UInt = #line, _ text: String
  ) throws {
    try assertRefused(kind, part, of: Array(text.utf8), line: line)
  }

  private func load(_ content: [UInt8], in fileExtension: String = "plist") throws -> Container {
    let url = FileManager.default.temporaryDirectory.appending(path: "\(UUID()).\(fileExtension)")
    defer { try? FileManager.default.removeItem(at: url) }
    try Data(content).write(to: url)
    let container = Container()
    try container.register(resource: url)
    return container
  }

  private func list(_ content: String, before: String = "") -> String {
    "<?xml version=\"1.0\"?>\(before)<plist version=\"1.0\"><dict>\(content)</dict></plist>"
  }

  private func times(_ count: Int, _ text: String) -> String {
    String(repeating: text, count: count)
  }

  // MARK: - Depth

  func testDepthsAroundEachLimitOfADecoder() throws {
    for depth in [64, 65, 511, 512, 513, 20_000, 300_000] {
      try assertRefusedJSON(.malformed, "deeper than 64", "{\"a\":" + times(depth, "[") + "1")
      let objects = times(depth + 1, "{\"a\":") + "1" + times(depth + 1, "}")
      try assertRefusedJSON(.malformed, "deeper than 64", objects)
      let arrays = times(depth, "<array>") + "<true/>" + times(depth, "</array>")
      try assertRefusedList(.malformed, "deeper than 64", list("<key>a</key>" + arrays))
      let old = "{ a = " + times(depth, "(") + "1" + times(depth, ")") + "; }"
      try assertRefusedList(.malformed, "deeper than 64", old)
      try assertRefusedList(.malformed, "deeper than 64", "a = " + times(depth, "{ a = "))
      try assertRefusedList(.malformed, "deeper than 64", times(depth + 3, "<plist>"))
    }
    try assertRefusedJSON(
      .malformed, "line 3, in db.hosts", "{\"db\":\n{\"hosts\":\n" + times(70, "["))
  }

  func testTheDeepestThatIsAllowedIsRead() throws {
    let json = "{\"a\":" + times(63, "[") + "1" + times(63, "]") + "}"
    XCTAssertEqual(try load(Array(json.utf8), in: "json").registrations.count, 1)
    let arrays = times(63, "<array>") + "<true/>" + times(63, "</array>")
    XCTAssertEqual(try load(Array(list("<key>a</key>" + arrays).utf8)).registrations.count, 1)
    let old = "{ a = " + times(63, "(") + "1" + times(63, ")") + "; }"
    XCTAssertEqual(try load(Array(old.utf8)).registrations.count, 1)
  }

  func testDepthInOtherEncodings() throws {
    let deep = "{\"a\":" + times(600, "[")
    let xml = list("<key>a</key>" + times(20_000, "<array>"))
    for encoding in [
      String.Encoding.utf16BigEndian, .utf16LittleEndian, .utf32BigEndian, .utf32LittleEndian,
      .utf16,
    ] {
      let json = try XCTUnwrap(deep.data(using: encoding))
      try assertRefused(.malformed, "deeper than 64", of: Array(json), in: "json")
      let data = try XCTUnwrap(xml.data(using: encoding))
      try assertRefused(.malformed, "deeper than 64", of: Array(data))
    }
    let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
    try assertRefused(.malformed, "deeper than 64", of: mark + Array(deep.utf8), in: "json")
    let names = try load(mark + Array("{\"a\": 1}".utf8), in: "json").registrations
    XCTAssertEqual(names.count, 1)
  }

  func testDepthInTheEnvironment() throws {
    // The text of a variable is JSON if the reader wants a number, and its name is a path.
    let resource = Resource.environment(prefix: "E_", variables: ["E_A": times(511, "[")])
    try container.register(resource: resource)
    XCTAssertThrowsError(try container.property("a", as: Int.self))
    let deep = Resource.environment(
      prefix: "E_", variables: ["E_" + times(50_000, "B_") + "C": "1"])
    XCTAssertThrowsError(try container.register(resource: deep)) { error in
      XCTAssertTrue("\(error)".contains("deeper than 64"), "\(error)")
    }
  }

  // MARK: - XML

  func testEntitiesOfADocumentsOwnAreRefused() throws {
    let laughs = "<!DOCTYPE plist [<!ENTITY a \"ha\"><!ENTITY b \"&a;&a;\">]>"
    try assertRefusedList(
      .malformed, "entities", list("<key>a</key><string>&b;</string>", before: laughs))
    try assertRefusedList(.malformed, "bracket", "<plist a=\"></plist><dict>\">")
    try assertRefusedList(
      .malformed, "encoding", "<?xml version=\"1.0\" encoding=\"UTF-7\"?>+ADw-plist+AD4-")
    try assertRefusedList(
      .malformed, "encoding", "<?xml encoding=\"utf-8\" encoding='hz-gb-2312'?><plist/>")
  }

  func testWhatIsNotAnElementDoesNotCount() throws {
    let before = """
      <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
      <!-- \(times(100, "<array>")) -->
      """
    let text = "<![CDATA[\(times(100, "<array>"))]]>"
    let content = "<key>a</key><string>\(text)</string><key>b</key><string>&lt;array&gt;</string>"
    let loaded = try load(Array(list(content, before: before).utf8))
    XCTAssertEqual(try loaded.property("a", as: String.self), times(100, "<array>"))
    XCTAssertEqual(try loaded.property("b", as: String.self), "<array>")
  }

  // MARK: - Old property lists

  func testWhatAnOldListQuotesDoesNotCount() throws {
    let content = """
      // \(times(100, "("))
      { a = "\\"\(times(100, "("))"; 'b' = /path//to/((.txt; /* \(times(100, "{")) */ }
      """
    try assertRefusedList(.malformed, "line", content)
    let valid = content.replacing("((.txt", with: "file.txt")
    XCTAssertEqual(try load(Array(valid.utf8)).property("b", as: String.self), "/path//to/file.txt")
    // A decoder may take the separator for the end of the comment.
    let hidden = "// \u{2028} { a = \(times(20_000, "("))"
    try assertRefusedList(.malformed, "separator", hidden)
    try assertRefusedList(.malformed, "zero", "{ a = \0(\0; }")
  }

  // MARK: - Binary property lists

  private func number(_ value: Int, _ size: Int) -> [UInt8] {
    (0..<size).reversed().map { UInt8((value >> ($0 * 8)) & 0xFF) }
  }

  /// A binary property list of objects, the first of which is on top.
  private func binary(_ objects: [[UInt8]], at places: [Int]? = nil) -> [UInt8] {
    var bytes = Array("bplist00".utf8)
    var offsets: [Int] = []
    for object in objects {
      offsets.append(bytes.count)
      bytes += object
    }
    let table = bytes.count
    bytes += (places ?? offsets).flatMap { number($0, 4) }
    bytes += [0, 0, 0, 0, 0, 0, 4, 1]
    return bytes + number((places ?? offsets).count, 8) + number(0, 8) + number(table, 8)
  }

  func testABombOfReferencesIsRefused() throws {
    for levels in [18, 24, 62] {
      var objects: [[UInt8]] = [[0xD1, 1, 2], [0x51, 0x61]]
      for level in 2..<(2 + levels) { objects.append([0xA2, UInt8(level + 1), UInt8(level + 1)]) }
      try assertRefused(.malformed, "more than 200000", "byte", of: binary(objects + [[0x09]]))
    }
    // Few values, and much text.
    let text: [UInt8] = [0x5F, 0x12] + number(1 << 20, 4) + Array(repeating: 0x61, count: 1 << 20)
    let all: [UInt8] = [0xAF, 0x10, 200] + Array(repeating: 3, count: 200)
    try assertRefused(.malformed, "64 MiB", of: binary([[0xD1, 1, 2], [0x51, 0x61], all, text]))
  }

  func testACircleOfReferencesIsRefused() throws {
    try assertRefused(
      .malformed, "refers to itself", "in a",
      of: binary([[0xD1, 1, 2], [0x51, 0x61], [0xA1, 2]]))
    try assertRefused(.malformed, "refers to itself", of: binary([[0xD1, 1, 0], [0x51, 0x61]]))
    try assertRefused(
      .malformed, "refers to itself",
      of: binary([[0xD1, 1, 2], [0x51, 0x61], [0xA1, 3], [0xD1, 1, 2]]))
  }

  func testADeepBinaryListIsRefused() throws {
    for depth in [65, 100, 250] {
      var objects: [[UInt8]] = [[0xD1, 1, 2], [0x51, 0x61]]
      for level in 2..<(2 + depth) { objects.append([0xA1, UInt8(level + 1)]) }
      // Ends with a byte that stands for true.
      try assertRefused(.malformed, "deeper than 64", "in a", of: binary(objects + [[0x09]]))
    }
  }

  func testObjectsThatOverlapAreReadBoundedly() throws {
    // Each of a thousand objects is the same array of a thousand references to others.
    let array: [UInt8] = [0xAF, 0x11] + number(1_000, 2) + (0..<1_000).map { UInt8(2 + $0 % 254) }
    let top: [UInt8] = [0xD1, 1, 2]
    let places = [8, 11] + Array(repeating: 13, count: 998)
    try assertRefused(
      .malformed, "refers to itself", of: binary([top, [0x51, 0x61], array], at: places))
  }

  func testLengthsAndPlacesBehindTheEndAreRefused() throws {
    let huge: [UInt8] = [0xAF, 0x13] + Array(repeating: 0xFF, count: 8)
    try assertRefused(.malformed, "cut off", of: binary([[0xD1, 1, 2], [0x51, 0x61], huge]))
    try assertRefused(
      .malformed, "length", of: binary([[0xD1, 1, 2], [0x51, 0x61], [0x5F, 0x09]]))
    try assertRefused(.malformed, "not there", of: binary([[0xD1, 1, 9], [0x51, 0x61]]))
    try assertRefused(.malformed, "byte", of: Array("bplist00".utf8))
    try assertRefused(
      .malformed, "byte", of: Array("bplist00".utf8) + Array(repeating: 0xFF, count: 32))
    try assertRefused(.malformed, "byte", of: Array("bplist=((((".utf8))
  }

  // MARK: - Keys

  func testAKeyTwiceIsRefusedInEachFormat() throws {
    // The decoders take one of the two without a word, and leave a section out.
    try assertRefusedJSON(.conflicting, "\"a\" twice", #"{"a":1,"a":2}"#)
    try assertRefusedJSON(.conflicting, "line 2", "{\"db\":{\"port\":1},\n\"db\":{\"host\":\"h\"}}")
    try assertRefusedJSON(.conflicting, "\"a\" twice", #"{"a":1,"\u0061":2}"#)
    try assertRefusedJSON(.conflicting, "\"b\" twice in a", #"{"a":{"b":[{"b":1}],"b":2}}"#)
    try assertRefusedJSON(.conflicting, "é", "{\"e\u{301}\":1,\"\u{E9}\":2}")
    try assertRefusedList(
      .conflicting, "\"a\" twice", list("<key>a</key><true/><key>b</key><true/><key>a</key><true/>")
    )
    try assertRefusedList(
      .conflicting, "\"a\" twice",
      list("<key>a</key><true/><key>&#97;</key><true/><key><![CDATA[a]]></key><true/>"))
    try assertRefusedList(.conflicting, "\"a\" twice", "{ a = 1; \"a\" = 2; }")
    try assertRefusedList(.conflicting, "\"a\" twice in b", "b = { a = 1; \"\\141\" = 2; };")
    try assertRefused(
      .conflicting, "\"a\" twice",
      of: binary([[0xD2, 1, 2, 3, 3], [0x51, 0x61], [0x51, 0x61], [0x09]]))
    try assertRefused(
      .conflicting, "\"a\" twice",
      of: binary([[0xD2, 1, 2, 3, 3], [0x51, 0x61], [0x61, 0, 0x61], [0x09]]))
  }

  func testKeysOfDifferentSectionsMayBeEqual() throws {
    let json = #"{"a":{"a":1,"b":["a","a",{"a":2},{"a":3}]},"b":{"a":"a"}}"#
    XCTAssertEqual(try load(Array(json.utf8), in: "json").property("a.a", as: Int.self), 1)
    let encoder = PropertyListEncoder()
    let value = ["a": ["a": ["a"], "b": ["a", "b"]], "b": ["a": ["b"]]]
    for format in [PropertyListSerialization.PropertyListFormat.xml, .binary] {
      encoder.outputFormat = format
      let loaded = try load(Array(encoder.encode(value)))
      XCTAssertEqual(try loaded.property("a.b", as: [String].self), ["a", "b"])
    }
  }

  // MARK: - Sizes

  func testTooManyValuesAndTooLongNamesAreRefused() throws {
    try assertRefusedJSON(.malformed, "more than 200000", "{\"a\":[" + times(200_000, "1,") + "1]}")
    try assertRefusedList(
      .malformed, "more than 200000", list("<key>a</key><array>" + times(200_000, "<true/>")))
    try assertRefusedList(
      .malformed, "more than 200000", "{ a = (" + times(200_000, "1,") + "1); }")
    try assertRefusedJSON(.malformed, "longer than 1024", "{\"\(times(5_000, "a"))\": 1}")
    let long = times(500, "a")
    try assertRefusedJSON(
      .malformed, "longer than 1024", "{\"\(long)\": {\"\(long)\": {\"\(long)\": 1}}}")
    try assertRefusedJSON(
      .conflicting, "twice", "{\"\(times(90_000, "a"))\":1,\"\(times(90_000, "a"))\":2}")
  }

  // MARK: - Generated

  /// Random programs of the pieces that each format is made of. Most are refused; none ends the
  /// process or takes long.
  func testGeneratedFilesOfEachFormat() throws {
    let json = [
      "{", "}", "[", "]", ":", ",", "\"a\"", "\"b", "\\", "1", "-", "1e999", "null", "\u{0}", " ",
      "\\u0061", "//",
    ]
    let xml = [
      "<dict>", "</dict>", "<array>", "</array>", "<key>", "</key>", "a", "<true/>", "<![CDATA[",
      "]]>",
      "<!--", "-->", "&lt;", "&#x41;", "&", "<!DOCTYPE a>", "<string>", "</string>", "<data>",
      "</data>",
      "<plist>", "</plist>", "<date>", "\"", "'", "<integer>", "</integer>", "<?xml", "?>", "<",
      ">",
    ]
    let old = [
      "{", "}", "(", ")", "=", ";", ",", "a", "\"", "'", "\\", "<", ">", "0f", "//", "/*", "*/",
      "\n",
      "\u{2028}", "\\U0061", "é",
    ]
    var random = SeededGenerator(seed: 11)
    for round in 0..<StressSize.scaled(1_000) {
      let pieces = [json, xml, old][round % 3]
      var text = ["{", "<plist><dict><key>a</key>", "{ a = "][round % 3]
      for _ in 0..<Int.random(in: 0..<40, using: &random) {
        let piece = pieces.randomElement(using: &random) ?? ""
        let isMany = Int.random(in: 0..<40, using: &random) == 0
        text += times(isMany ? Int.random(in: 1...3_000, using: &random) : 1, piece)
      }
      assertLoadedOrRefused(Array(text.utf8), in: round % 3 == 0 ? "json" : "plist", round)
    }
  }

  /// Objects of random markers that refer to each other at random.
  func testGeneratedBinaryLists() throws {
    var random = SeededGenerator(seed: 12)
    for round in 0..<StressSize.scaled(1_000) {
      let count = Int.random(in: 3...20, using: &random)
      var objects: [[UInt8]] = []
      for _ in 0..<count {
        let marker = UInt8(
          [0x0, 0x1, 0x2, 0x3, 0x4, 0x5, 0x6, 0x8, 0xA, 0xA, 0xD, 0xD, 0xD].randomElement(
            using: &random) ?? 0)
        let size = UInt8.random(in: 0...(round % 10 == 0 ? 15 : 4), using: &random)
        let content = (0..<Int(size) * 2).map { _ in
          UInt8.random(in: 0..<UInt8(count), using: &random)
        }
        objects.append([marker << 4 | size] + content)
      }
      objects[0] = [0xD1, 1, 2]
      objects[1] = [0x51, 0x61]
      assertLoadedOrRefused(binary(objects), in: "plist", round)
    }
  }

  private func assertLoadedOrRefused(_ content: [UInt8], in fileExtension: String, _ round: Int) {
    do { _ = try load(content, in: fileExtension) } catch {
      XCTAssertTrue(error is ConfigurationError, "\(round): \(error)")
    }
  }
}
