// SPDX-License-Identifier: MIT

internal import CCorinth

/// The thread that reports the end of a time span: one for the process, made at the first request.
///
/// A limit must hold while all threads that tasks share are blocked: no task could say so.
enum Alarm {
  typealias Handler = @Sendable () -> Void

  /// A handler that runs at a due time, unless cancelled before.
  // SAFETY: the variables are only touched with the mutex of the limits held.
  final class Setting: HeapElement, @unchecked Sendable {
    fileprivate let due: ContinuousClock.Instant
    fileprivate var handler: Handler?
    fileprivate var index = 0

    fileprivate init(due: ContinuousClock.Instant, _ handler: @escaping Handler) {
      self.due = due
      self.handler = handler
    }

    deinit { HeldLocks.assertNone(Setting.self) }

    func isBefore(_ other: Setting) -> Bool { due < other.due }

    func isPlaced(at index: Int) { self.index = index }

    /// Lets the handler go, if the handler has not begun.
    func cancel() {
      // Let go of with the mutex given up: the handler may have the last reference to something.
      let taken = LimitsMutex.withLock { () -> Handler? in
        defer { handler = nil }
        Alarm.remove(self)
        return handler
      }
      withExtendedLifetime(taken) {}
    }
  }

  /// A hundred years: the longest durations would end later than any instant.
  static var longestTime: Duration { .seconds(3_155_760_000) }

  // SAFETY, of both: only touched with the mutex of the limits held, or in a child process just
  // forked, which has one thread.
  nonisolated(unsafe) private static var settings = Heap<Setting>()
  nonisolated(unsafe) private static var hasThread = false

  /// Runs `handler` on the alarm's thread after some time; it must not wait, or run user code.
  static func set(after time: Duration, _ handler: @escaping Handler) -> Setting {
    isPrepared
    let setting = Setting(due: .now + time, handler)
    let isFirstOfProcess = LimitsMutex.withLock {
      defer { unsafe hasThread = true }
      unsafe settings.insert(setting)
      if setting.index == 0 { corinth_limits_wake(CORINTH_LIMIT_ALARM) }
      return unsafe !hasThread
    }
    if isFirstOfProcess { start() }
    return setting
  }

  /// Does nothing for a setting taken out before, or left to the parent of the process.
  private static func remove(_ setting: Setting) {
    let index = setting.index
    let elements = unsafe settings.elements
    guard elements.indices.contains(index), elements[index] === setting else { return }
    unsafe settings.remove(at: index)
  }

  // MARK: - The thread

  private static func start() {
    let isStarted = unsafe corinth_thread_start(
      { _ in
        unsafe corinth_thread_set_name("corinth-alarm")
        while true { Alarm.takeDue()() }
      }, nil)
    precondition(isStarted, "Alarm: there is no thread for limits of time")
  }

  /// Blocks the calling thread until a handler is due.
  private static func takeDue() -> Handler {
    while true {
      // The setting is destroyed with the mutex given up.
      let taken = LimitsMutex.withLock { () -> (Setting, Handler)? in
        // No reference during the wait: a setting cancelled meanwhile would be destroyed here.
        let left = unsafe settings.first.map { ContinuousClock.now.duration(to: $0.due) }
        if let left, left <= .zero, let first = unsafe settings.first {
          _ = unsafe settings.popFirst()
          defer { first.handler = nil }
          return first.handler.map { (first, $0) }
        }
        let wait = left.map { min($0.wholeNanoseconds, longestWait) } ?? longestWait
        _ = corinth_limits_wait(CORINTH_LIMIT_ALARM, wait)
        return nil
      }
      if let taken { return taken.1 }
    }
  }

  /// The clock of a wait may stop while the machine sleeps: the thread looks again after a minute.
  private static var longestWait: UInt64 { 60_000_000_000 }

  // MARK: - Fork

  /// In the child of a fork, the thread is gone, and so are the tasks with settings. Nothing is
  /// destroyed, see `WaitForGraph`.
  private static let isPrepared: Void = {
    _ = LimitsMutex.withLock { unsafe (settings.first, hasThread) }
    ForkHandlers.add {
      unsafe withUnsafeMutablePointer(to: &settings) { unsafe $0.initialize(to: Heap()) }
      unsafe hasThread = false
    }
  }()
}
