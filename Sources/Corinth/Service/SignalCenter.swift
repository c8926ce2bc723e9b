// SPDX-License-Identifier: MIT

internal import Dispatch

#if canImport(Darwin)
  internal import Darwin
#else
  internal import Glibc
#endif

/// Receives signals in place of the process, which they would end, and passes them to the services that run.
///
/// A signal is watched for until the process ends, when no service runs any more too: a second one that comes a moment after the
/// shutdown does not end the process in the middle of its remaining work.
actor SignalCenter {
  static let shared = SignalCenter()

  private var sources: [ShutdownSignal: any DispatchSourceSignal] = [:]
  /// Tasks that end when their signal is watched for.
  private var registrations: [ShutdownSignal: Task<Void, Never>] = [:]
  /// Outside of the actor's isolation: the actor may have no thread when a last resort is told of a signal.
  private let receivers = ForkSafeMutex<[ObjectIdentifier: Receiver]>([:])
  /// The thread of the sources: those that tasks share may be blocked.
  private let queue = DispatchQueue(label: "corinth.signals")
  /// The receivers that have been passed a signal.
  private var signalled: Set<ObjectIdentifier> = []

  /// The end of a service that signals are passed to.
  final class Receiver: Sendable {
    fileprivate let signals: Set<ShutdownSignal>
    /// Passes signals to the waiter for the first one.
    let first = AsyncStream.makeStream(of: Void.self)
    /// Passes signals to the waiter for the second one. The cancellation of one wait ends only its own stream.
    let second = AsyncStream.makeStream(of: Void.self)

    /// The last resort is told of each signal on a thread that no task needs.
    fileprivate let lastResort: LastResort?

    fileprivate init(_ signals: Set<ShutdownSignal>, _ lastResort: LastResort?) {
      self.signals = signals
      self.lastResort = lastResort
    }
  }

  /// Returns when no signal is missed any more.
  func receive(
    _ signals: Set<ShutdownSignal>, lastResort: LastResort? = nil
  ) async -> Receiver {
    let receiver = Receiver(signals, lastResort)
    receivers.withLock { $0[ObjectIdentifier(receiver)] = receiver }
    for signal in signals where sources[signal] == nil { watch(signal) }
    // Another service may have begun to watch a moment ago.
    for signal in signals { await registrations[signal]?.value }
    return receiver
  }

  private func watch(_ signal: ShutdownSignal) {
    #if canImport(Darwin)
      // There the signal would end the process before it is delivered.
      Darwin.signal(signal.rawValue, SIG_IGN)
    #endif
    let source = DispatchSource.makeSignalSource(signal: signal.rawValue, queue: queue)
    sources[signal] = source
    source.setEventHandler { @Sendable in
      SignalCenter.shared.tellLastResorts(of: signal)
      Task { await SignalCenter.shared.pass(signal) }
    }
    let (isRegistered, continuation) = AsyncStream.makeStream(of: Never.self)
    source.setRegistrationHandler { continuation.finish() }
    registrations[signal] = Task { for await _ in isRegistered {} }
    source.activate()
  }

  nonisolated private func tellLastResorts(of signal: ShutdownSignal) {
    for receiver in receivers(of: signal) { receiver.lastResort?.signal() }
  }

  nonisolated private func receivers(of signal: ShutdownSignal) -> [Receiver] {
    receivers.withLock { $0.values.filter { $0.signals.contains(signal) } }
  }

  /// Whether a signal has come already: another one is the second.
  func hasPassedSignal(to receiver: Receiver) -> Bool {
    signalled.contains(ObjectIdentifier(receiver))
  }

  func remove(_ receiver: Receiver) {
    _ = receivers.withLock { $0.removeValue(forKey: ObjectIdentifier(receiver)) }
    signalled.remove(ObjectIdentifier(receiver))
  }

  private func pass(_ signal: ShutdownSignal) {
    for receiver in receivers(of: signal) {
      signalled.insert(ObjectIdentifier(receiver))
      receiver.first.continuation.yield()
      receiver.second.continuation.yield()
    }
  }
}
