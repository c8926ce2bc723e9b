// SPDX-License-Identifier: MIT

import CConcurrencyKit
import Foundation

/// The machine and the versions behind a report.
public struct Machine: Codable, Sendable {
  public let processor: String
  public let cores: Int
  public let kernel: String
  public let swift: String
  public let libck: String

  /// The machine that the program runs on.
  public static let current = Machine()

  private init() {
    processor = Self.processorName() ?? Self.unknown
    cores = ProcessInfo.processInfo.activeProcessorCount
    kernel = Self.kernelVersion() ?? Self.unknown
    swift = Self.swiftVersion() ?? Self.unknown
    libck = CK_VERSION
  }

  private static let unknown = "unknown"

  /// The numbers of threads to measure with: 1, 2, 4, ... and all cores.
  public var threadCounts: [Int] {
    Array(sequence(first: 1) { $0 * 2 }.prefix { $0 < cores }) + [cores]
  }

  /// One line for the head of a report.
  public var text: String {
    "\(processor), \(cores) cores, \(kernel), Swift \(swift), libck \(libck)"
  }

  /// Without what a distributor has added to the number.
  private static func kernelVersion() -> String? {
    output(of: "uname", "-sr")?.split(separator: "-").first.map(String.init)
  }

  private static func processorName() -> String? {
    guard let information = try? String(contentsOfFile: "/proc/cpuinfo", encoding: .utf8) else {
      return output(of: "sysctl", "-n", "machdep.cpu.brand_string")
    }
    let line = information.split(separator: "\n").first { $0.hasPrefix("model name") }
    return line?.split(separator: ":").last?.trimmingCharacters(in: .whitespaces)
  }

  /// The version of the first toolchain on the path, which has most likely built this program.
  private static func swiftVersion() -> String? {
    let words = output(of: "swift", "--version")?.split(separator: " ") ?? []
    guard let index = words.firstIndex(of: "version"), index + 1 < words.endIndex else {
      return nil
    }
    return String(words[index + 1])
  }
}

/// The first line of a command's output; `nil` if the command is missing or fails.
private func output(of command: String...) -> String? {
  guard let result = try? run(command), result.status == 0 else { return nil }
  return result.output.split(separator: "\n").first.map(String.init)
}
