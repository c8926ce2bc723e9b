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
    // The module of operations needs all further modules.
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

  /// Reads the file of the tax table again: later requests find the new table. The log reports the
  /// result.
  nonisolated(nonsending) package func readTaxTableAgain() async {
    do { try await resolve(TaxTableReload.self).run() } catch {
      // The container has been closed meanwhile.
    }
  }
}
