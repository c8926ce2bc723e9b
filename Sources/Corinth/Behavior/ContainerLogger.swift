// SPDX-License-Identifier: MIT

/// Takes the messages of a ``LoggingBehavior``, for the logging library of your choice.
///
/// ```swift
/// struct SwiftLogLogger: ContainerLogger {
///   let logger: Logging.Logger
///   func log(_ level: ContainerLogLevel, _ message: @autoclosure () -> String) {
///     logger.log(level: level == .error ? .error : .debug, "\(message())")
///   }
/// }
/// ```
///
/// ## Concurrency
/// Called from any thread, with no lock held.
public protocol ContainerLogger: Sendable {
  /// Logs a message.
  ///
  /// - Parameters:
  ///   - level: how much it matters.
  ///   - message: the text, made only if it is asked for.
  func log(_ level: ContainerLogLevel, _ message: @autoclosure () -> String)
}

/// How much a message matters.
public enum ContainerLogLevel: Int, Sendable, Comparable, CaseIterable {
  /// Each resolve.
  case trace
  /// Registrations, constructions, disposals.
  case debug
  /// Instances that were dropped without being disposed of.
  case warning
  /// Resolves that failed.
  case error

  public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}

/// Writes messages to the standard error stream, a line or several each.
public struct StandardErrorLogger: ContainerLogger {
  private let level: ContainerLogLevel

  /// - Parameter level: the least level that is written.
  public init(from level: ContainerLogLevel = .debug) {
    self.level = level
  }

  public func log(_ level: ContainerLogLevel, _ message: @autoclosure () -> String) {
    if level >= self.level { StandardError.write("corinth \(level): \(message())") }
  }
}
