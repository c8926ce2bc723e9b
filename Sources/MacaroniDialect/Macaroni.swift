// SPDX-License-Identifier: MIT

internal import Corinth
internal import DialectSupport

/// The settings of the library, for the whole process. Any thread may read and change the settings.
public enum Macaroni {
  /// Gets messages; by default, a logger that prints.
  public static var logger: any MacaroniLogger {
    get { sharedLogger.value }
    set { sharedLogger.value = newValue }
  }

  /// Sets ``Container/lookupPolicy``.
  public static func set(lookupPolicy: any ContainerLookupPolicy) {
    Container.lookupPolicy = lookupPolicy
  }

  /// Sets ``logger``.
  public static func set(logger: any MacaroniLogger) { self.logger = logger }

  private static let sharedLogger = SharedValue<any MacaroniLogger>(SimpleMacaroniLogger())
}

/// A place in the program, for messages.
struct Site: Sendable {
  let file: StaticString
  let function: String
  let line: UInt

  init(_ file: StaticString, _ function: String, _ line: UInt) {
    self.file = file
    self.function = function
    self.line = line
  }

  func log(_ message: @autoclosure () -> String, _ level: MacaroniLoggingLevel = .debug) {
    let logger = Macaroni.logger
    if logger is DisabledMacaroniLogger { return }
    logger.log(message(), level: level, file: file, function: function, line: line)
  }

  /// Logs a fault, and ends the program by the logger.
  func die(_ message: String) -> Never {
    log(message, .error)
    // The logger may park the thread, in the middle of a closure that a container runs.
    Corinth.Container.abandonResolves {
      Macaroni.logger.die(message, file: file, function: function, line: line)
    }
  }
}
