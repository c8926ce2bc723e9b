// SPDX-License-Identifier: MIT

import BenchmarkSupport

/// The cost of one service in a program of `count` services.
struct Measurement: Codable, Sendable {
  /// Kilobytes of text for a service.
  static let sizeBudget = 1.4
  /// The limit of the ratio to the compile time of hand-written code.
  static let timeBudget = 3.5

  let count: Int
  let milliseconds: [ServiceProgram: Double]
  let kilobytes: [ServiceProgram: Double]

  init(count: Int, outputs: [ServiceProgram: Compiler.Output]) {
    self.count = count
    milliseconds = outputs.mapValues { $0.milliseconds / Double(count) }
    kilobytes = outputs.mapValues { Double($0.bytes) / 1024 / Double(count) }
  }

  private var timeRatio: Double {
    (milliseconds[.corinth] ?? 0) / (milliseconds[.byHand] ?? 1)
  }

  /// Equal on all machines with equal toolchains.
  var isTooLarge: Bool { (kilobytes[.corinth] ?? 0) > Self.sizeBudget }

  static let titles =
    ["services", "ms by hand", "ms", "ratio", "budget", "verdict"]
    + ["KB by hand", "KB", "budget", "verdict", "ms using:", "KB using:"]

  var cells: [String] {
    [
      "\(count)", text(milliseconds[.byHand], 1), text(milliseconds[.corinth], 1),
      text(timeRatio, 2), text(Self.timeBudget, 2), timeRatio > Self.timeBudget ? "over" : "ok",
      text(kilobytes[.byHand], 2), text(kilobytes[.corinth], 2), text(Self.sizeBudget, 2),
      isTooLarge ? "over" : "ok", text(milliseconds[.wired], 1), text(kilobytes[.wired], 2),
    ]
  }

  private func text(_ number: Double?, _ decimals: Int) -> String {
    number.map { String($0, decimals: decimals) } ?? "-"
  }
}
