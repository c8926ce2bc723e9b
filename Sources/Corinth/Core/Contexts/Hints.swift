// SPDX-License-Identifier: MIT

internal import Synchronization

/// Hints at mistakes without an error. Only debug builds look for such mistakes.
enum Hints {
  static let handler = ReportHandler<String>()

  #if DEBUG
    /// Whether a validation before a start may still report keys it cannot see into.
    static let saysUnseen = Atomic<Bool>(true)

    /// Reports a hint. No lock is held.
    static func report(_ hint: String) {
      handler.value?(hint)
    }

    /// Reports registrations, once for the process, whose dependencies no validation could check.
    ///
    /// - Parameter inputs: the inputs that every request scope needs.
    static func reportUnseenDependencies(
      of keys: [RegistrationKey], inputs: @autoclosure () -> [RegistrationKey]
    ) {
      guard let first = keys.first, saysUnseen.exchange(false, ordering: .relaxed) else { return }
      let examples = inputs().map(\.description).joined(separator: ", ")
      let dryRun =
        examples.isEmpty
        ? "`try await container.validate(building: true)`"
        : "`try await container.validate(building: true, providing: ...)` with an example of \(examples)"
      let count = quantity(keys.count, "registration")
      report(
        """
        The validation has not checked what \(count) \(keys.count == 1 ? "depends" : "depend") on, as closures do not say \
        it: \(keys.count == 1 ? "" : "among them ")\(first).
          hint: a dry run does, \(dryRun): it builds everything once, in a fork that \
        is thrown away. What is registered with `wire` or `.dependsOn(...)` is always checked.
        """)
    }
  #endif
}
