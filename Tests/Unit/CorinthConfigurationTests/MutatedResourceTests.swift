// SPDX-License-Identifier: MIT

import Corinth
import CorinthConfiguration
import Foundation
import TestSupport
import XCTest

/// Valid files with bytes changed, removed, doubled and moved: each is loaded, or refused with an
/// error that says where. `CORINTH_STRESS=10` makes 10,000 of them.
final class MutatedResourceTests: XCTestCase {
  private struct Settings: Codable {
    struct Database: Codable { var host = "localhost", port = 5_432, ratio = 0.25, tls = true }
    struct Limit: Codable { var name: String, values: [Int] }

    var db = Database()
    var limits = [Limit(name: "a", values: [1, 2, 3]), Limit(name: "é🚢", values: [])]
    var nested = ["a": ["b": ["c": "deep \"quoted\" \\ text\n"]]]
    var password = "hunter2"
  }

  private func mutated(_ data: Data, _ random: inout SeededGenerator) -> Data {
    var bytes = Array(data)
    for _ in 0..<Int.random(in: 1...3, using: &random) {
      let place = Int.random(in: 0..<bytes.count, using: &random)
      let length = min(Int.random(in: 1...8, using: &random), bytes.count - place)
      switch Int.random(in: 0..<6, using: &random) {
      case 0: bytes[place] = UInt8.random(in: 0...255, using: &random)
      case 1: bytes.removeSubrange(place..<(place + length))
      case 2: bytes.insert(contentsOf: bytes[place..<(place + length)], at: place)
      case 3: bytes[place] = bytes.randomElement(using: &random) ?? 0
      case 4:
        bytes.insert(
          contentsOf: Array(#"{}[]",:0eE-.\"#.utf8).shuffled(using: &random).prefix(2), at: place)
      default: bytes = Array(bytes[..<max(1, place)])
      }
      if bytes.isEmpty { bytes = [0x7B] }
    }
    return Data(bytes)
  }

  private func run(_ valid: Data, fileExtension: String, _ count: Int) throws {
    let url = FileManager.default.temporaryDirectory.appending(path: "\(UUID()).\(fileExtension)")
    defer { try? FileManager.default.removeItem(at: url) }
    let count = StressSize.scaled(count)
    var random = SeededGenerator(seed: 7)
    var outcomes: [ConfigurationError.Kind?: Int] = [:]
    for round in 0..<count {
      try mutated(valid, &random).write(to: url)
      let container = Container()
      do {
        try container.register(resource: .file(url).secret("password"))
        outcomes[nil, default: 0] += 1
        for listed in container.registrations where round % 10 == 0 {
          guard let name = listed.key.name?.base as? String else { continue }
          assertHasNoSecret { _ = try container.property(name, as: Int.self) }
          assertHasNoSecret { _ = try container.property(name, as: Settings.Database.self) }
        }
      } catch let error as ConfigurationError {
        outcomes[error.kind, default: 0] += 1
        XCTAssertTrue("\(error)".contains(url.lastPathComponent), "\(round): \(error)")
        XCTAssertFalse("\(error)".contains("hunter2"), "\(round): \(error)")
        XCTAssertEqual(container.registrations.count, 0, "\(round): nothing is half-registered")
      } catch { XCTFail("\(round): \(error)") }
    }
    XCTAssertGreaterThan(outcomes[nil, default: 0], count / 50, "\(outcomes)")
    XCTAssertGreaterThan(outcomes[.malformed, default: 0], count / 4, "\(outcomes)")
  }

  private func assertHasNoSecret(_ body: () throws -> Void) {
    do { try body() } catch { XCTAssertFalse("\(error)".contains("hunter2"), "\(error)") }
  }

  func testMutationsOfJSON() throws {
    try run(JSONEncoder().encode(Settings()), fileExtension: "json", 500)
  }

  func testMutationsOfPropertyLists() throws {
    let encoder = PropertyListEncoder()
    encoder.outputFormat = .xml
    try run(encoder.encode(Settings()), fileExtension: "plist", 300)
    encoder.outputFormat = .binary
    try run(encoder.encode(Settings()), fileExtension: "plist", 200)
    let old = """
      // Settings
      { db = { host = localhost; port = 5432; "ratio" = "0.25"; tls = YES; };
        limits = ( { name = a; values = ( 1, 2, 3 ); }, { name = 'b'; values = (); } ); /* none */
        nested = { a = { b = { c = "deep \\"quoted\\" \\U00e9 text"; }; }; };
        password = hunter2; blob = <0fbd77 1c2735ae>; }
      """
    try run(Data(old.utf8), fileExtension: "plist", 300)
  }
}
