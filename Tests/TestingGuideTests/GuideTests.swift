// SPDX-License-Identifier: MIT

import Foundation
import Testing

/// Compares the guide Testing with the files of this target, which are compiled and run.
struct GuideTests {
  private static let folder = URL(filePath: #filePath).deletingLastPathComponent()

  private static func text(_ path: String) throws -> String {
    try String(contentsOf: folder.appending(path: path), encoding: .utf8)
  }

  /// The lines, without indentation and empty ones.
  private static func lines(of text: some StringProtocol) -> String {
    text.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
      .filter { !$0.isEmpty }.joined(separator: "\n")
  }

  @Test func eachSampleOfTheGuideIsCompiled() throws {
    let guide = try Self.text("../../Sources/Corinth/Corinth.docc/Guides/Testing.md")
    let compiled = try ["SwiftTestingSamples.swift", "XCTestSamples.swift"].map {
      Self.lines(of: try Self.text($0))
    }
    let samples = guide.components(separatedBy: "```swift\n").dropFirst()
      .compactMap { $0.components(separatedBy: "```").first }
    #expect(samples.count > 5)
    for sample in samples {
      let lines = Self.lines(of: sample)
      #expect(compiled.contains { $0.contains(lines) }, "not compiled:\n\(sample)")
    }
  }
}
