// SPDX-License-Identifier: MIT

import Corinth

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
      try service.isAsync
      ? container.registerAsync(Product.self, name: names[index], scope: scope) {
        try await self.buildAsync(index, $0)
      }
      : container.register(Product.self, name: names[index], scope: scope) {
        try self.build(index, $0)
      }
    if service.lifetime == .custom { try registration.as(Singleton()) }
    for (number, action) in service.actions.enumerated() {
      if action.isAsync {
        registration.afterInit { resolver, product async throws in
          try await self.actAsync(index, number, resolver, product)
        }
      } else {
        registration.afterInit { (resolver: Resolver, product: Product) throws in
          try self.act(index, number, resolver, product)
        }
      }
    }
    switch service.disposer {
    case .sync?:
      try registration.onDispose { (product: Product) throws in self.dispose(product) }
    case .async?:
      try registration.onDispose { product async throws in
        await Task.yield()
        self.dispose(product)
      }
    case nil: break
    }
  }

  private func dispose(_ product: Product) {
    let time = now()
    withSeen { $0.disposed.append(Disposal(product: product, time: time)) }
  }
}

extension ServiceDescription.Lifetime {
  fileprivate var scope: Scope {
    switch self {
    case .transient, .custom, .forward: .transient
    case .graph: .graph
    case .scoped: .scoped
    case .singleton: .singleton
    case .weak: .weak
    case .cached: .cached(for: .seconds(3600))
    case .expiring: .cached(for: .microseconds(20))
    case .stale: .cached(for: .microseconds(20), whileRefreshing: .serveStale)
    }
  }
}
