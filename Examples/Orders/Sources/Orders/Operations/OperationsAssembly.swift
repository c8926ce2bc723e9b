// SPDX-License-Identifier: MIT

package import Corinth
import HTTP

/// The server, and what its operators need: health checks and metrics.
package struct OperationsAssembly: Assembly {
  package init() {}

  package var dependencies: [any Assembly] {
    [ConfigurationAssembly(), StorageAssembly(), CatalogueAssembly(), OrderingAssembly()]
  }

  package func assemble(container: Container) throws {
    // The inputs of each request.
    try container.registerInput(RequestID.self)
    try container.registerInput(User.self)
    try container.wire(Router<Container>.self, scope: .singleton, using: Router<Container>.init)
    try container.register(ContainerScopes.self, scope: .singleton) { resolver in
      // It retains its container until the shutdown, which releases all singletons.
      ContainerScopes(container: try resolver.container, log: try resolver.resolve())
    }
    try container.wire(
      RequestPipeline<ContainerScopes>.self, scope: .singleton,
      using: RequestPipeline<ContainerScopes>.init)
    // Resolved last when the service starts, it is disposed of first: no request arrives while the rest ends.
    try container.register(
      Server.self, scope: .singleton, with: .onDispose { try await $0.stop() }
    ) { resolver in
      let settings = try resolver.resolve(ServerSettings.self)
      let pipeline = try resolver.resolve(RequestPipeline<ContainerScopes>.self)
      return try Server(
        address: settings.address, port: settings.port, threads: settings.threads,
        handler: pipeline.respond)
    }

    try container.wire(Uptime.self, scope: .singleton, with: .eager, using: Uptime.init)
    try container.wire(ShowHealth.self, using: ShowHealth.init)
    try container.wire(ShowMetrics.self, using: ShowMetrics.init)
    try container.contribute(to: ContainerRoutes.self) { _ in
      ContainerRoutes(
        .get("/health") { try $0.resolve(ShowHealth.self) },
        .get("/metrics") { try $0.resolve(ShowMetrics.self) })
    }
    try container.contribute(to: (any MetricSource).self) { resolver in
      RequestMetrics(router: try resolver.resolve(Router<Container>.self))
    }
    try container.contribute(to: (any MetricSource).self) { resolver in
      ContainerMetrics(behavior: try resolver.resolve())
    }
  }
}
