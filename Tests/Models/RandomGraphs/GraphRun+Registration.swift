// SPDX-License-Identifier: MIT

import Corinth
import TestSupport

/// Factories hold the run weakly: it holds the containers, which hold the factories.
extension GraphRun? {
  /// A construction may outlive the run if all its callers have left it. It ends soon, and leaves
  /// the next run alone.
  func orGone() throws -> GraphRun {
    guard let self, !self.isOver else { throw CancellationError() }
    return self
  }
}

extension GraphRun {
  func register(_ index: Int) throws {
    let service = graph.services[index]
    let container = containers[service.container]
    if service.lifetime == .forward {
      try container.forward(
        Product.self, name: names[index], to: Product.self,
        targetName: names[service.factory[0].target])
      return
    }
    let scope = service.lifetime.scope
    let registration =
      try service.isWired
      ? registerWired(index, Scope(scope))
      : service.isAsync
        ? container.registerAsync(Product.self, name: names[index], scope: Scope(scope)) {
          [weak self] in try await self.orGone().buildAsync(index, $0)
        }
        : container.register(Product.self, name: names[index], scope: Scope(scope)) {
          [weak self] in try self.orGone().build(index, $0)
        }
    if service.lifetime == .custom { registration.as(KeptProduct()) }
    for (number, action) in service.actions.enumerated() {
      if action.isAsync {
        registration.afterInit { [weak self] resolver, product async throws in
          try await self.orGone().actAsync(index, number, resolver, product)
        }
      } else {
        registration.afterInit { [weak self] (resolver: Resolver, product: Product) throws in
          try self.orGone().act(index, number, resolver, product)
        }
      }
    }
    switch service.disposer {
    case .sync?:
      registration.onDispose { [weak self] (product: Product) throws in
        try self.orGone().dispose(product)
      }
    case .async?:
      registration.onDispose { [weak self] product async throws in
        await Task.yield()
        try self.orGone().dispose(product)
      }
    case nil: break
    }
  }

  private func dispose(_ product: Product) {
    if !product.layers.isEmpty {
      report(.decoration, "the disposer of s\(product.service) got a decorated instance")
    }
    let time = now()
    withSeen { $0.disposed.append(Disposal(product: product, time: time)) }
  }
}

extension ServiceDescription.Lifetime {
  fileprivate var scope: AnyScope {
    switch self {
    case .transient, .custom, .forward: .transient
    case .graph: .graph
    case .scoped: .scoped
    case .named: .scoped(in: GraphDescription.scopeName)
    case .singleton: .singleton
    case .weak: .weak
    case .cached: .cached(for: .seconds(3600))
    case .expiring: .cached(for: .microseconds(20))
    case .stale: .cached(for: .microseconds(20), whileRefreshing: .serveStale)
    }
  }
}
