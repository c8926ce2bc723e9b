// SPDX-License-Identifier: MIT

package import Corinth

/// A run of a test with separate forks, and the failures of the test.
///
/// Threads and tasks that the test library cannot assign to the test add failures too: the run
/// keeps such failures until the end of the run, then reports the failures in the test's own task.
// SAFETY: the variables are only accessed with the lock held, and ThreadSanitizer sees the lock.
package final class TestRun: @unchecked Sendable {
  /// Reports a failure to the test library.
  package typealias Report = @Sendable () -> Void

  /// The run of the current task.
  @TaskLocal package static var current: TestRun?

  /// The run that resolves a service. A detached task cannot be assigned to a run, so the task is
  /// taken to belong to the run in which the service was overridden.
  ///
  /// - Parameter other: the run in which the service was overridden.
  package static func current(orElse other: TestRun?) -> TestRun? { current ?? other }

  /// The test's name, for messages.
  package let test: String
  private let state = ForkSafeMutex(State())

  private struct State {
    /// The added failures. A failure from a drop report has the report's text.
    var kept: [(drop: String?, report: Report)]? = []
    var watched: Set<ObjectIdentifier> = []
    var ignoresDrops = false
  }

  /// - Parameter test: the test's name.
  package init(of test: String) {
    self.test = test
  }

  /// Keeps a failure until the end.
  ///
  /// - Parameters:
  ///   - drop: the text of a drop report, for ``withdraw(_:of:)``; `nil` for other failures.
  ///   - report: reports the failure.
  /// - Returns: `false` after the end: no test is left to fail.
  @discardableResult
  package func add(drop: String? = nil, _ report: @escaping Report) -> Bool {
    state.withLock { state in
      if state.kept == nil { return false }
      state.kept?.append((drop, report))
      return true
    }
  }

  /// Reports all failures, in the order of addition, and takes no more failures.
  package func end() {
    let failures = state.withLock { state in
      defer { state.kept = nil }
      return state.kept ?? []
    }
    for failure in failures { failure.report() }
  }

  /// Counts the instances that a fork drops undisposed as failures.
  ///
  /// - Parameters:
  ///   - fork: not resolved from yet. A fork of a watched fork need not be watched.
  ///   - fail: reports a failure with a text.
  package func watch(_ fork: Container, _ fail: @escaping @Sendable (String) -> Void) {
    if watches(fork) { return }
    _ = state.withLock { $0.watched.insert(ObjectIdentifier(fork)) }
    fork.add(DropWatch(run: self, fail: fail))
  }

  private func watches(_ container: Container) -> Bool {
    sequence(first: container) { $0.parent ?? $0.base }
      .contains { container in state.withLock { $0.watched.contains(ObjectIdentifier(container)) } }
  }

  /// Withdraws failures that an assertion within the test reports itself.
  ///
  /// - Parameters:
  ///   - drops: the texts of the reports of undisposed drops.
  ///   - container: the container of the assertion.
  package func withdraw(_ drops: [String], of container: Container) {
    guard watches(container) else { return }
    let withdrawn = state.withLock { state in
      drops.compactMap { drop in
        let index = state.kept?.lastIndex { $0.drop == drop }
        return index.flatMap { state.kept?.remove(at: $0) }
      }
    }
    // Objects held by the reports are released without the lock.
    withExtendedLifetime(withdrawn) {}
  }

  /// Decides whether instances dropped undisposed from now on are failures, in all watched forks.
  /// The innermost trait decides last.
  package func count(drops: Bool) {
    state.withLock { $0.ignoresDrops = !drops }
  }

  fileprivate var countsDrops: Bool { state.withLock { !$0.ignoresDrops } }
}

/// Receives the reports of instances that a container, or a container below, drops undisposed.
private struct DropWatch: Behavior {
  let run: TestRun
  let fail: @Sendable (String) -> Void

  var events: BehaviorEvents { .disposal }

  func didLeaveUndisposed(_ report: UndisposedReport) {
    guard run.countsDrops else { return }
    let text = "\(report)"
    run.add(drop: text) { [fail] in fail(text) }
  }
}
