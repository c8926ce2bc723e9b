// SPDX-License-Identifier: MIT

import Corinth
import Foundation
import TestSupport

extension ClosingWorld {
  /// The constructions that the caller is inside of need not be waited for by what it closes.
  func exemptFrames() {
    exempt.withValue { $0.formUnion(Self.frames) }
  }

  /// A construction that has waited for one that closes something is in the same position.
  func noteResolve() {
    if Self.frames.isEmpty { return }
    exempt.withValue { exempt in
      // Which ones it has waited for, nobody tells: any of the greater products.
      let deepest = Self.frames.map(\.product).max() ?? 0
      if exempt.contains(where: { $0.product > deepest }) { exempt.formUnion(Self.frames) }
    }
  }

  /// What a closer from outside finds once it has returned.
  func check(_ container: Container, after result: Result<Void, any Error>) {
    if case .failure(let error) = result {
      switch error {
      case CloseError.asyncCloseRequired, CloseError.asyncCloseUnderWay: break
      default: problem("\(error)")
      }
      return
    }
    if !container.isClosed { problem("open after its closing") }
    if !Self.frames.isEmpty || Self.isDisposing { return }
    for handle in undisposed where handle.keeper == ObjectIdentifier(container) {
      problem("product \(handle.product) disposed of \(handle.disposals.value) times")
    }
  }

  private var undisposed: [Handle] {
    let (handles, exempt) = (handles.value, exempt.value)
    return handles.filter { handle in
      let count = handle.disposals.value
      let isExempt = exempt.contains(Frame(product: handle.product, keeper: handle.keeper))
      return count > 1 || count == 0 && !isExempt
    }
  }

  private func problem(_ description: String) {
    problems.withValue { $0.append(description) }
  }

  /// Lets the callers run, every other one on a thread.
  func run() async {
    let onThread = scripts.indices.filter { $0 % 2 == 0 }
    let inTask = scripts.indices.filter { $0 % 2 == 1 }
    let (start, begun) = (Barrier(onThread.count), AsyncGate())
    let threads = onThread.map { index in
      let ended = AsyncGate()
      let thread = JoinableThread { [self] in
        start.wait()
        begun.open()
        for step in scripts[index] { runOnThread(step) }
        ended.open()
      }
      return (thread, ended)
    }
    let tasks = inTask.map { index in
      Task { [self] in
        await begun.wait()
        for step in scripts[index] { await run(step) }
      }
    }
    for task in tasks { await task.value }
    for (thread, ended) in threads {
      // A thread of the pool is not to be blocked while another one needs it.
      await ended.wait()
      _ = thread.join()
    }
  }

  /// Closes all containers, and returns what went wrong.
  func findings() async -> [String] {
    for container in containers.reversed() { await close(container, .asynchronous) }
    // A synchronous `withScope` leaves the rest to a task.
    await waitUntil { undisposed.isEmpty }
    for handle in undisposed {
      problem("product \(handle.product) disposed of \(handle.disposals.value) times in the end")
    }
    return problems.value
  }
}
