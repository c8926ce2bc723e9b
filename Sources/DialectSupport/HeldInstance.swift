// SPDX-License-Identifier: MIT

internal import Corinth

/// An instance that is looked at in its place: a copy takes longer than all else of a hit.
// SAFETY: constant; the program is responsible for what its threads do with the instance.
@usableFromInline package final class HeldInstance: @unchecked Sendable {
  /// Or ``missing``.
  @usableFromInline package let instance: Any

  package init(_ instance: Any) { self.instance = instance }
}

// A value stands for no instance where each resolve passes: the runtime is called to copy and to destroy an optional `Any`,
// `nil` as well.

private enum Missing { case missing }

/// No instance.
package var missing: Any { Missing.missing }

/// Whether an instance is ``missing``.
@usableFromInline package func isMissing(_ instance: Any) -> Bool {
  isBoxed(instance, as: Missing.self)
}

/// The instance; `nil` if it is ``missing``.
package func optional(_ instance: Any) -> Any? { isMissing(instance) ? nil : instance }
