// SPDX-License-Identifier: MIT

import Foundation
public import TestSupport

/// Runs histories on threads that are kept from one to the next.
public final class HistoryRunner: Sendable {
  public typealias MakeSubject = @Sendable (HistoryScript, LifetimeTracker) -> any HistorySubject

  private static let threads = 4
  private let makeSubject: MakeSubject
  private let current = Locked<Batch?>(nil)
  private let begin = Barrier(threads + 1)
  private let end = Barrier(threads + 1)
  private let workers = Locked<[JoinableThread<Void>]>([])

  public init(on makeSubject: @escaping MakeSubject) {
    self.makeSubject = makeSubject
    workers.withLock { workers in
      workers = (0..<Self.threads).map { index in
        JoinableThread { [self] in work(index) }
      }
    }
  }

  /// Ends the threads. Call it once, when no batch is running.
  public func stop() {
    begin.wait()
    let workers = workers.withLock { $0 }
    for worker in workers { _ = worker.join() }
  }

  /// Runs the scripts one after the other, and returns what is wrong with each.
  public func run(_ scripts: [HistoryScript]) -> [HistoryVerdict] {
    let batch = Batch(scripts.map { History($0, makeSubject) })
    current.withLock { $0 = batch }
    begin.wait()
    end.wait()
    current.withLock { $0 = nil }
    return batch.histories.map { $0.verdict() }
  }

  private func work(_ index: Int) {
    while true {
      begin.wait()
      guard let batch = current.withLock({ $0 }) else { return }
      if index < batch.threads { batch.run(on: index) }
      end.wait()
    }
  }

  private final class Batch: Sendable {
    let histories: [History]
    /// As many as the histories need: on a busy machine a barrier waits long for a thread too many.
    let threads: Int
    private let barrier: SpinBarrier

    init(_ histories: [History]) {
      self.histories = histories
      threads = histories.map(\.threads).max() ?? 0
      barrier = SpinBarrier(threads)
    }

    func run(on thread: Int) {
      for (round, history) in histories.enumerated() {
        let run = history.prepare(thread: thread)
        barrier.wait(round: round)
        run()
      }
    }
  }
}

/// One run of a script.
final class History: Sendable {
  private let script: HistoryScript
  private let tracker = LifetimeTracker()
  private let subject: Locked<(any HistorySubject)?>
  private let clock = AtomicCounter()
  private let events: Locked<[HistoryEvent]>

  var threads: Int { script.threads.count }

  init(_ script: HistoryScript, _ makeSubject: HistoryRunner.MakeSubject) {
    self.script = script
    let subject = makeSubject(script, tracker)
    self.subject = Locked(subject)
    let clock = clock
    events = Locked(script.prelude.map { Self.perform($0, on: subject, thread: nil, clock) })
  }

  /// - Returns: what runs the operations of one thread.
  func prepare(thread: Int) -> () -> Void {
    guard thread < script.threads.count, let subject = subject.withLock({ $0 }) else { return {} }
    let operations = script.threads[thread]
    return { [self] in
      let made = operations.map { Self.perform($0, on: subject, thread: thread, clock) }
      events.withLock { $0 += made }
    }
  }

  private static func perform(
    _ operation: HistoryScript.Operation, on subject: any HistorySubject, thread: Int?,
    _ clock: AtomicCounter
  ) -> HistoryEvent {
    operation.pauses.before.take()
    let start = clock.add()
    let outcome = subject.perform(operation)
    return HistoryEvent(operation, thread: thread, outcome, time: start..<clock.add())
  }

  /// What is wrong with it, once all threads are done. Lets go of the container.
  func verdict() -> HistoryVerdict {
    let events = events.withLock { events in
      defer { events = [] }
      return events
    }
    let built = subject.withLock { subject in
      defer { subject = nil }
      return subject?.built ?? 0
    }
    return HistoryVerdict(events, built: built, tracker)
  }
}
