// SPDX-License-Identifier: MIT

import Foundation
import Testing

/// Compares samples of guides with code that is compiled. `Scripts/check-service-glue` compiles
/// those of Running a service.
struct GuideTests {
  private static let package = URL(filePath: #filePath)
    .deletingLastPathComponent().appending(path: "../../..")

  private static func text(_ path: String) throws -> String {
    try String(contentsOf: package.appending(path: path), encoding: .utf8)
  }

  /// The lines, without indentation and empty ones.
  private static func lines(of text: some StringProtocol) -> [String] {
    text.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
      .filter { !$0.isEmpty }
  }

  /// What stands between a line that opens a Swift block and the line that closes it.
  private static func samples(of guide: String) throws -> [String] {
    let samples = guide.components(separatedBy: "\n```swift\n").dropFirst()
      .compactMap { $0.components(separatedBy: "\n```\n").first }
    #expect(samples.count == guide.matches(of: /(```|~~~) *swift/.ignoresCase()).count)
    return samples
  }

  @Test(arguments: [
    (
      "Testing",
      [
        "Tests/Samples/TestingGuideTests/SwiftTestingSamples.swift",
        "Tests/Samples/TestingGuideTests/XCTestSamples.swift",
      ]
    ),
    ("Validation", ["Snippets/Validation.swift"]),
  ])
  func eachSampleOfTheGuideIsCompiled(guide: String, files: [String]) throws {
    let samples = try Self.samples(of: Self.text("Sources/Corinth/Corinth.docc/Guides/\(guide).md"))
    let compiled = try files.map { Self.lines(of: try Self.text($0)) }
    #expect(samples.count > 4)
    for sample in samples {
      let lines = Self.lines(of: sample)
      #expect(compiled.contains { $0.contains(lines) }, "not compiled:\n\(sample)")
    }
  }
}
