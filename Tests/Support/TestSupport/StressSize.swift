// SPDX-License-Identifier: MIT

import Foundation

/// How much the concurrent and the randomized tests do.
///
/// The environment variable `CORINTH_STRESS` multiplies the size; without the variable, stress
/// tests take seconds.
public enum StressSize {
  public static let multiplier: Double = {
    guard let text = ProcessInfo.processInfo.environment["CORINTH_STRESS"] else { return 1 }
    guard let multiplier = Double(text), multiplier > 0 else {
      preconditionFailure("CORINTH_STRESS: '\(text)' must be a number above 0")
    }
    return multiplier
  }()

  /// `count` times the multiplier, at least 1.
  public static func scaled(_ count: Int) -> Int {
    max(1, Int(Double(count) * multiplier))
  }

  /// `count` times the multiplier, with a sanitizer `sanitized` times the multiplier.
  public static func scaled(_ count: Int, sanitized: Int) -> Int {
    scaled(isSanitized ? sanitized : count)
  }
}
