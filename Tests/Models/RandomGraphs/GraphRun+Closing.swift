// SPDX-License-Identifier: MIT

import Corinth

/// Closings and changes of registrations.
extension GraphRun {
  /// Closes a container, on the calling thread or in a task.
  func beginClosing(
    _ index: Int, by kind: ClosingDescription.Kind, then body: @escaping @Sendable () -> Void
  ) {
    if kind == .synchronousClose, closeSynchronously(index) {
      body()
      return
    }
    Task {
      await close(index, by: kind)
      body()
    }
  }

  /// - Returns: `false` if the container refused it for the sake of an asynchronous service.
  private func closeSynchronously(_ index: Int) -> Bool {
    noteBeginOfClosing()
    do {
      try containers[index].syncClose()
      noteClosing(of: index)
      return true
    } catch {
      if let error = error as? CloseError, mayRefuse(error, index) { return false }
      report(.disposal, "closing c\(index) threw \(error)")
      return true
    }
  }

  /// Whether a synchronous close may throw the error: for the sake of an asynchronous service, or
  /// of a task that is closing the container. Another synchronous close that is refused goes on in
  /// a task.
  private func mayRefuse(_ error: CloseError, _ index: Int) -> Bool {
    let hasAsync = graph.services.indices.contains {
      graph.services[$0].disposer == .async || graph.isAsynchronous($0)
    }
    let isClosedInTask = graph.closings.contains {
      $0.container == index && $0.kind != .synchronousClose
    }
    return switch error {
    case .asyncCloseRequired: hasAsync
    case .asyncCloseUnderWay: hasAsync || isClosedInTask
    case .disposalFailed, .drainingTimedOut, .shutdownInScope, .workFailed: false
    }
  }

  func close(_ index: Int, by kind: ClosingDescription.Kind) async {
    noteBeginOfClosing()
    do {
      if kind == .shutdown {
        try await containers[index].shutdown()
      } else {
        try await containers[index].close()
      }
      noteClosing(of: index)
    } catch {
      report(.disposal, "closing c\(index) threw \(error)")
    }
  }

  private func noteClosing(of index: Int) {
    let time = now()
    withSeen { $0.closings.append(Closing(container: index, time: time)) }
  }

  func change(_ index: Int, by kind: ChangeDescription.Kind) {
    switch kind {
    case .release:
      containers[graph.services[index].container].release(Product.self, name: names[index])
    case .override:
      do { try register(index) } catch {
        if case RegistrationError.containerClosed = error, !graph.closings.isEmpty { return }
        report(.error, "s\(index) could not be registered: \(error)")
      }
    }
  }
}
