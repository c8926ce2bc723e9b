// SPDX-License-Identifier: MIT

package import Corinth
package import HTTP

/// The service: six modules in one container.
package enum Application {
  /// Registers everything, and builds nothing.
  package static func makeContainer(environment: Environment) throws -> Container {
    let container = Container(duplicates: .refuse)
    let metrics = MetricsBehavior(countsResolves: false)
    if try ReportSettings(environment: environment).countsConstructions { container.add(metrics) }
    try container.register(value: metrics)
    try container.register(value: environment)
    // It needs the others.
    try Assembler(container: container).apply(assembly: OperationsAssembly())
    return container
  }
}

extension Container {
  /// Validates the registrations, opens the database, starts the worker, and then the server.
  nonisolated(nonsending)
    package func startServer() async throws -> Server
  {
    try await warmUp(validating: true)
    return try await resolveAsync(Server.self)
  }

  /// Has the requests that come from now on find the tax table as its file says now. The log says what has become of it.
  nonisolated(nonsending) package func readTaxTableAgain() async {
    do { try await resolve(TaxTableReload.self).run() } catch {
      // The container has been closed meanwhile.
    }
  }
}
