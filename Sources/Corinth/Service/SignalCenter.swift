// SPDX-License-Identifier: MIT

internal import Dispatch

#if canImport(Darwin)
  internal import Darwin
#else
  internal import Glibc
#endif

/// Receives signals in place of the process, which the signals would end, and passes them to the
/// running services.
///
/// A signal is watched until the process ends, also when no service runs any more: a second signal
/// a moment after the shutdown does not end the process in the middle of the remaining work.
actor SignalCenter {
  static let shared = SignalCenter()

  private var sources: [ShutdownSignal: any DispatchSourceSignal] = [:]
  /// Tasks that end when their signal is being watched.
  private var registrations: [ShutdownSignal: Task<Void, Never>] = [:]
  /// Outside of the actor's isolation: the actor may have no thread when a last resort is notified
  /// of a signal.
  private let receivers = ForkSafeMutex<[ObjectIdentifier: Receiver]>([:])
  /// The queue of the sources, with a thread of its own: the threads that tasks share may be
  /// blocked.
  private let queue = DispatchQueue(label: "corinth.signals")
  /// The receivers that have received a signal.
  private var signaled: Set<ObjectIdentifier> = []

  /// The receiving end of a service.
  final class Receiver: Sendable {
    fileprivate let signals: Set<ShutdownSignal>
    /// Passes signals to the waiter for the first signal.
    let first = AsyncStream.makeStream(of: Void.self)
    /// Passes signals to the waiter for the second signal. The cancellation of a wait ends only the
    /// wait's own stream.
    let second = AsyncStream.makeStream(of: Void.self)

    /// The last resort is notified of every signal on a thread that no task needs.
    fileprivate let lastResort: LastResort?

    fileprivate init(_ signals: Set<ShutdownSignal>, _ lastResort: LastResort?) {
      self.signals = signals
      self.lastResort = lastResort
    }
  }

  /// Registers a receiver; returns when no signal is missed any more.
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
      // On Darwin the signal would end the process before the delivery.
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

  /// Whether a signal has come already: a further signal is the second.
  func hasPassedSignal(to receiver: Receiver) -> Bool {
    signaled.contains(ObjectIdentifier(receiver))
  }

  func remove(_ receiver: Receiver) {
    _ = receivers.withLock { $0.removeValue(forKey: ObjectIdentifier(receiver)) }
    signaled.remove(ObjectIdentifier(receiver))
  }

  private func pass(_ signal: ShutdownSignal) {
    for receiver in receivers(of: signal) {
      signaled.insert(ObjectIdentifier(receiver))
      receiver.first.continuation.yield()
      receiver.second.continuation.yield()
    }
  }
}
