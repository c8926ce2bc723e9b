// SPDX-License-Identifier: MIT

import Corinth

/// The operations of a trial. Their errors do not count: only the account does.
extension AccountTrial {
  func run(_ thread: AccountProgram.Thread) {
    var overrides: [Registration<Instance>] = []
    for operation in thread.operations {
      Pause.block(operation.pause)
      try? run(operation, in: containers[operation.container], &overrides)
    }
  }

  func run(_ thread: AccountProgram.Thread) async {
    var overrides: [Registration<Instance>] = []
    for operation in thread.operations {
      for _ in 0..<operation.pause { await Task.yield() }
      try? await runInTask(operation, in: containers[operation.container], &overrides)
    }
  }

  private func run(
    _ operation: AccountProgram.Operation, in container: Container,
    _ overrides: inout [Registration<Instance>]
  ) throws {
    let departures = departures(in: operation)
    for each in departures { each.begin() }
    defer { for each in departures { each.end() } }
    switch operation.kind {
    case .resolve(let key): _ = try container.resolve(Instance.self, name: names[key])
    case .release(let key), .dispose(let key): container.release(Instance.self, name: names[key])
    case .releaseAll: container.releaseAll()
    case .unregister(let key): container.unregister(Instance.self, name: names[key])
    case .register(let key): try register(key, in: container)
    case .override(let key): overrides.append(try self.override(key, in: container))
    case .restore: overrides.popLast()?.restore()
    case .replace(let key, _): try syncReplace(key, in: container)
    case .scope(let key, let closes):
      try use(container.makeScope(), key, closes: closes)
    case .fork(let key, let closes):
      try use(container.fork(), key, closes: closes)
    case .close, .shutdown: try container.syncClose()
    }
  }

  private func runInTask(
    _ operation: AccountProgram.Operation, in container: Container,
    _ overrides: inout [Registration<Instance>]
  ) async throws {
    let departures = departures(in: operation)
    for each in departures { each.begin() }
    defer { for each in departures { each.end() } }
    switch operation.kind {
    case .resolve(let key):
      _ = try await container.resolveAsync(Instance.self, name: names[key])
    case .dispose(let key):
      try await container.release(Instance.self, name: names[key], disposing: true)
    case .replace(let key, let disposesOld):
      try await replace(key, in: container, disposesOld: disposesOld)
    case .scope(let key, let closes):
      try await useInTask(container.makeScope(), key, closes: closes)
    case .fork(let key, let closes):
      try await useInTask(container.fork(), key, closes: closes)
    case .close: try await container.close()
    case .shutdown: try await container.shutdown()
    case .release, .releaseAll, .unregister, .register, .override, .restore:
      try run(operation, in: container, &overrides)
    }
  }

  /// What an operation lets go, from its begin to its end. The others know better.
  private func departures(in operation: AccountProgram.Operation) -> [Departures] {
    switch operation.kind {
    case .release(let key), .unregister(let key), .override(let key), .replace(let key, _),
      .dispose(let key):
      [departures[key]]
    case .releaseAll, .restore, .close, .shutdown: departures
    case .resolve, .register, .scope, .fork: []
    }
  }

  /// Resolves in a container of its own, and closes or drops it.
  private func use(_ made: consuming Container, _ key: Int, closes: Bool) throws {
    var container = Optional(made)
    _ = try? container?.resolve(Instance.self, name: names[key])
    for each in departures { each.begin() }
    defer { for each in departures { each.end() } }
    if closes { try container?.syncClose() }
    container = nil
  }

  private func useInTask(_ made: consuming Container, _ key: Int, closes: Bool) async throws {
    var container = Optional(made)
    _ = try? await container?.resolveAsync(Instance.self, name: names[key])
    for each in departures { each.begin() }
    defer { for each in departures { each.end() } }
    if closes { try await container?.close() }
    container = nil
  }
}
