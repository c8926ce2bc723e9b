// SPDX-License-Identifier: MIT

/// Logs the events of a container's registrations, through a logging library of your choice or to
/// the standard error stream.
///
/// ```swift
/// container.add(LoggingBehavior())
/// container.add(
///   LoggingBehavior { level, message in
///     logger.log(level: level == .error ? .error : .debug, "\(message())")
///   })
/// ```
///
/// ## Concurrency
/// As safe as the log function, which is called from any thread, with no lock held. The function's
/// use of the container causes no events, except in tasks that the function starts.
public struct LoggingBehavior: Behavior {
  /// The importance of a message.
  public enum Level: Sendable, Comparable, CaseIterable {
    /// Every resolve.
    case trace
    /// Registrations, constructions, disposals.
    case debug
    /// Undisposed instances.
    case warning
    /// Failed resolves.
    case error
  }

  public let events: BehaviorEvents
  public let measuresTimes: Bool
  private let log: @Sendable (Level, () -> String) -> Void

  /// - Parameters:
  ///   - events: the logged events; all but resolves when left out, since logged resolves take the
  ///     slow path.
  ///   - measuresTimes: whether the message of a construction has the duration, for which
  ///     constructions read the clock.
  ///   - log: logs a message, which is made on demand; writes to the standard error stream when
  ///     left out.
  public init(
    events: BehaviorEvents = .all.subtracting(.resolution), measuresTimes: Bool = true,
    log: (@Sendable (_ level: Level, _ message: () -> String) -> Void)? = nil
  ) {
    self.events = events
    self.measuresTimes = measuresTimes
    // No operator, which would wrap the closure in another one.
    if let log {
      self.log = log
    } else {
      self.log = { StandardError.write("corinth \($0): \($1())") }
    }
  }

  public func didRegister<Product>(
    type: Product.Type, to container: Container, as registration: Registration<Product>,
    with name: String?
  ) {
    log(.debug) { "\(registration.key) is registered at \(registration.location)" }
  }

  public func didResolve(_ key: RegistrationKey, as instance: Any, in container: Container) {
    log(.trace) { "\(key) was resolved" }
  }

  public func didFail(
    _ key: RegistrationKey, with error: ResolutionError, in container: Container
  ) {
    log(.error) { "\(error)" }
  }

  public func didBuild(_ key: RegistrationKey, in duration: Duration, container: Container) {
    log(.debug) { Self.message(key, duration, measuresTimes) }
  }

  public func didDispose(_ key: RegistrationKey) {
    log(.debug) { "\(key) was disposed of" }
  }

  public func didLeaveUndisposed(_ report: UndisposedReport) {
    log(.warning) { "\(report)" }
  }
}

extension LoggingBehavior: DirectBehavior {
  func didBuild(_ record: RegistrationRecord, _ nanoseconds: UInt64) {
    log(.debug) { Self.message(record.key, Duration(nanoseconds), measuresTimes) }
  }

  private static func message(
    _ key: RegistrationKey, _ duration: Duration, _ measuresTimes: Bool
  ) -> String {
    measuresTimes ? "\(key) was built in \(duration)" : "\(key) was built"
  }
}
