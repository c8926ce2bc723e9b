// SPDX-License-Identifier: MIT

import Corinth

/// The routes by which a service gets its dependencies.
extension GraphRun {
  /// The factory or the action that asks.
  struct Asker {
    let service: Int
    let container: Int
    /// The serial of its instance.
    let serial: Int
    let resolver: Resolver
    /// The container that it captures: its registration belongs to it, or its decorator.
    let captured: Int
  }

  /// Resolves dependencies in their order. Neighbors that take a thread or a task each are resolved
  /// together.
  ///
  /// - Returns: for each need its instance; `nil` for an optional one that fails, and for a spawned
  ///   one.
  func resolve(_ needs: [Need], _ asker: Asker) throws -> [Product?] {
    var found: [Product?] = []
    for group in needs.groups {
      if group[0].route == .thread {
        let results = WorkerPool.shared.wait(
          group.map { need in
            let name = names[need.target]
            return { try asker.resolver.resolve(Product.self, name: name) }
          })
        found += try accept(results, of: group, for: asker)
      } else if group[0].route.isSpawned {
        spawn(group[0], asker)
        found.append(nil)
      } else {
        let result = Result { try resolve(group[0], asker) }
        found += try accept([result], of: group, for: asker)
      }
    }
    return found
  }

  func resolveAsync(
    _ needs: [Need], _ asker: Asker
  ) async throws -> [Product?] {
    var found: [Product?] = []
    for group in needs.groups {
      if group[0].route.isSpawned {
        spawn(group[0], asker)
        found.append(nil)
      } else {
        let results = await resolveGroup(group, asker)
        found += try accept(results, of: group, for: asker)
      }
    }
    return found
  }

  private func resolve(_ need: Need, _ asker: Asker) throws -> Product {
    let name = names[need.target]
    switch need.route {
    case .container: return try captured(by: asker).resolve(Product.self, name: name)
    case .provider: return try asker.resolver.provider(for: Product.self, name: name)()
    case .lazy: return try asker.resolver.resolve(Lazy<Product>.self, name: name).value
    default: return try asker.resolver.resolve(Product.self, name: name)
    }
  }

  private func resolveGroup(
    _ group: [Need], _ asker: Asker
  ) async -> [Result<Product, any Error>] {
    let names: [Name] = group.map { self.names[$0.target] }
    let resolver = asker.resolver
    switch group[0].route {
    case .container: return [await outcome(of: names[0], in: captured(by: asker))]
    case .lazy: return [await lazyOutcome(of: names[0], resolver)]
    case .task:
      return await results(of: names.map { name in Task { await outcome(of: name, resolver) } })
    case .detachedTask:
      return await results(
        of: names.map { name in Task.detached { await self.outcome(of: name, resolver) } })
    case .childTask:
      return await withTaskGroup(of: (Int, Result<Product, any Error>).self) { tasks in
        for (number, name) in names.enumerated() {
          tasks.addTask { (number, await self.outcome(of: name, resolver)) }
        }
        var results: [(Int, Result<Product, any Error>)] = []
        for await result in tasks { results.append(result) }
        return results.sorted { $0.0 < $1.0 }.map(\.1)
      }
    default: return [await outcome(of: names[0], resolver)]
    }
  }

  private func results(
    of tasks: [Task<Result<Product, any Error>, Never>]
  ) async -> [Result<Product, any Error>] {
    var results: [Result<Product, any Error>] = []
    for task in tasks { results.append(await task.value) }
    return results
  }

  private func outcome(of name: Name, _ resolver: Resolver) async -> Result<Product, any Error> {
    do { return .success(try await resolver.resolveAsync(Product.self, name: name)) } catch {
      return .failure(error)
    }
  }

  private func lazyOutcome(
    of name: Name, _ resolver: Resolver
  ) async -> Result<Product, any Error> {
    do {
      return .success(
        try await resolver.resolveAsync(Lazy<Product>.self, name: name).valueAsync)
    } catch {
      return .failure(error)
    }
  }

  private func outcome(of name: Name, in container: Container) async -> Result<Product, any Error> {
    do { return .success(try await container.resolveAsync(Product.self, name: name)) } catch {
      return .failure(error)
    }
  }

  /// Checks the errors of a group, and throws the first one that is not optional.
  func accept(
    _ results: [Result<Product, any Error>], of group: [Need], for asker: Asker
  ) throws -> [Product?] {
    for (need, result) in zip(group, results) {
      switch result {
      case .success(let product):
        references.add(.got(product.serial, by: asker.serial))
      case .failure(let error):
        references.add(.missed(asker.serial, service: need.target))
        examine(error, at: need, asker)
      }
    }
    return try zip(group, results).map { need, result in
      need.isOptional ? try? result.get() : try result.get()
    }
  }

  /// Reports an error in a service that the graph does not explain.
  private func examine(_ error: any Error, at need: Need, _ asker: Asker) {
    let index = asker.service
    let source = GraphOracle.Source(
      service: need.target, asker: index,
      mayCloseCycle: analysis.reach[need.target].contains(index), mayBeCancelled: true,
      mayBeRefused: analysis.leadsToCrossing[need.target] || analysis.leadsToCrossing[index]
        || analysis.leadsToHeld(need.target, in: expected))
    if let kind = GraphOracle.refusal(of: error, for: source, in: self) {
      report(kind, "s\(index) asked for s\(need.target): \(error)")
    }
  }

  private func captured(by asker: Asker) -> Container { containers[asker.captured] }

  // MARK: - Spawning

  /// Resolves on a thread or in a task, which the factory does not wait for.
  private func spawn(_ need: Need, _ asker: Asker) {
    guard maySpawn(from: asker.service) else { return }
    begin()
    let name = names[need.target]
    let container = captured(by: asker)
    let resolver = asker.resolver
    let finish = { @Sendable (outcome: Result<Product, any Error>) in
      if case .success(let product) = outcome, !need.route.isUnrelated {
        self.references.add(.got(product.serial, by: asker.serial))
      } else if !need.route.isUnrelated {
        self.references.add(.missed(asker.serial, service: need.target))
      }
      self.answer(
        Answer(
          service: need.target, container: asker.captured,
          spawner: need.route.isUnrelated ? nil : asker.service, outcome: outcome))
      self.end()
    }
    switch need.route {
    case .spawnedThread:
      WorkerPool.shared.begin([
        { finish(Result { try resolver.resolve(Product.self, name: name) }) }
      ])
    case .unrelatedThread:
      WorkerPool.shared.begin([
        { finish(Result { try container.resolve(Product.self, name: name) }) }
      ])
    case .spawnedTask: Task { finish(await outcome(of: name, resolver)) }
    default: Task { finish(await outcome(of: name, in: container)) }
    }
  }
}

extension GraphRun.Asker {
  /// An action or a decorator of an instance.
  init(_ product: Product, _ resolver: Resolver, captured: Int) {
    self.init(
      service: product.service, container: product.container, serial: product.serial,
      resolver: resolver, captured: captured)
  }
}

extension [Need] {
  /// The dependencies one by one; neighbors that the factory waits for on threads or in tasks are
  /// together.
  fileprivate var groups: [[Need]] {
    var groups: [[Need]] = []
    for need in self {
      if let route = groups.last?[0].route, route == need.route, route.mayRunTogether {
        groups[groups.count - 1].append(need)
      } else {
        groups.append([need])
      }
    }
    return groups
  }
}

extension Need.Route {
  fileprivate var mayRunTogether: Bool {
    switch self {
    case .thread, .childTask, .task, .detachedTask: true
    default: false
    }
  }
}
