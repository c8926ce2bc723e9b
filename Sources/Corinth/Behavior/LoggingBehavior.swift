// SPDX-License-Identifier: MIT

/// Logs the events of a container's registrations.
///
/// ```swift
/// container.add(LoggingBehavior(StandardErrorLogger()))
/// ```
///
/// ## Concurrency
/// As safe as its logger.
public struct LoggingBehavior<Logger: ContainerLogger>: Behavior {
  public let events: BehaviorEvents
  private let logger: Logger

  /// - Parameters:
  ///   - logger: takes the messages.
  ///   - events: the events that are logged; all but resolves when left out, since these would then take the slow
  ///     path.
  public init(_ logger: Logger, events: BehaviorEvents = .all.subtracting(.resolution)) {
    self.logger = logger
    self.events = events
  }

  public func didRegister<Product>(
    type: Product.Type, to container: Container, as registration: Registration<Product>,
    with name: String?
  ) {
    logger.log(.debug, "\(registration.key) is registered at \(registration.location)")
  }

  public func didResolve(_ key: RegistrationKey, as instance: Any, in container: Container) {
    logger.log(.trace, "\(key) was resolved")
  }

  public func didFail(
    _ key: RegistrationKey, with error: ResolutionError, in container: Container
  ) {
    logger.log(.error, "\(error)")
  }

  public func didBuild(_ key: RegistrationKey, in duration: Duration, container: Container) {
    logger.log(.debug, "\(key) was built in \(duration)")
  }

  public func didDispose(_ key: RegistrationKey) {
    logger.log(.debug, "\(key) was disposed of")
  }

  public func didDropUndisposed(_ report: DropReport) {
    logger.log(.warning, "\(report)")
  }
}
