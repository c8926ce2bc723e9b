// SPDX-License-Identifier: MIT

internal import CCorinth
internal import Synchronization

/// One run of a factory whose instance is shared, or a resolution that only leads to such.
///
/// What it is nested in tells cycles from waiting: a resolve may not wait for a construction that it
/// is itself a part of.
@usableFromInline
// SAFETY: `madeLinks` is only touched with the mutex of the wait-for graph held, `shortWay` by the thread that
// builds; all else is constant, Sendable or atomic.
final class Construction: @unchecked Sendable {
  /// What is being built; `nil` for a resolution and for a junction.
  let key: RegistrationKey?
  /// Which registration it is that is being built; 0 for a resolution and for a junction.
  let serial: UInt64
  /// The construction that the building thread or task was running when it began this one.
  let outer: Construction?
  /// The construction whose resolver asked for this one, when that is another: a factory may hand its
  /// resolver to another thread.
  let requester: Construction?
  /// Whether this only leads to its two others.
  private let isJunction: Bool
  /// Whether a task builds, which asynchronous actions can be put off for.
  let isAsynchronous: Bool
  /// Whether an instance that others may get is published at its end.
  let isShared: Bool
  /// The container that is going to keep the instance, when it outlives the resolution.
  // SAFETY: only read while the construction is under way, by a resolver that holds the container or one
  // of its descendants.
  unowned(unsafe) let keeper: ContainerCore?
  /// Where the resolution began that this is a part of; `nil` when that is here.
  // SAFETY: the outer construction or the requester is a part of it and holds it, or is it.
  private unowned(unsafe) let beginning: Construction?
  /// The graph instances of the resolution that began here.
  let graph = InstanceStore()
  private var madeLinks: ConstructionLinks?
  private var shortWay: ShortWay?

  private let assignedNumber = Atomic<UInt64>(0)
  private let finished = Atomic<Bool>(false)
  private let entangled = Atomic<Bool>(false)
  private let forkGeneration: Atomic<UInt32>

  private init(
    _ record: RegistrationRecord?, keeper: ContainerCore?, requester: Construction?,
    isJunction: Bool, isShared: Bool = false
  ) {
    self.isShared = isShared
    isAsynchronous = record?.isAsynchronous ?? false
    key = record?.key
    serial = record?.serial ?? 0
    unsafe self.keeper = keeper
    let outer = Construction.running ?? Construction.runningInTask?.nearestUnfinished
    self.outer = outer
    self.requester = requester === outer ? nil : requester
    self.isJunction = isJunction
    unsafe beginning = requester?.resolution
    forkGeneration = Atomic(corinth_fork_generation())
    WaitForGraph.prepareForFork()
  }

  /// - Parameters:
  ///   - record: what is going to be built by the calling thread or task.
  ///   - keeper: the container that is going to keep the instance.
  ///   - requester: the unfinished construction whose resolver asked, if any.
  convenience init(
    of record: RegistrationRecord, keptBy keeper: ContainerCore?,
    requestedBy requester: Construction?, isShared: Bool = true
  ) {
    self.init(
      record, keeper: keeper, requester: requester, isJunction: false, isShared: isShared)
  }

  /// The start of a resolution that is not itself the construction of a shared instance.
  @usableFromInline
  static func resolution() -> Construction {
    Construction(nil, keeper: nil, requester: nil, isJunction: false)
  }

  /// Whether it is over: a resolver kept beyond its factory starts resolutions of its own.
  var isFinished: Bool {
    guard isJunction else { return finished.load(ordering: .sequentiallyConsistent) }
    return (outer?.isFinished ?? true) && (requester?.isFinished ?? true)
  }

  /// Whether a resolver that belongs to `construction` has been kept beyond its factory.
  @usableFromInline @inline(never)
  static func isOver(_ construction: Construction?) -> Bool {
    construction?.isFinished ?? false
  }

  /// Ends it, and the resolution that began here.
  @usableFromInline
  func markFinished() {
    // Pairs with `isEntangled` after it, and with the reverse order in WaitForGraph.postpone.
    finished.store(true, ordering: .sequentiallyConsistent)
    graph.close()
  }

  /// Whether the resolution that this is a part of began here.
  var isBeginning: Bool { unsafe beginning == nil }

  /// Where the resolution began that this is a part of.
  var resolution: Construction {
    guard let beginning = unsafe beginning, !beginning.isFinished else { return self }
    return beginning
  }

  /// Tells resolutions apart, also when they are over.
  var number: UInt64 {
    let found = assignedNumber.load(ordering: .relaxed)
    if found != 0 { return found }
    let number = Construction.nextNumber()
    let (isFirst, first) = assignedNumber.compareExchange(
      expected: 0, desired: number, ordering: .relaxed)
    return isFirst ? number : first
  }

  /// Makes it known as the resolution that was numbered before it began.
  func assign(number: UInt64) {
    assignedNumber.store(number, ordering: .relaxed)
  }

  static func nextNumber() -> UInt64 {
    lastNumber.wrappingAdd(1, ordering: .relaxed).newValue
  }

  private static let lastNumber = Atomic<UInt64>(0)

  /// Whether its end concerns other constructions: an instance was lent to it or by it before its time, or
  /// an action of one waits for the other.
  var isEntangled: Bool { entangled.load(ordering: .sequentiallyConsistent) }

  func markEntangled() {
    entangled.store(true, ordering: .sequentiallyConsistent)
  }

