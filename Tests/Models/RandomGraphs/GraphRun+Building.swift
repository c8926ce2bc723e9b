// SPDX-License-Identifier: MIT

import Corinth
import Foundation

/// The factories and the actions of a graph.
extension GraphRun {
  func build(_ index: Int, _ resolver: Resolver) throws -> Product {
    begin()
    defer { end() }
    let asker = try enter(index, resolver)
    do {
      let early = try resolve(graph.services[index].factory, asker)
      graph.services[index].pause.block()
      return try finish(asker, early)
    } catch {
      note(error, out: (.letCycleOut, .letErrorOut), of: index, asker.container)
      throw error
    }
  }

  func buildAsync(_ index: Int, _ resolver: Resolver) async throws -> Product {
    begin()
    defer { end() }
    let asker = try enter(index, resolver)
    do {
      let early = try await resolveAsync(graph.services[index].factory, asker)
      await graph.services[index].pause.suspend()
      return try finish(asker, early)
    } catch {
      note(error, out: (.letCycleOut, .letErrorOut), of: index, asker.container)
      throw error
    }
  }

  func act(_ index: Int, _ number: Int, _ resolver: Resolver, _ product: Product) throws {
    begin()
    defer { end() }
    see(product)
    let product = product.base
    do {
      let needs = graph.services[index].actions[number].needs
      let late = try resolve(
        needs, Asker(product, resolver, captured: graph.services[index].container))
      graph.services[index].pause.block()
      try finish(product, number, late)
    } catch {
      note(error, out: (.letCycleOutOfAction, .letErrorOutOfAction), of: index, product.container)
      throw error
    }
  }

  func actAsync(
    _ index: Int, _ number: Int, _ resolver: Resolver, _ product: Product
  ) async throws {
    begin()
    defer { end() }
    see(product)
    let product = product.base
    do {
      let needs = graph.services[index].actions[number].needs
      let late = try await resolveAsync(
        needs, Asker(product, resolver, captured: graph.services[index].container))
      await graph.services[index].pause.suspend()
      try finish(product, number, late)
    } catch {
      note(error, out: (.letCycleOutOfAction, .letErrorOutOfAction), of: index, product.container)
      throw error
    }
  }

  // MARK: - Steps

  func enter(_ index: Int, _ resolver: Resolver) throws -> Asker {
    let container = self.index(of: try resolver.container)
    if tallies[index][container].add(.run) > runsAtMost { throw Endless() }
    let asker = Asker(
      service: index, container: container, serial: nextSerial(), resolver: resolver,
      captured: graph.services[index].container)
    references.add(.began(asker.serial, service: index))
    return asker
  }

  func finish(_ asker: Asker, _ early: [Product?]) throws -> Product {
    try fail(asker.service, .factory, asker.container)
    let product = Product(
      of: asker.service, in: asker.container, serial: asker.serial, early: early,
      actions: graph.services[asker.service].actions.count, alive: alive,
      parting: Parting(self, of: asker.service))
    for other in early.compactMap(\.self) {
      references.add(.refers(asker.serial, to: other.serial))
    }
    if graph.decorators(of: asker.service, in: asker.container).isEmpty {
      noteReturn(of: product, tallies[asker.service][asker.container])
    }
    return product
  }

  /// Notes that an instance is there: its factory has returned, or the last of its decorators.
  func noteReturn(of product: Product, _ tally: Tally) {
    tally.add(.returned)
    product.returned = now()
  }

  private func finish(_ product: Product, _ number: Int, _ late: [Product?]) throws {
    if number == graph.services[product.service].actions.count - 1 {
      try fail(product.service, .action, product.container)
    }
    for other in late.compactMap(\.self) {
      references.add(.refers(product.serial, to: other.serial))
    }
    product.late[number] = late.map { $0.map { reference(to: $0, from: product.service) } }
    product.completedActions = number + 1
  }

  func fail(
    _ index: Int, _ place: FailureDescription.Place, _ container: Int
  ) throws {
    guard let failure = graph.services[index].failure, failure.place == place else { return }
    let tally = tallies[index][container]
    if !failure.isPermanent, tally[.failed] > 0 { return }
    tally.add(.failed)
    throw Failure(service: index)
  }

  private func see(_ product: Product) {
    if !product.layers.isEmpty {
      report(.decoration, "an action of s\(product.service) got a decorated instance")
    }
    product.seen = min(product.seen, now())
  }

  private func reference(to product: Product, from index: Int) -> Product.Late {
    Product.Late(product, isWeak: analysis.reach[product.service].contains(index))
  }

  func note(
    _ error: any Error, out events: (cycle: Tally.Event, other: Tally.Event), of index: Int,
    _ container: Int
  ) {
    let isCycle = if case .cycle = ErrorKind(error) { true } else { false }
    tallies[index][container].add(isCycle ? events.cycle : events.other)
  }
}

extension ServiceDescription.Pause {
  func block() {
    switch self {
    case .none: break
    case .yield: sched_yield()
    case .spin: for _ in 0..<20 { sched_yield() }
    case .sleep: usleep(50)
    case .forever: while true { usleep(100_000) }
    case .trap: fatalError("as it was asked to")
    }
  }

  func suspend() async {
    switch self {
    case .none: break
    case .yield: await Task.yield()
    case .spin: for _ in 0..<20 { await Task.yield() }
    case .sleep: try? await Task.sleep(for: .microseconds(50))
    case .forever: try? await Task.sleep(for: .seconds(1_000_000))
    case .trap: fatalError("as it was asked to")
    }
  }
}
