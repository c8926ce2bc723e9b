// SPDX-License-Identifier: MIT

import Corinth
import Foundation
import Synchronization

/// The callers of a graph.
extension GraphRun {
  /// Begins all callers.
  func beginCallers() {
    var jobs: [WorkerPool.Job] = []
    let late = watchers.filter { $0.description.after != nil }
    begin(graph.callers.count + graph.closings.count + graph.changes.count + late.count)
    for (number, caller) in graph.callers.enumerated() {
      if caller.isTask {
        beginTask(number, caller, &jobs)
      } else {
        jobs.append {
          for service in caller.services {
            let asked = self.now()
            self.answer(number, service, asked, Result { try self.ask(caller, service) })
          }
          self.end()
        }
      }
    }
    for watcher in late {
      jobs.append {
        self.wait(watcher.description.after ?? 0)
        self.add(watcher)
        self.end()
      }
    }
    for change in graph.changes {
      jobs.append {
        self.wait(change.after)
        self.change(change.service, by: change.kind)
        self.end()
      }
    }
    for closing in graph.closings {
      jobs.append {
        self.wait(closing.after)
        self.beginClosing(closing.container, by: closing.kind) { self.end() }
      }
    }
    if !jobs.isEmpty { WorkerPool.shared.begin(jobs) }
  }

  private func ask(_ caller: CallerDescription, _ service: Int) throws -> Product {
    try containers[caller.container].resolve(Product.self, name: names[service])
  }

  private func beginTask(
    _ number: Int, _ caller: CallerDescription, _ jobs: inout [WorkerPool.Job]
  ) {
    let task = Task {
      for service in caller.services {
        let asked = now()
        let outcome: Result<Product, any Error>
        do {
          outcome = .success(
            try await containers[caller.container].resolveAsync(
              Product.self, name: names[service]))
        } catch {
          outcome = .failure(error)
        }
        answer(number, service, asked, outcome)
      }
      end()
    }
    guard let delay = caller.cancelledAfter else { return }
    begin()
    jobs.append {
      self.wait(delay)
      task.cancel()
      self.end()
    }
  }

  private func answer(
    _ number: Int, _ service: Int, _ asked: Int, _ outcome: Result<Product, any Error>
  ) {
    answer(
      Answer(
        service: service, container: graph.callers[number].container, caller: number,
        asked: asked, outcome: outcome))
  }

  /// Checks an instance at the moment when a caller gets it, and keeps it until the end of the run.
  func answer(_ answer: Answer) {
    var answer = answer
    if case .success(let product) = answer.outcome, !answer.isInside {
      answer.incompleteness = incompleteness(of: product)
    }
    withSeen { $0.answers.append(answer) }
  }
}

extension GraphRun {
  /// A short time, which grows with `length`: from nothing to a few hundred microseconds.
  fileprivate func wait(_ length: Int) {
    if length < 20 {
      for _ in 0..<(1 << length / 2) { _ = now() }
    } else {
      usleep(UInt32(10 * (length - 20)))
    }
  }
}