  /// What the wait-for graph knows of it. The graph's mutex is held.
  var links: ConstructionLinks {
    if let madeLinks { return madeLinks }
    let links = ConstructionLinks()
    madeLinks = links
    return links
  }

  // MARK: - Nesting

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

  /// The innermost constructions that a resolve is a part of which `requester`'s resolver was asked for:
  /// that of the thread or task, and the requester.
  static func innermost(requestedBy requester: Construction?) -> [Construction] {
    [running ?? runningInTask, requester].compactMap { $0 }
  }

  /// The construction to which a resolver made now belongs, if the one that asks belongs to `construction`:
  /// that or the thread's, whichever is inside of the other, or both.
  @usableFromInline
  static func innermost(within construction: Construction?) -> Construction? {
    guard let running else { return construction }
    guard let construction, !construction.isFinished,
      !running.unfinishedChain.contains(where: { $0 === construction })
    else { return running }
    if construction.unfinishedChain.contains(where: { $0 === running }) { return construction }
    return Construction(nil, keeper: nil, requester: construction, isJunction: true)
  }

  /// This, or what it was a part of and is not over: constructions are not to hold all that came before.
  private var nearestUnfinished: Construction? {
    var next = self
    while next.isFinished {
      if next.outer != nil, next.requester != nil { return next }
      guard let around = next.outer ?? next.requester else { return nil }
      next = around
    }
    return next
  }

  // MARK: - The running construction

  /// The innermost construction that the calling task is running asynchronously.
  static var runningInTask: Construction? {
    haveTasksBuilt.load(ordering: .relaxed) ? ofTask : nil
  }

  /// Runs `body` as a part of this construction, in the calling task and the tasks that it makes.
  func runInTask<Result>(
    _ body: @Sendable () async throws -> sending Result
  ) async rethrows -> sending Result {
    Self.haveTasksBuilt.store(true, ordering: .relaxed)
    return try await Self.$ofTask.withValue(self, operation: body)
  }

  @TaskLocal private static var ofTask: Construction?

  /// Looking a task-local value up takes longer than all else that a construction begins with. A task that
  /// has one has stored this before.
  private static let haveTasksBuilt = Atomic<Bool>(false)

  /// The innermost construction that the calling thread is running.
  static var running: Construction? {
    guard let pointer = unsafe corinth_thread_construction(corinth_thread_current()) else {
      return nil
    }
    // SAFETY: whoever calls `enter` keeps it alive on this thread's stack until `leave`.
    return unsafe Unmanaged<Construction>.fromOpaque(pointer).takeUnretainedValue()
  }

  /// Makes this the calling thread's running construction, until ``leave(to:)``.
  func enter() {
    unsafe corinth_thread_set_construction(
      corinth_thread_current(), Unmanaged.passUnretained(self).toOpaque())
  }

  /// Ends what ``enter()`` began, on the same thread: `previous` is running again.
  func leave(to previous: Construction?) {
    let previous = unsafe previous.map { unsafe Unmanaged.passUnretained($0).toOpaque() }
    unsafe corinth_thread_set_construction(corinth_thread_current(), previous)
  }

  // MARK: - The short way

  /// What the short way needs while the factory runs. Here, as it would take a lot of the stack.
  @safe
  private struct ShortWay {
    let state: InstanceState
    // SAFETY: whoever asked holds the container, and the previous construction is further out on the stack.
    let home: Unmanaged<ContainerCore>
    let previous: UnsafeMutableRawPointer?
  }

  /// Begins to build for a claimed state, until ``leaveShortWay()``.
  func enter(building state: InstanceState, in home: Unmanaged<ContainerCore>) {
    shortWay = unsafe ShortWay(
      state: state, home: home,
      previous: corinth_thread_construction(corinth_thread_current()))
    enter()
  }

  /// The container in which the instance's dependencies are resolved, on the short way.
  var home: ContainerCore {
    guard let shortWay else {
      preconditionFailure("Construction.home: it must be on the short way")
    }
    return unsafe shortWay.home.takeUnretainedValue()
  }

  /// Ends what ``enter(building:in:)`` began, on the same thread.
  ///
  /// - Returns: the state, which is not kept any longer: it leads to the instance, which may hold this. And the
  ///   container in which the dependencies were resolved.
  func leaveShortWay() -> (state: InstanceState, home: Unmanaged<ContainerCore>) {
    guard let shortWay else {
      preconditionFailure("Construction.leaveShortWay: it must be on the short way")
    }
    self.shortWay = nil
    unsafe corinth_thread_set_construction(corinth_thread_current(), shortWay.previous)
    return unsafe (shortWay.state, shortWay.home)
  }

  // MARK: - Fork

  /// Whether the thread that builds was left behind by a fork.
  var isOrphaned: Bool {
    forkGeneration.load(ordering: .relaxed) != corinth_fork_generation()
  }

  /// In the child of a fork: what the forking thread was building is still being built. Nobody waits for
  /// it any more; see `WaitForGraph` for why the waits are not destroyed.
  static func adoptRunningAfterFork() {
    var next = running
    while let construction = next {
      construction.forkGeneration.store(corinth_fork_generation(), ordering: .relaxed)
      unsafe withUnsafeMutablePointer(to: &construction.madeLinks) {
        unsafe $0.initialize(to: nil)
      }
      next = construction.outer
    }
  }
}
