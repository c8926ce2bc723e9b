// SPDX-License-Identifier: MIT

import Foundation

/// A benchmark's results, as they are written beside the text.
public struct Report<Results: Codable & Sendable>: Codable, Sendable {
  public let benchmark: String
  public let date: String
  public let command: [String]
  public let machine: Machine
  public let results: Results

  public init(benchmark: String, results: Results) {
    self.benchmark = benchmark
    date = ISO8601DateFormatter().string(from: Date())
    command = CommandLine.arguments
    machine = .current
    self.results = results
  }

  /// Writes JSON; a file that cannot be written ends the program with a sentence.
  public func write(to path: String) {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    do {
      try encoder.encode(self).write(to: URL(fileURLWithPath: path), options: .atomic)
    } catch {
      fail("Cannot write '\(path)': \(error.localizedDescription)")
    }
  }

  /// Reads what an earlier run wrote; a file that cannot be read ends the program with a sentence.
  public static func read(from path: String) -> Report {
    do {
      let data = try Data(contentsOf: URL(fileURLWithPath: path))
      return try JSONDecoder().decode(Report.self, from: data)
    } catch {
      fail("Cannot read '\(path)' as a report of this benchmark: \(error)")
    }
  }
}
