// SPDX-License-Identifier: MIT

import Corinth
import Foundation
import TestSupport

/// A tree of containers, products whose factories and disposers close some of these, and callers that resolve and
/// close.
final class ClosingWorld: Sendable {
  /// An instance, with the container that keeps it.
  final class Handle: Sendable {
    let product: Int
    let keeper: ObjectIdentifier
    let disposals = AtomicCounter()

    init(_ product: Int, in keeper: Container) {
      self.product = product
      self.keeper = ObjectIdentifier(keeper)
    }
  }

  /// One step of a factory, a disposer or a caller.
  enum Step: Sendable {
    /// Some microseconds.
    case pause(UInt32)
    case resolve(product: Int, container: Int)
    case close(container: Int, Way)
    case withScope(product: Int, container: Int, Way)
  }

  enum Way: Int, CaseIterable {
    case synchronous
    case asynchronous
    case shutdown
  }

  /// What a product is like.
  struct Product: Sendable {
    let isAsynchronous: Bool
    let isSingleton: Bool
    let factory: [Step]
    let hasAsynchronousDisposer: Bool
    let disposer: [Step]
  }

  /// A construction under way. One that closes a container is not waited for by that closing, nor is one that
  /// waits for it: these instances may go without disposal.
  struct Frame: Hashable {
    let product: Int
    let keeper: ObjectIdentifier
  }

  @TaskLocal static var frames: [Frame] = []
  @TaskLocal static var isDisposing = false

  private let seed: UInt64
  let products: [Product]
  let containers: [Container]
  private let scripts: [[Step]]
  let handles = Shared<[Handle]>([])
  let exempt = Shared<Set<Frame>>([])
  let problems = Shared<[String]>([])

  init(seed: UInt64) throws {
    self.seed = seed
    var random = SeededGenerator(seed: seed)
    let root = Container()
    var containers = [root]
    for _ in 0..<Int.random(in: 1...3, using: &random) {
      let parent = containers.randomElement(using: &random) ?? root
      containers.append(
        Int.random(in: 0..<4, using: &random) == 0
          ? Container(parent: parent) : parent.makeScope())
    }
    self.containers = containers
    let count = Int.random(in: 1...4, using: &random)
    var products: [Product] = []
    for product in 0..<count {
      func steps(_ most: Int) -> [Step] {
        (0..<Int.random(in: 1...most, using: &random)).map { _ in
          Step.random(
            above: product, of: count, containers: containers.count, using: &random)
        }
      }
      products.append(
        Product(
          isAsynchronous: .random(using: &random), isSingleton: .random(using: &random),
          factory: steps(3), hasAsynchronousDisposer: .random(using: &random),
          disposer: steps(3)))
    }
    self.products = products
    scripts = (0..<Int.random(in: 2...6, using: &random)).map { _ in
      (0..<Int.random(in: 1...4, using: &random)).map { _ in
        Step.random(above: -1, of: count, containers: containers.count, using: &random)
      }
    }
    for index in products.indices { try register(index) }
  }
}

extension ClosingWorld.Step {
  /// - Parameter product: only those with a greater number are resolved, so that there is no cycle.
  static func random(
    above product: Int, of products: Int, containers: Int, using random: inout SeededGenerator
  ) -> Self {
    let container = Int.random(in: 0..<containers, using: &random)
    let way = ClosingWorld.Way.allCases.randomElement(using: &random) ?? .synchronous
    guard product + 1 < products else {
      return Bool.random(using: &random)
        ? .pause(.random(in: 0..<200, using: &random)) : .close(container: container, way)
    }
    let resolved = Int.random(in: product + 1..<products, using: &random)
    switch Int.random(in: 0..<10, using: &random) {
    case 0..<2: return .pause(.random(in: 0..<200, using: &random))
    case 2..<6: return .resolve(product: resolved, container: container)
    case 6..<7: return .withScope(product: resolved, container: container, way)
    default: return .close(container: container, way)
    }
  }
}

// MARK: - Products

extension ClosingWorld {
  private func register(_ index: Int) throws {
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
      try registration.onDispose { [self] handle in
        await Self.$isDisposing.withValue(true) {
          for step in product.disposer { await run(step) }
        }
        handle.disposals.add()
      }
    } else {
      try registration.onDispose { [self] handle in
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

// MARK: - Steps

extension ClosingWorld {
  private func run(_ step: Step) async {
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

  private func runOnThread(_ step: Step) {
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
        try containers[container].withScope {
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

  private func close(_ container: Container, _ way: Way) async {
    exemptFrames()
    let result = await outcome(of: {
      switch way {
      case .synchronous: try { try container.close() }()
      case .asynchronous: try await container.close()
      case .shutdown: try await container.shutdown()
      }
    })
    check(container, after: result)
  }

  private func closeOnThread(_ container: Container) {
    exemptFrames()
    check(container, after: Result { try container.close() })
  }
}

// MARK: - Checks

extension ClosingWorld {
  /// The constructions that the caller is inside of need not be waited for by what it closes.
  private func exemptFrames() {
    exempt.withValue { $0.formUnion(Self.frames) }
  }

  /// A construction that has waited for one that closes something is in the same position.
  private func noteResolve() {
    if Self.frames.isEmpty { return }
    exempt.withValue { exempt in
      // Which ones it has waited for, nobody tells: any of the greater products.
      let deepest = Self.frames.map(\.product).max() ?? 0
      if exempt.contains(where: { $0.product > deepest }) { exempt.formUnion(Self.frames) }
    }
  }

  /// What a closer from outside finds once it has returned.
  private func check(_ container: Container, after result: Result<Void, any Error>) {
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
    let (onThread, inTask) = (scripts.indices.filter { $0 % 2 == 0 }, scripts.indices.filter { $0 % 2 == 1 })
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
    for _ in 0..<5000 where !undisposed.isEmpty { try? await Task.sleep(for: .milliseconds(1)) }
    for handle in undisposed {
      problem("product \(handle.product) disposed of \(handle.disposals.value) times in the end")
    }
    return problems.value
  }
}
