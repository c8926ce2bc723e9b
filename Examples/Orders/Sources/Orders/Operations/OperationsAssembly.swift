// SPDX-License-Identifier: MIT

package import Corinth
import HTTP

/// The server, and what its operators need: health checks, metrics, and a picture of the container.
package struct OperationsAssembly: Assembly {
  package init() {}

  package var dependencies: [any Assembly] {
    [ConfigurationAssembly(), StorageAssembly(), CatalogAssembly(), OrderingAssembly()]
  }

  package func assemble(container: Container) throws {
    // The inputs of each request.
    try container.registerInput(RequestID.self)
    try container.registerInput(User.self)
    try container.wire(Router<Container>.self, scope: .singleton, using: Router<Container>.init)
    try container.wire(ContainerScopes.self, scope: .singleton, using: ContainerScopes.init)
    try container.wire(
      RequestPipeline<ContainerScopes>.self, scope: .singleton,
      using: RequestPipeline<ContainerScopes>.init)
    // Resolved last when the service starts, it is disposed of first: no request arrives while the
    // rest ends.
    try container.register(
      Server.self, scope: .singleton,
      with: .onDispose { try await $0.stop() }
        .dependsOn(ServerSettings.self, RequestPipeline<ContainerScopes>.self)
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
    try container.wire(ContainerView.self, using: ContainerView.init)
    try container.wire(ShowContainer.self, using: ShowContainer.init)
    try container.wire(ShowContainerDocument.self, using: ShowContainerDocument.init)
    try container.contribute(to: ContainerRoutes.self, with: .dependsOn()) { _ in
      ContainerRoutes(
        .get("/health") { try $0.resolve(ShowHealth.self) },
        .get("/metrics") { try $0.resolve(ShowMetrics.self) },
        .get("/container") { try $0.resolve(ShowContainer.self) },
        .get("/container.json") { try $0.resolve(ShowContainerDocument.self) })
    }
    try container.contribute(to: (any MetricSource).self) { resolver in
      RequestMetrics(router: try resolver.resolve(Router<Container>.self))
    }
    try container.contribute(to: (any MetricSource).self) { resolver in
      ContainerMetrics(behavior: try resolver.resolve())
    }
  }
}
