// SPDX-License-Identifier: MIT

/// The containers that are being closed asynchronously, and who waits for that.
///
/// Kept here and not in the containers: most are never closed by more than one caller.
enum ClosingEvents {
  // SAFETY: only touched with the mutex of the wait-for graph held.
  nonisolated(unsafe) private static var waiters:
    [ObjectIdentifier: [CheckedContinuation<Void, Never>]] = [:]

  /// For each closing, those which its disposers wait for.
  // SAFETY: only touched with the mutex of the wait-for graph held.
  nonisolated(unsafe) private static var awaited: [ObjectIdentifier: [ObjectIdentifier]] = [:]

  /// Announces a closing.
  ///
  /// - Returns: `false` when one is under way.
  static func begin(_ registry: ContainerCore) -> Bool {
    _ = isPreparedForFork
    WaitsMutex.lock()
    defer { WaitsMutex.unlock() }
    if unsafe waiters[ObjectIdentifier(registry)] != nil { return false }
    unsafe waiters[ObjectIdentifier(registry)] = []
    return true
  }

  /// Lets those go on who wait for the end of a closing.
  static func end(_ registry: ContainerCore) {
    WaitsMutex.lock()
    let ended = ObjectIdentifier(registry)
    let resumed = unsafe waiters.removeValue(forKey: ended) ?? []
    unsafe awaited = unsafe awaited.compactMapValues { closings in
      let left = closings.filter { $0 != ended }
      return left.isEmpty ? nil : left
    }
    WaitsMutex.unlock()
    for continuation in resumed { continuation.resume() }
  }

  /// Suspends until the closing that is under way, if any, has ended, unless that waits for the caller.
  ///
  /// - Parameter closings: those whose disposer the caller is.
  nonisolated(nonsending)
    static func waitForEnd(of registry: ContainerCore, within closings: [ObjectIdentifier]) async
  {
    let awaitedOne = ObjectIdentifier(registry)
    await withCheckedContinuation { continuation in
      WaitsMutex.lock()
      let isUnderWay = unsafe waiters[awaitedOne] != nil && !leads(from: awaitedOne, to: closings)
      if isUnderWay {
        for closing in closings { unsafe awaited[closing, default: []].append(awaitedOne) }
        unsafe waiters[awaitedOne]?.append(continuation)
      }
      WaitsMutex.unlock()
      if !isUnderWay { continuation.resume() }
    }
  }

  private static let isPreparedForFork: Void = {
    // Made here: an initialiser that another thread is running at the fork would never end in the child.
    WaitsMutex.lock()
    _ = unsafe (waiters.count, awaited.count)
    WaitsMutex.unlock()
    ForkHandlers.add(inChild: forgetAfterFork)
  }()

  /// In the child of a fork: the tasks are gone. Nothing is destroyed, as that would free memory in a child that
  /// may have been forked in the middle of an allocation.
  private static func forgetAfterFork() {
    unsafe withUnsafeMutablePointer(to: &waiters) { unsafe $0.initialize(to: [:]) }
    unsafe withUnsafeMutablePointer(to: &awaited) { unsafe $0.initialize(to: [:]) }
  }

  private static func leads(from closing: ObjectIdentifier, to goals: [ObjectIdentifier]) -> Bool {
    var reached = [closing]
    var next = 0
    while next < reached.count {
      if goals.contains(reached[next]) { return true }
      for each in unsafe awaited[reached[next]] ?? [] where !reached.contains(each) {
        reached.append(each)
      }
      next += 1
    }
    return false
  }
}
