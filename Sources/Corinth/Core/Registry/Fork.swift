// SPDX-License-Identifier: MIT

internal import CCorinth

enum Fork {
  /// How many forks lie between this process and the first.
  static var generation: UInt32 { corinth_fork_generation() }

  /// Has `callback` run in the child after each fork, on the only thread that there is. Set once, before any
  /// construction.
  static func setChildCallback(_ callback: @convention(c) () -> Void) {
    corinth_fork_set_child_callback(callback)
  }
}
