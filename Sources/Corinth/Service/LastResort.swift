// SPDX-License-Identifier: MIT

internal import Synchronization

#if canImport(Darwin)
  internal import Darwin
#else
  internal import Glibc
#endif

/// The end of a process whose service cannot end the process: all threads that tasks share are
/// blocked, and no task goes on.
///
/// A last resort waits on the alarm's thread for as long as the draining and the shutdown may take,
/// and then starts a task. If the task does not run within a second, no other task runs either, and
/// only a report and the end of the process are left.
final class LastResort: Sendable {
  typealias Action = @Sendable (_ report: String) -> Void

  private struct State {
    /// Whether user code runs before the draining, for an unlimited time.
    var mayPrepare: Bool
    var signals = 0
    var hasDeadline = false
    var alarm: Alarm.Setting?
    var isOver = false
  }

  private let container: ContainerCore
  private let draining: Duration
  private let total: Duration
  private let action: Action?
  private let priority = Task.currentPriority
  private let state: ForkSafeMutex<State>

  /// - Parameters:
  ///   - total: the time for all disposers together; without a total time the service has no
  ///     deadline, and no last resort.
  ///   - action: replaces the report and the end of the process.
  ///   - mayPrepare: whether the service has started, and is to prepare the draining.
  init?(
    for container: ContainerCore, draining: Duration?, total: Duration?, action: Action?,
    mayPrepare: Bool
  ) {
    guard let total else { return nil }
    self.container = container
    self.draining = min(draining ?? .zero, Alarm.longestTime)
    self.total = min(total, Alarm.longestTime)
    self.action = action
    state = ForkSafeMutex(State(mayPrepare: mayPrepare))
  }

  // MARK: - What the service does

  /// The service prepares the draining from now on, when requested to end.
  func mayPrepare() {
    state.withLock { $0.mayPrepare = true }
  }

  /// A signal has come. Called on a thread outside of the task pool: no task may run.
  func signal() {
    setAlarm { state in
      state.signals += 1
      switch state.signals {
      case 1 where !state.mayPrepare: return draining + total
      case 2: return total
      default: return nil
      }
    }
  }

  /// The service has learned of the requested end: the next signal is the second.
  func shutdownBegins() {
    state.withLock { $0.signals = max($0.signals, 1) }
  }

  func drainingBegins() {
    setAlarm { $0.hasDeadline ? nil : draining + total }
  }

  /// The shutdown is over.
  func end() {
    let alarm = state.withLock { state in
      state.isOver = true
      defer { state.alarm = nil }
      return state.alarm
    }
    alarm?.cancel()
  }

  // MARK: - The deadline

  private func setAlarm(after time: (inout State) -> Duration?) {
    let time = state.withLock { state in
      let time = time(&state)
      if time != nil { state.hasDeadline = true }
      return time
    }
    if let time { setAlarm(after: time) { [self] in probe() } }
  }

  private func setAlarm(after time: Duration, _ handler: @escaping Alarm.Handler) {
    let alarm = Alarm.set(after: time, handler)
    let former = state.withLock { state -> Alarm.Setting? in
      if state.isOver { return alarm }
      defer { state.alarm = alarm }
      return state.alarm
    }
    former?.cancel()
  }

  /// Acts in a second, unless a task runs before.
  private func probe() {
    let probe = Probe()
    Task.detached(priority: priority) { probe.hasRun.store(true, ordering: .relaxed) }
    setAlarm(after: .seconds(1)) { [self] in
      if !probe.hasRun.load(ordering: .relaxed) { act() }
    }
  }

  private final class Probe: Sendable {
    let hasRun = Atomic<Bool>(false)
  }

  private func act() {
    if state.withLock({ $0.isOver }) { return }
    if let action { return action(report) }
    // The standard error stream may be the cause that blocks all threads.
    LimitThreads.cancellations.run { [self] in
      StandardError.write(report)
      _exit(EXIT_FAILURE)
    }
    _ = Alarm.set(after: .seconds(1)) { _exit(EXIT_FAILURE) }
  }

  private var report: String {
    let open = container.stillOpen
    return
      ([
        "the service could not end in time: the threads that tasks share are blocked. "
          + (open.isEmpty ? "Nothing is open in its container." : "Still open:")
      ]
      + open.map { "  " + $0 }).joined(separator: "\n")
  }
}
