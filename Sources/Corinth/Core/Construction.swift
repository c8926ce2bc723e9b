// SPDX-License-Identifier: MIT

internal import CCorinth
internal import Synchronization

/// One run of a factory whose instance is shared.
///
/// What it is nested in tells cycles from waiting: a resolve may not wait for a construction that it
/// is itself a part of.
@usableFromInline
final class Construction: Sendable {
  /// What is being built; `nil` for a junction, which only leads to its two others.
  let key: RegistrationKey?
  /// The construction that the building thread was running when it began this one.
  private let outer: Construction?
  /// The construction whose resolver asked for this one, when that is another: a factory may hand its
  /// resolver to another thread.
  private let requester: Construction?
  private let finished = Atomic<Bool>(false)
  private let forkGeneration: Atomic<UInt32>

  /// - Parameters:
  ///   - key: what is going to be built by the calling thread.
  ///   - requester: the construction whose resolver asked, if any.
  init(of key: RegistrationKey?, requestedBy requester: Construction?) {
    self.key = key
    let outer = Construction.running
    self.outer = outer
    self.requester = requester === outer ? nil : requester
    forkGeneration = Atomic(corinth_fork_generation())
    WaitForGraph.prepareForFork()
  }

  /// Whether it is over: a resolver kept beyond its factory starts resolutions of its own.
  var isFinished: Bool {
    guard key == nil else { return finished.load(ordering: .acquiring) }
    return (outer?.isFinished ?? true) && (requester?.isFinished ?? true)
  }

  /// Whether a resolver that belongs to `construction` has been kept beyond its factory.
  @usableFromInline @inline(never)
  static func isOver(_ construction: Construction?) -> Bool {
    construction?.isFinished ?? false
  }

  func markFinished() {
    finished.store(true, ordering: .releasing)
  }

  /// The unfinished constructions that this one is a part of, itself first.
  var unfinishedChain: [Construction] {
    Construction.unfinishedChain(of: [self])
  }

  /// The same for several that are innermost side by side, the first one's chain first.
  static func unfinishedChain(of innermost: [Construction]) -> [Construction] {
    var chain: [Construction] = []
    var pending = Array(innermost.reversed())
    while let next = pending.popLast() {
      if next.isFinished || chain.contains(where: { $0 === next }) { continue }
      chain.append(next)
      if let requester = next.requester { pending.append(requester) }
      if let outer = next.outer { pending.append(outer) }
    }
    return chain
  }

  /// The construction to which a resolver made now belongs, if the one that asks belongs to `construction`:
  /// that or the thread's, whichever is inside of the other, or both.
  static func innermost(within construction: Construction?) -> Construction? {
    guard let running else { return construction }
    guard let construction, !construction.isFinished,
      !running.unfinishedChain.contains(where: { $0 === construction })
    else { return running }
    if construction.unfinishedChain.contains(where: { $0 === running }) { return construction }
    return Construction(of: nil, requestedBy: construction)
  }

  // MARK: - The running construction of a thread

  /// The innermost construction that the calling thread is running.
  static var running: Construction? {
    guard let pointer = unsafe corinth_thread_construction(corinth_thread_current()) else {
      return nil
    }
    // SAFETY: whoever calls `enter` keeps it alive on this thread's stack until `leave`.
    return unsafe Unmanaged<Construction>.fromOpaque(pointer).takeUnretainedValue()
  }

  /// Makes this the calling thread's running construction, until ``leave()``.
  func enter() {
    unsafe corinth_thread_set_construction(
      corinth_thread_current(), Unmanaged.passUnretained(self).toOpaque())
  }

  /// Ends what ``enter()`` began, on the same thread.
  func leave() {
    let outer = unsafe outer.map { unsafe Unmanaged.passUnretained($0).toOpaque() }
    unsafe corinth_thread_set_construction(corinth_thread_current(), outer)
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
