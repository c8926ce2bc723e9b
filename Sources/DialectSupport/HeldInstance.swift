// SPDX-License-Identifier: MIT

internal import Corinth

/// A box for an instance, which is read in place: a copy takes longer than all else of a hit.
// SAFETY: constant; the program is responsible for what its threads do with the instance.
@usableFromInline package final class HeldInstance: @unchecked Sendable {
  /// The instance, or ``missing``.
  @usableFromInline package let instance: Any

  package init(_ instance: Any) { self.instance = instance }
}

// A value stands for a missing instance where every resolve passes: for an optional `Any`, even for
// `nil`, the runtime is called to copy and to destroy.

private enum Missing { case missing }

/// No instance.
package var missing: Any { Missing.missing }

/// Whether an instance is ``missing``.
@usableFromInline package func isMissing(_ instance: Any) -> Bool {
  isBoxed(instance, as: Missing.self)
}

/// The instance; `nil` for ``missing``.
package func optional(_ instance: Any) -> Any? { isMissing(instance) ? nil : instance }
