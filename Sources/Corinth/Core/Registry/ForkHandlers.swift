// SPDX-License-Identifier: MIT

internal import CCorinth

/// The work of the core's Swift side in the child of a fork, on the only thread.
///
/// A part that stores state about other threads adds a handler before the first such store.
enum ForkHandlers {
  typealias Handler = @Sendable () -> Void

  // SAFETY: written with the mutex of the wait-for graph held, which is free at a fork (process.c);
  // read in a child before the child has a second thread.
  nonisolated(unsafe) private static var handlers: [Handler] = []

  /// Adds a handler, which runs in every child from now on, in the order of addition.
  ///
  /// A handler must not touch a global that another thread of the parent may be initializing.
  static func add(inChild handler: @escaping Handler) {
    WaitsMutex.withLock { unsafe handlers.append(handler) }
    corinth_fork_set_child_callback(runAll)
  }

  /// The number of forks between this process and the first process.
  static var generation: UInt32 { corinth_fork_generation() }

  private static let runAll: @convention(c) () -> Void = {
    for handler in unsafe handlers { handler() }
  }
}

/// The thread or task that refreshes an instance, in a form checkable after a fork; 0 for none.
///
/// A thread is identified by its record, so that a thread that forks in the middle of a refresh
/// keeps the claim in the child. A task may have left the claiming thread, and no task outlives a
/// fork: a task is identified by the number of forks, with the lowest bit set, unlike addresses.
struct RefreshClaim {
  let bits: UInt

  static var ofThread: RefreshClaim {
    unsafe RefreshClaim(bits: UInt(bitPattern: corinth_thread_current()))
  }

  static var ofTask: RefreshClaim {
    RefreshClaim(bits: UInt(corinth_fork_generation()) << 1 | 1)
  }

  /// Whether nobody refreshes: there is no claim, or the claim was made before a fork, by a thread
  /// or a task that does not exist in this process.
  var isLost: Bool {
    if bits == 0 { return true }
    if bits & 1 == 1 { return bits != Self.ofTask.bits }
    // SAFETY: the bits are the address of a thread's record, which is never freed.
    return unsafe corinth_thread_is_lost(
      OpaquePointer(bitPattern: bits).unsafelyUnwrapped)
  }
}
