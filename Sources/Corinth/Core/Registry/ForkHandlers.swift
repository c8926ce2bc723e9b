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
  /// It must not touch a global whose initializer another thread of the parent may be running.
  static func add(inChild handler: @escaping Handler) {
    WaitsMutex.withLock { unsafe handlers.append(handler) }
    corinth_fork_set_child_callback(runAll)
  }

  /// The number of forks between this process and the first.
  static var generation: UInt32 { corinth_fork_generation() }

  private static let runAll: @convention(c) () -> Void = {
    for handler in unsafe handlers { handler() }
  }
}

/// The thread or the task that refreshes an instance, in a form that a forked child can check; 0 for none.
///
/// A thread is identified by its record, so that one that forks in the middle of a refresh still has its claim
/// in the child. A task may have left the thread that claimed, and no task outlives a fork: it is identified by
/// the number of forks before it, with the lowest bit set, which no address of a record has.
struct RefreshClaim {
  let bits: UInt

  static var ofThread: RefreshClaim {
    unsafe RefreshClaim(bits: UInt(bitPattern: corinth_thread_current()))
  }

  static var ofTask: RefreshClaim {
    RefreshClaim(bits: UInt(corinth_fork_generation()) << 1 | 1)
  }

  /// Whether nobody refreshes: it is none, or was made in a process that this one was forked from, by a thread or a task that
  /// is not here.
  var isLost: Bool {
    if bits == 0 { return true }
    if bits & 1 == 1 { return bits != Self.ofTask.bits }
    // SAFETY: the bits are the address of a thread's record, which is never freed.
    return unsafe corinth_thread_is_lost(
      OpaquePointer(bitPattern: bits).unsafelyUnwrapped)
  }
}
