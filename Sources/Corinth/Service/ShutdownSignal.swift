// SPDX-License-Identifier: MIT

internal import Dispatch

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
public struct ShutdownSignal: RawRepresentable, Sendable, Hashable {
  /// The number of the signal.
  public let rawValue: Int32

  /// A signal by its number, such as `SIGQUIT`.
  public init(rawValue: Int32) {
    self.rawValue = rawValue
  }

  /// `SIGTERM`, which process managers and `kill` send.
  public static let terminate = Self(rawValue: SIGTERM)

  /// `SIGINT`, which a terminal sends for Control-C.
  public static let interrupt = Self(rawValue: SIGINT)

  /// Receives signals instead of the process, which they would end. It goes on to ignore them when the stream has ended.
  ///
  /// - Returns: an element for each signal that comes from now on.
  static func receive(_ signals: Set<ShutdownSignal>) async -> AsyncStream<Void> {
    let (stream, continuation) = AsyncStream.makeStream(of: Void.self)
    let sources = signals.map { SignalSource($0) { continuation.yield() } }
    continuation.onTermination = { _ in for source in sources { source.end() } }
    for source in sources { await source.begin() }
    return stream
  }
}

/// What watches for a signal.
// SAFETY: a dispatch source may be used on any thread; its type does not say so.
private struct SignalSource: @unchecked Sendable {
  private let source: any DispatchSourceSignal

  init(_ signal: ShutdownSignal, _ action: @escaping @Sendable () -> Void) {
    #if canImport(Darwin)
      // There the signal would end the process before it is delivered.
      Darwin.signal(signal.rawValue, SIG_IGN)
    #endif
    source = DispatchSource.makeSignalSource(signal: signal.rawValue)
    source.setEventHandler(handler: action)
  }

  /// Returns when no signal is missed any more.
  func begin() async {
    await withCheckedContinuation { registered in
      source.setRegistrationHandler { registered.resume() }
      source.activate()
    }
  }

  func end() {
    source.cancel()
  }
}
