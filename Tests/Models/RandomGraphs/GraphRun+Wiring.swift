// SPDX-License-Identifier: MIT

import Corinth

/// Services whose factories are initializers. Their parameters are found by their types, so that
/// each service needs a type: ``ServiceMarker``.
extension GraphRun {
  /// The first parameter of a wired initializer: it notes that a construction has begun, and
  /// whether it came to the initializer.
  final class Entry: @unchecked Sendable {
    // SAFETY: only the construction has it.
    fileprivate let run: GraphRun
    fileprivate let asker: Asker
    fileprivate var isComplete = false

    fileprivate init(_ run: GraphRun, _ asker: Asker) {
      self.run = run
      self.asker = asker
    }

    deinit {
      if !isComplete { run.noteMissingParameter(of: asker) }
      run.end()
    }
  }

  /// Registers what the initializer of a service takes first.
  func registerEntry(of index: Int) throws {
    guard graph.services[index].isWired else { return }
    try containers[0].register(Entry.self, name: names[index], scope: .transient) {
      [weak self] resolver in
      let run = try self.orGone()
      run.begin()
      do { return Entry(run, try run.enter(index, resolver)) } catch {
        run.end()
        throw error
      }
    }
  }

  func registerWired(_ index: Int, _ scope: Scope<Product>) throws -> Registration<Product> {
    let service = graph.services[index]
    let marker = ServiceMarker.marker(of: index)
    let types = service.factory.map { ServiceMarker.parameter(of: $0) }
    return switch types.count {
    case 0: try wire(marker, index, scope)
    case 1: try wire(marker, types[0], index, scope)
    case 2: try wire(marker, types[0], types[1], index, scope)
    default: try wire(marker, types[0], types[1], types[2], index, scope)
    }
  }

  private func wire<M: BinaryMarker>(
    _: M.Type, _ index: Int, _ scope: Scope<Product>
  ) throws -> Registration<Product> {
    let (container, name) = (containers[graph.services[index].container], names[index])
    return graph.services[index].isAsync
      ? try container.wireAsync(
        Product.self, name: name, scope: scope,
        using: { (entry: Named<Entry, M>) async throws in try await entry.value.buildAsync([]) })
      : try container.wire(
        Product.self, name: name, scope: scope,
        using: { (entry: Named<Entry, M>) throws in try entry.value.build([]) })
  }

  private func wire<M: BinaryMarker, A: WiredParameter>(
    _: M.Type, _: A.Type, _ index: Int, _ scope: Scope<Product>
  ) throws -> Registration<Product> {
    let (container, name) = (containers[graph.services[index].container], names[index])
    return graph.services[index].isAsync
      ? try container.wireAsync(
        Product.self, name: name, scope: scope,
        using: { (entry: Named<Entry, M>, a: A) async throws in
          try await entry.value.buildAsync([a])
        })
      : try container.wire(
        Product.self, name: name, scope: scope,
        using: { (entry: Named<Entry, M>, a: A) throws in try entry.value.build([a]) })
  }

  private func wire<M: BinaryMarker, A: WiredParameter, B: WiredParameter>(
    _: M.Type, _: A.Type, _: B.Type, _ index: Int, _ scope: Scope<Product>
  ) throws -> Registration<Product> {
    let (container, name) = (containers[graph.services[index].container], names[index])
    return graph.services[index].isAsync
      ? try container.wireAsync(
        Product.self, name: name, scope: scope,
        using: { (entry: Named<Entry, M>, a: A, b: B) async throws in
          try await entry.value.buildAsync([a, b])
        })
      : try container.wire(
        Product.self, name: name, scope: scope,
        using: { (entry: Named<Entry, M>, a: A, b: B) throws in try entry.value.build([a, b]) })
  }

  private func wire<M: BinaryMarker, A: WiredParameter, B: WiredParameter, C: WiredParameter>(
    _: M.Type, _: A.Type, _: B.Type, _: C.Type, _ index: Int, _ scope: Scope<Product>
  ) throws -> Registration<Product> {
    let (container, name) = (containers[graph.services[index].container], names[index])
    return graph.services[index].isAsync
      ? try container.wireAsync(
        Product.self, name: name, scope: scope,
        using: { (entry: Named<Entry, M>, a: A, b: B, c: C) async throws in
          try await entry.value.buildAsync([a, b, c])
        })
      : try container.wire(
        Product.self, name: name, scope: scope,
        using: { (entry: Named<Entry, M>, a: A, b: B, c: C) throws in
          try entry.value.build([a, b, c])
        })
  }

  /// Notes that a parameter could not be resolved. Which one, and the error, only the resolve that
  /// fails tells: all parameters may have been asked for in vain, and the error is a cycle if
  /// nothing else can be.
  fileprivate func noteMissingParameter(of asker: Asker) {
    for need in graph.services[asker.service].factory {
      references.add(.missed(asker.serial, service: need.target))
    }
    tallies[asker.service][asker.container].add(
      graph.mayFailOtherwiseThanByCycle ? .letErrorOut : .letCycleOut)
  }
}

extension GraphRun.Entry {
  fileprivate func build(_ parameters: [any WiredParameter]) throws -> Product {
    isComplete = true
    let needs = run.graph.services[asker.service].factory
    do {
      var early: [Product?] = []
      for (need, parameter) in zip(needs, parameters) {
        early += try run.accept([Result { try parameter.product() }], of: [need], for: asker)
      }
      run.graph.services[asker.service].pause.block()
      return try run.finish(asker, early)
    } catch {
      run.note(error, out: (.letCycleOut, .letErrorOut), of: asker.service, asker.container)
      throw error
    }
  }

  fileprivate func buildAsync(_ parameters: [any WiredParameter]) async throws -> Product {
    isComplete = true
    let needs = run.graph.services[asker.service].factory
    do {
      var early: [Product?] = []
      for (need, parameter) in zip(needs, parameters) {
        let outcome: Result<Product, any Error>
        do { outcome = .success(try await parameter.productAsync()) } catch {
          outcome = .failure(error)
        }
        early += try run.accept([outcome], of: [need], for: asker)
      }
      await run.graph.services[asker.service].pause.suspend()
      return try run.finish(asker, early)
    } catch {
      run.note(error, out: (.letCycleOut, .letErrorOut), of: asker.service, asker.container)
      throw error
    }
  }
}

extension GraphDescription {
  /// Whether a resolve may fail for another reason than a cycle.
  fileprivate var mayFailOtherwiseThanByCycle: Bool {
    services.contains { $0.failure != nil } || callers.contains { $0.cancelledAfter != nil }
      || !closings.isEmpty || !changes.isEmpty || services.indices.contains { crosses($0) }
  }
}
