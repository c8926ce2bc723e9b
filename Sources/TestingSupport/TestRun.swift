// SPDX-License-Identifier: MIT

package import Corinth
internal import Foundation

/// One run of one test that has forks of its own, and what fails the test.
///
/// Threads and tasks that the test library does not know to be the test's add failures too: these are kept until the end
/// of the run, where they are reported in the test's own task.
// SAFETY: the variables are only touched with the lock held, which is one that ThreadSanitizer sees.
package final class TestRun: @unchecked Sendable {
  /// Reports a failure to the test library.
  package typealias Report = @Sendable () -> Void

  /// The run that the task is a part of.
  @TaskLocal package static var current: TestRun?

  /// The run that asks for a service. A detached task, of which nobody knows whose it is, is taken to be of the run in which
  /// the service was overridden.
  ///
  /// - Parameter other: the run in which the service was overridden.
  package static func current(orElse other: TestRun?) -> TestRun? { current ?? other }

  /// The test's name, for messages.
  package let test: String
  private let lock = NSLock()
  /// What was added, with the text of the drop report, if it is one.
  private var kept: [(drop: String?, report: Report)]? = []
  private var watched: Set<ObjectIdentifier> = []
  private var ignoresDrops = false

  /// - Parameter test: the test's name.
  package init(of test: String) {
    self.test = test
  }

  /// Keeps a failure until the end.
  ///
  /// - Parameters:
  ///   - drop: the text of a drop report, for ``withdraw(_:of:)``; `nil` for other failures.
  ///   - report: reports the failure.
  /// - Returns: `false` after the end: there is no test to fail any more.
  @discardableResult
  package func add(drop: String? = nil, _ report: @escaping Report) -> Bool {
    lock.withLock {
      if kept == nil { return false }
      kept?.append((drop, report))
      return true
    }
  }

  /// Reports all failures, those that were added first first, and takes no more.
  package func end() {
    let failures = lock.withLock {
      defer { kept = nil }
      return kept ?? []
    }
    for failure in failures { failure.report() }
  }

  /// Counts what a fork lets go of undisposed as failures.
  ///
  /// - Parameters:
  ///   - fork: not resolved from yet. What is a fork of one that is watched need not be.
  ///   - fail: reports a failure with a text.
  package func watch(_ fork: Container, _ fail: @escaping @Sendable (String) -> Void) {
    if watches(fork) { return }
    _ = lock.withLock { watched.insert(ObjectIdentifier(fork)) }
    fork.add(DropWatch(run: self, fail: fail))
  }

  private func watches(_ container: Container) -> Bool {
    sequence(first: container) { $0.parent ?? $0.base }
      .contains { container in lock.withLock { watched.contains(ObjectIdentifier(container)) } }
  }

  /// Takes failures back that an assertion inside of the test reports by itself.
  ///
  /// - Parameters:
  ///   - drops: the texts of what was let go of undisposed.
  ///   - container: the container of the assertion.
  package func withdraw(_ drops: [String], of container: Container) {
    guard watches(container) else { return }
    lock.withLock {
      for drop in drops {
        guard let index = kept?.lastIndex(where: { $0.drop == drop }) else { continue }
        kept?.remove(at: index)
      }
    }
  }

  /// Decides whether what is let go of undisposed from now on is a failure, in all forks that are watched. The innermost
  /// trait decides last.
  package func count(drops: Bool) {
    lock.withLock { ignoresDrops = !drops }
  }

  fileprivate var countsDrops: Bool { lock.withLock { !ignoresDrops } }
}

/// Hears of what a container and those below it let go of undisposed.
private struct DropWatch: Behavior {
  let run: TestRun
  let fail: @Sendable (String) -> Void

  var events: BehaviorEvents { .disposal }

  func didDropUndisposed(_ report: DropReport) {
    guard run.countsDrops else { return }
    let text = "\(report)"
    run.add(drop: text) { [fail] in fail(text) }
  }
}
