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
  private var reports: [Report]? = []
  private var watched: Set<ObjectIdentifier> = []
  private var ignoresDrops = false

  /// - Parameter test: the test's name.
  package init(of test: String) {
    self.test = test
  }

  /// Keeps a failure until the end.
  ///
  /// - Returns: `false` after the end: there is no test to fail any more.
  @discardableResult
  package func add(_ report: @escaping Report) -> Bool {
    lock.withLock {
      if reports == nil { return false }
      reports?.append(report)
      return true
    }
  }

  /// Reports all failures, those that were added first first, and takes no more.
  package func end() {
    let kept = lock.withLock {
      defer { reports = nil }
      return reports ?? []
    }
    for report in kept { report() }
  }

  /// Counts what a fork lets go of undisposed as failures.
  ///
  /// - Parameters:
  ///   - fork: not resolved from yet. What is a fork of one that is watched need not be.
  ///   - fail: reports a failure with a text.
  package func watch(_ fork: Container, _ fail: @escaping @Sendable (String) -> Void) {
    let isWatched = sequence(first: fork) { $0.parent ?? $0.base }
      .contains { container in lock.withLock { watched.contains(ObjectIdentifier(container)) } }
    if isWatched { return }
    _ = lock.withLock { watched.insert(ObjectIdentifier(fork)) }
    fork.add(DropWatch(run: self, fail: fail))
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
    if run.countsDrops { run.add { [fail] in fail("\(report)") } }
  }
}
