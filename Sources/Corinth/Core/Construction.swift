// SPDX-License-Identifier: MIT

internal import CCorinth
internal import Synchronization

/// One run of a factory whose instance is shared.
///
/// What it is nested in tells cycles from waiting: a resolve may not wait for a construction that it
/// is itself a part of.
@usableFromInline
final class Construction: Sendable {
  let key: RegistrationKey
  /// The construction that the building thread was running when it began this one.
  private let outer: Construction?
  /// The construction whose resolver asked for this one, when that is another: a factory may hand its
  /// resolver to another thread.
  private let requester: Construction?
  private let finished = Atomic<Bool>(false)
  private let forkGeneration: Atomic<UInt32>

  init(of key: RegistrationKey, requestedBy requester: Construction?) {
    self.key = key
    let outer = Construction.running
    self.outer = outer
    self.requester = requester === outer ? nil : requester
    forkGeneration = Atomic(corinth_fork_generation())
    WaitForGraph.prepareForFork()
  }

  /// Whether it is over: a resolver kept beyond its factory starts resolutions of its own.
  var isFinished: Bool { finished.load(ordering: .acquiring) }

  func markFinished() {
    finished.store(true, ordering: .releasing)
  }

  /// The unfinished constructions that this one is a part of, itself first.
  var unfinishedChain: [Construction] {
    var chain: [Construction] = []
    var pending = [self]
    while let next = pending.popLast() {
      if next.isFinished || chain.contains(where: { $0 === next }) { continue }
      chain.append(next)
      if let requester = next.requester { pending.append(requester) }
      if let outer = next.outer { pending.append(outer) }
    }
    return chain
  }

  // MARK: - The running construction of a thread

  /// The innermost construction that the calling thread is running.
  static var running: Construction? {
    guard let pointer = unsafe corinth_thread_construction(corinth_thread_current()) else {
      return nil
    }
    // SAFETY: `run` keeps it alive on this thread's stack for as long as it is set.
    return unsafe Unmanaged<Construction>.fromOpaque(pointer).takeUnretainedValue()
  }

  /// Runs `body` as this construction's factory, on the calling thread.
  func run<Result>(_ body: () throws -> Result) rethrows -> Result {
    let thread = unsafe corinth_thread_current()
    let previous = unsafe corinth_thread_construction(thread)
    unsafe corinth_thread_set_construction(thread, Unmanaged.passUnretained(self).toOpaque())
    defer { unsafe corinth_thread_set_construction(thread, previous) }
    return try body()
  }

  // MARK: - Fork

  /// Whether the thread that builds was left behind by a fork.
  var isOrphaned: Bool {
    forkGeneration.load(ordering: .relaxed) != corinth_fork_generation()
  }

  /// In the child of a fork: what the forking thread was building is still being built.
  static func adoptRunningAfterFork() {
    var next = running
    while let construction = next {
      construction.forkGeneration.store(corinth_fork_generation(), ordering: .relaxed)
      next = construction.outer
    }
  }
}
