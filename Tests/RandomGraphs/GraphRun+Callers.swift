// SPDX-License-Identifier: MIT

import Corinth
import Foundation
import Synchronization

/// Those who ask, and those who close.
extension GraphRun {
  /// Begins all callers.
  func beginCallers() {
    var jobs: [WorkerPool.Job] = []
    begin(graph.callers.count + graph.closings.count)
    for (number, caller) in graph.callers.enumerated() {
      if caller.isTask {
        beginTask(number, caller, &jobs)
      } else {
        jobs.append {
          for service in caller.services {
            self.answer(number, caller, service, Result { try self.ask(caller, service) })
          }
          self.end()
        }
      }
    }
    for (number, closing) in graph.closings.enumerated() { beginClosing(number, closing) }
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
        let outcome: Result<Product, any Error>
        do {
          outcome = .success(
            try await containers[caller.container].resolveAsync(
              Product.self, name: names[service]))
        } catch {
          outcome = .failure(error)
        }
        answer(number, caller, service, outcome)
      }
      end()
    }
    guard let delay = caller.cancelledAfter else { return }
    begin()
    jobs.append {
      Self.wait(delay)
      task.cancel()
      self.end()
    }
  }

  private func beginClosing(_ number: Int, _ closing: ClosingDescription) {
    Task {
      for _ in 0..<closing.after { await Task.yield() }
      await close(closing.container, by: closing.kind)
      end()
    }
  }

  func close(_ index: Int, by kind: ClosingDescription.Kind) async {
    do {
      switch kind {
      case .close: try await containers[index].close()
      case .shutdown: try await containers[index].shutdown()
      }
    } catch {
      report(.disposal, "closing c\(index) threw \(error)")
    }
  }

  private func answer(
    _ number: Int, _ caller: CallerDescription, _ service: Int,
    _ outcome: Result<Product, any Error>
  ) {
    answer(Answer(service: service, container: caller.container, caller: number, outcome: outcome))
  }

  /// Looks at an instance at the moment when it has been handed out, and keeps it until the end.
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
  fileprivate static func wait(_ length: Int) {
    if length < 20 {
      for _ in 0..<(1 << length / 2) { _ = Atomic(0).load(ordering: .sequentiallyConsistent) }
    } else {
      usleep(UInt32(10 * (length - 20)))
    }
  }
}
