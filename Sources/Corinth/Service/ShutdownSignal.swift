// SPDX-License-Identifier: MIT

#if canImport(Darwin)
  internal import Darwin
#else
  internal import Glibc
#endif

/// A signal that asks a process to end.
///
/// ```swift
/// let service = ContainerService(container, signals: [.terminate])
/// ```
///
/// ## Concurrency
/// A value, safe to use from any thread.
public struct ShutdownSignal: RawRepresentable, Sendable, Hashable {
  /// The number of the signal.
  public let rawValue: Int32

  /// A signal by the number, such as `SIGQUIT`. The number must name a signal that a process can
  /// receive, unlike SIGKILL and SIGSTOP.
  public init(rawValue: Int32) {
    precondition(
      (1..<32).contains(rawValue) && rawValue != SIGKILL && rawValue != SIGSTOP,
      "ShutdownSignal: a process cannot receive a signal of the number \(rawValue)")
    self.rawValue = rawValue
  }

  /// `SIGTERM`, which process managers and `kill` send.
  public static let terminate = Self(rawValue: SIGTERM)

  /// `SIGINT`, which a terminal sends for Control-C.
  public static let interrupt = Self(rawValue: SIGINT)
}
