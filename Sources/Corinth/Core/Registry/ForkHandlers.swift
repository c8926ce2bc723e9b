// SPDX-License-Identifier: MIT

internal import CCorinth

/// The work of the core's Swift side in the child of a fork, on the only thread.
///
/// Each part that stores state about other threads adds a handler before it first stores some.
enum ForkHandlers {
  typealias Handler = @Sendable () -> Void

  // SAFETY: written with the mutex of the wait-for graph held, which is free at each fork (process.c); read in
  // a child before it has a second thread.
  nonisolated(unsafe) private static var handlers: [Handler] = []

  /// Adds a handler, which runs in each child from now on, in the order of addition.
  ///
  /// It must not touch a global whose initialiser another thread of the parent may be running.
  static func add(inChild handler: @escaping Handler) {
    WaitsMutex.lock()
    unsafe handlers.append(handler)
    WaitsMutex.unlock()
    corinth_fork_set_child_callback(runAll)
  }

  /// The number of forks between this process and the first.
  static var generation: UInt32 { corinth_fork_generation() }

  private static let runAll: @convention(c) () -> Void = {
    for handler in unsafe handlers { handler() }
  }
}
