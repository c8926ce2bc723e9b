// SPDX-License-Identifier: MIT

import Corinth

/// The ways by which a service gets its dependencies.
extension GraphRun {
  /// - Returns: `nil` for one that is optional and cannot be had, and for one that is not waited for.
  func resolve(_ need: Need, of index: Int, _ resolver: Resolver) throws -> Product? {
    if need.route.isSpawned {
      spawn(need, of: index, resolver)
      return nil
    }
    do { return try resolveRequired(need, of: index, resolver) } catch {
      examine(error, at: need, of: index)
      if need.isOptional { return nil }
      throw error
    }
  }

  func resolveAsync(_ need: Need, of index: Int, _ resolver: Resolver) async throws -> Product? {
    if need.route.isSpawned {
      spawn(need, of: index, resolver)
      return nil
    }
    do { return try await resolveRequiredAsync(need, of: index, resolver) } catch {
      examine(error, at: need, of: index)
      if need.isOptional { return nil }
      throw error
    }
  }

  private func resolveRequired(
    _ need: Need, of index: Int, _ resolver: Resolver
  ) throws -> Product {
    let name = names[need.target]
    switch need.route {
    case .container: return try captured(by: index).resolve(Product.self, name: name)
    case .provider: return try resolver.provider(for: Product.self, name: name)()
    case .thread:
      return try WorkerPool.shared.wait { try resolver.resolve(Product.self, name: name) }
    default: return try resolver.resolve(Product.self, name: name)
    }
  }

  private func resolveRequiredAsync(
    _ need: Need, of index: Int, _ resolver: Resolver
  ) async throws -> Product {
    let name = names[need.target]
    switch need.route {
    case .container:
      return try await captured(by: index).resolveAsync(Product.self, name: name)
    case .childTask:
      async let product = resolver.resolveAsync(Product.self, name: name)
      return try await product
    case .task:
      return try await Task { try await resolver.resolveAsync(Product.self, name: name) }.value
    case .detachedTask:
      return try await Task.detached {
        try await resolver.resolveAsync(Product.self, name: name)
      }.value
    default: return try await resolver.resolveAsync(Product.self, name: name)
    }
  }

  /// Looks whether the graph explains an error that a service is told, and may swallow.
  private func examine(_ error: any Error, at need: Need, of index: Int) {
    let source = GraphOracle.Source(
      service: need.target, mayCloseCycle: analysis.reach[need.target].contains(index),
      mayBeCancelled: true, isLate: true,
      mayBeRefused: analysis.leadsToCrossing[need.target] || analysis.leadsToCrossing[index])
    if let kind = GraphOracle.refusal(of: error, for: source, in: expected, analysis) {
      report(kind, "s\(index) asked for s\(need.target): \(error)")
    }
  }

  /// The container that a factory would have captured: the one that it is registered in.
  private func captured(by index: Int) -> Container { containers[graph.services[index].container] }

  /// Resolves on a thread or in a task that the factory does not wait for.
  private func spawn(_ need: Need, of index: Int, _ resolver: Resolver) {
    guard maySpawn() else { return }
    begin()
    let name = names[need.target]
    let container = captured(by: index)
    let isInside = !need.route.isUnrelated
    switch need.route {
    case .spawnedThread:
      WorkerPool.shared.begin([
        {
          self.answerSpawned(
            need, of: index, Result { try resolver.resolve(Product.self, name: name) }, isInside)
        }
      ])
    case .unrelatedThread:
      WorkerPool.shared.begin([
        {
          self.answerSpawned(
            need, of: index, Result { try container.resolve(Product.self, name: name) }, isInside)
        }
      ])
    case .spawnedTask:
      Task {
        self.answerSpawned(
          need, of: index,
          await outcome { try await resolver.resolveAsync(Product.self, name: name) }, isInside)
      }
    default:
      Task {
        self.answerSpawned(
          need, of: index,
          await outcome { try await container.resolveAsync(Product.self, name: name) }, isInside)
      }
    }
  }

  private func answerSpawned(
    _ need: Need, of index: Int, _ outcome: Result<Product, any Error>, _ isInside: Bool
  ) {
    answer(
      Answer(
        service: need.target, container: graph.services[index].container, caller: nil,
        isInside: isInside, outcome: outcome))
    end()
  }

  private func outcome(
    _ body: () async throws -> Product
  ) async -> Result<Product, any Error> {
    do { return .success(try await body()) } catch { return .failure(error) }
  }
}
