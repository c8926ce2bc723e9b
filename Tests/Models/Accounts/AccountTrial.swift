// SPDX-License-Identifier: MIT

import Corinth
import Foundation
import TestSupport

/// One run of a program.
final class AccountTrial: @unchecked Sendable {
  // SAFETY: constant but for `containers`, which only the thread of the trial changes, while no
  // other thread runs.

  struct Failure: Error {}

  /// An instance. It is plain but for its deinit.
  final class Instance: @unchecked Sendable {
    // SAFETY: all is constant.
    let entry: Ledger.Entry
    private let ledger: Ledger
    private let need: Instance?
    private let atEnd: (@Sendable () -> Void)?

    init(
      _ entry: Ledger.Entry, in ledger: Ledger, need: Instance?, atEnd: (@Sendable () -> Void)?
    ) {
      self.entry = entry
      self.ledger = ledger
      self.need = need
      self.atEnd = atEnd
      ledger.alive.add()
      ledger.add(entry)
    }

    deinit {
      atEnd?()
      ledger.alive.add(-1)
    }
  }

  let program: AccountProgram
  let ledger = Ledger()
  let names: [Name]
  /// For each key, what lets its instances go.
  let departures: [Departures]
  private(set) var containers: [Container] = []

  init(_ program: AccountProgram) {
    self.program = program
    names = program.keys.indices.map { Name("k\($0)") }
    departures = program.keys.map { _ in Departures() }
  }

  /// - Parameter patience: for how many seconds it waits for what comes a moment later.
  /// - Returns: what does not add up.
  func run(patience: TimeInterval) -> [String] {
    defer { ledger.end() }
    do {
      try begin()
    } catch {
      return ["the program could not begin: \(error)"]
    }
    runThreads()
    endContainers()
    // Constructions end a moment after their waiters have returned, and tasks close what a
    // synchronous call could not.
    let deadline = Date(timeIntervalSinceNow: patience)
    var rounds = 0
    while true {
      Reclamation.reclaimAll()
      let problems = ledger.problems
      if problems.isEmpty || Date() > deadline { return problems }
      rounds += 1
      if rounds > 5 { usleep(50) }
    }
  }

  private func begin() throws {
    let root = Container()
    containers = [root]
    for key in program.keys.indices { try register(key, in: root) }
    for container in program.containers.dropFirst() {
      switch container.relation {
      case .root, .child: containers.append(Container(parent: root))
      case .scope: containers.append(root.makeScope())
      case .fork: containers.append(root.fork())
      }
    }
  }

  private func runThreads() {
    let done = DispatchGroup()
    let gate = Barrier(program.threads.count { !$0.isTask })
    for thread in program.threads {
      done.enter()
      if thread.isTask {
        Task {
          await self.run(thread)
          done.leave()
        }
      } else {
        Foundation.Thread.detachNewThread {
          gate.wait()
          self.run(thread)
          done.leave()
        }
      }
    }
    done.wait()
  }

  private func endContainers() {
    while let container = containers.popLast() {
      if program.containers[containers.count].isDropped { continue }
      let done = DispatchSemaphore(value: 0)
      Task {
        try? await container.close()
        done.signal()
      }
      done.wait()
    }
  }
}
