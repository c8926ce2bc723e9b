// SPDX-License-Identifier: MIT

package import Corinth

/// Finds the instances that a container leaves undisposed while some work runs.
package struct DisposalCheck {
  private let container: Container
  private let drops = Drops()
  private let run = TestRun.current

  /// Runs `body`, and fails the test for everything that the container leaves undisposed, also if
  /// `body` throws.
  ///
  /// - Parameters:
  ///   - container: the container that `body` uses.
  ///   - fail: reports a failure with a text, in the caller's task.
  /// - Returns: the result of `body`.
  package static func of<Result>(
    _ container: Container, _ fail: (String) -> Void, _ body: () throws -> Result
  ) rethrows -> Result {
    let check = DisposalCheck(of: container)
    defer { check.end().forEach(fail) }
    return try body()
  }

  /// Runs asynchronous work, and fails the test in the same way as the synchronous form.
  nonisolated(nonsending)
    package static func of<Result>(
      _ container: Container, _ fail: (String) -> Void,
      _ body: nonisolated(nonsending) () async throws -> Result
    ) async rethrows -> Result
  {
    let check = DisposalCheck(of: container)
    defer { check.end().forEach(fail) }
    return try await body()
  }

  private init(of container: Container) {
    self.container = container
    container.addUndisposedObserver(drops) { [drops] in drops.add("\($0)") }
  }

  /// - Returns: the texts of the failures.
  private func end() -> [String] {
    container.removeUndisposedObserver(drops)
    let dropped = drops.end()
    run?.withdraw(dropped, of: container)
    return dropped + [keptText, openScopesText].compactMap(\.self)
  }

  private var keptText: String? {
    let kept = container.undisposedInstances
    if kept.isEmpty { return nil }
    let names = kept.map(\.key.description).joined(separator: ", ")
    return
      (["A container was not shut down in the closure: it has not disposed of \(names)."]
      + kept.map { "  \($0.key) is registered at \($0.location)" }
      + ["  hint: end it with `try await container.shutdown()`, or a request scope with `close()`."])
      .joined(separator: "\n")
  }

  private var openScopesText: String? {
    let count = container.openScopeCount
    if count == 0 { return nil }
    return """
      \(quantity(count, "request scope was", "request scopes were")) still open at the end of the closure.
        hint: close each scope, or use `withScope`; wait for the tasks that have one.
      """
  }
}

/// The texts of the reports of undisposed drops, on any thread.
private final class Drops: Sendable {
  private let texts = ForkSafeMutex<[String]?>([])

  func add(_ text: String) { texts.withLock { texts in texts?.append(text) } }

  /// Takes all texts, and receives no more.
  func end() -> [String] {
    texts.withLock { texts in
      defer { texts = nil }
      return texts ?? []
    }
  }
}
