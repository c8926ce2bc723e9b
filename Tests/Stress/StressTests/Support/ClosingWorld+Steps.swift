// SPDX-License-Identifier: MIT

import Corinth
import Foundation
import TestSupport

extension ClosingWorld {
  func register(_ index: Int) throws {
    let product = products[index]
    // The world and its containers refer to each other until these are closed.
    let registration: Registration<Handle> =
      product.isAsynchronous
      ? try containers[0].registerAsync(
        Handle.self, name: Name(index), scope: product.isSingleton ? .singleton : .scoped
      ) { [self] resolver in
        let keeper = try resolver.container
        return await build(index, in: keeper)
      }
      : try containers[0].register(
        Handle.self, name: Name(index), scope: product.isSingleton ? .singleton : .scoped
      ) { [self] resolver in
        buildOnThread(index, in: try resolver.container)
      }
    if product.hasAsynchronousDisposer {
      registration.onDispose { [self] handle in
        await Self.$isDisposing.withValue(true) {
          for step in product.disposer { await run(step) }
        }
        handle.disposals.add()
      }
    } else {
      registration.onDispose { [self] handle in
        Self.$isDisposing.withValue(true) {
          for step in product.disposer { runOnThread(step) }
        }
        handle.disposals.add()
      }
    }
  }

  private func build(_ index: Int, in keeper: Container) async -> Handle {
    let frame = Frame(product: index, keeper: ObjectIdentifier(keeper))
    await Self.$frames.withValue(Self.frames + [frame]) {
      for step in products[index].factory { await run(step) }
    }
    return made(Handle(index, in: keeper))
  }

  private func buildOnThread(_ index: Int, in keeper: Container) -> Handle {
    let frame = Frame(product: index, keeper: ObjectIdentifier(keeper))
    Self.$frames.withValue(Self.frames + [frame]) {
      for step in products[index].factory { runOnThread(step) }
    }
    return made(Handle(index, in: keeper))
  }

  private func made(_ handle: Handle) -> Handle {
    handles.withValue { $0.append(handle) }
    return handle
  }
}

extension ClosingWorld {
  func run(_ step: Step) async {
    switch step {
    case .pause(let time):
      try? await Task.sleep(for: .microseconds(time))
    case .resolve(let product, let container):
      await resolve(product, from: containers[container])
    case .close(let container, let way):
      await close(containers[container], way)
    case .withScope(let product, let container, let way):
      exemptFrames()
      var scope: Container?
      let error = await outcome(of: {
        try await containers[container].withScope {
          scope = $0
          await resolve(product, from: $0)
          if way != .shutdown { await close($0, way) }
        }
      })
      if let scope { check(scope, after: error) }
    }
  }

  func runOnThread(_ step: Step) {
    switch step {
    case .pause(let time):
      usleep(time)
    case .resolve(let product, let container):
      let container = containers[container]
      _ = try? container.resolve(Handle.self, name: Name(product))
      noteResolve()
    case .close(let container, _):
      closeOnThread(containers[container])
    case .withScope(let product, let container, let way):
      exemptFrames()
      var scope: Container?
      let result = Result {
        try containers[container].syncWithScope {
          scope = $0
          _ = try? $0.resolve(Handle.self, name: Name(product))
          if way != .shutdown { closeOnThread($0) }
        }
      }
      noteResolve()
      if let scope { check(scope, after: result) }
    }
  }

  private func resolve(_ product: Int, from container: Container) async {
    _ = try? await container.resolveAsync(Handle.self, name: Name(product))
    noteResolve()
  }

  func close(_ container: Container, _ way: Way) async {
    exemptFrames()
    let result = await outcome(of: {
      switch way {
      case .synchronous: try { try container.syncClose() }()
      case .asynchronous: try await container.close()
      case .shutdown: try await container.shutdown()
      }
    })
    check(container, after: result)
  }

  private func closeOnThread(_ container: Container) {
    exemptFrames()
    check(container, after: Result { try container.syncClose() })
  }
}
