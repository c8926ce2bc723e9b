// SPDX-License-Identifier: MIT

import Foundation

/// A line on standard error that says what is being done, shown on a terminal only.
///
/// ## Concurrency
/// Safe to use from any thread; the line shows what was written last.
public struct ProgressLine: Sendable {
  private let isShown = isatty(STDERR_FILENO) == 1

  public init() {}

  /// Replaces the line.
  public func show(_ text: String) {
    write("\r\u{1B}[K\(text)")
  }

  /// Removes the line, to be called before something else is printed.
  public func clear() {
    write("\r\u{1B}[K")
  }

  private func write(_ text: String) {
    if isShown { FileHandle.standardError.write(Data(text.utf8)) }
  }
}
