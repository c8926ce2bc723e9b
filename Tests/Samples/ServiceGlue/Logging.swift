// SPDX-License-Identifier: MIT

import Synchronization

// A stand-in: what the manual's glue uses of the package swift-log.

public struct Logger: Sendable {
  public struct Message: ExpressibleByStringInterpolation, Sendable {
    let text: String

    public init(stringLiteral value: String) {
      text = value
    }
  }

  private static let texts = Mutex<[String]>([])

  public init(label: String) {}

  public func error(_ message: @autoclosure () -> Message) {
    let text = message().text
    Self.texts.withLock { $0.append(text) }
  }

  /// What all loggers have been told since the last call. For the drivers.
  public static func takeTexts() -> [String] {
    texts.withLock { texts in
      defer { texts = [] }
      return texts
    }
  }
}
