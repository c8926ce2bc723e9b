// SPDX-License-Identifier: MIT

internal import Corinth

/// The severity of a message.
public enum MacaroniLoggingLevel: Equatable, Sendable {
  /// An event: a container was made, something was registered or injected.
  case debug
  /// A fault.
  case error
}

/// Gets the messages of the library, and ends the program. Called on the thread concerned, with no
/// lock held.
public protocol MacaroniLogger {
  /// Gets a message.
  func log(
    _ message: String, level: MacaroniLoggingLevel, file: StaticString, function: String, line: UInt
  )
  /// Gets the last message. The function may park its thread for ever: other threads continue.
  func die(_ message: String, file: StaticString, function: String, line: UInt) -> Never
}

/// Prints messages to the standard error stream, where upstream prints to standard output.
public final class SimpleMacaroniLogger: MacaroniLogger, Sendable {
  /// A logger that prints.
  public init() {}

  /// Prints the message.
  public func log(
    _ message: String, level: MacaroniLoggingLevel, file: StaticString, function: String, line: UInt
  ) {
    StandardError.write("\(level == .error ? "error: " : "")\(message) (\(file):\(line))")
  }

  /// Ends the program with the message.
  public func die(_ message: String, file: StaticString, function: String, line: UInt) -> Never {
    fatalError(message, file: file, line: line)
  }
}

/// Prints nothing.
public final class DisabledMacaroniLogger: MacaroniLogger, Sendable {
  /// A logger that does not print.
  public init() {}

  /// Ignores the message.
  public func log(
    _ message: String, level: MacaroniLoggingLevel, file: StaticString, function: String, line: UInt
  ) {}

  /// Ends the program with the message.
  public func die(_ message: String, file: StaticString, function: String, line: UInt) -> Never {
    fatalError(message, file: file, line: line)
  }
}
