// SPDX-License-Identifier: MIT

package import Corinth

/// Letters: an outbox in the database, and a worker that empties the outbox.
package struct MailAssembly: Assembly {
  package init() {}

  package var dependencies: [any Assembly] { [ConfigurationAssembly(), StorageAssembly()] }

  package func assemble(container: Container) throws {
    try container.wire((any MailTransport).self, scope: .singleton, using: SpoolTransport.init)
    // The dependencies of decorators and actions are declared: a reload has to know all
    // dependencies.
    try container.wire(
      (any Mailer).self, scope: .singleton, with: .dependsOn(MailSettings.self, MailCounters.self),
      using: TransportMailer.init)
    try container.decorate((any Mailer).self) { mailer, resolver in
      RetryingMailer(decorated: mailer, settings: try resolver.resolve())
    }
    try container.decorate((any Mailer).self) { mailer, resolver in
      CountingMailer(decorated: mailer, counters: try resolver.resolve())
    }
    try container.wire(MailCounters.self, scope: .singleton, using: MailCounters.init)
    try container.wire(Outbox.self, using: Outbox.init)
    // Asynchronous, since the instances need the pool, which is built asynchronously.
    try container.wireAsync(OutboxQueue.self, scope: .singleton, using: OutboxQueue.init)
    try container.wireAsync(
      OutboxWorker.self, scope: .singleton,
      with: .eager.afterInit { _, worker in worker.start() }.onDispose { await $0.stop() }
        .dependsOn(),
      using: OutboxWorker.init)
    try container.contribute(to: Migration.self, value: .outbox)
    try container.wire((any HealthCheck).self, name: .element(), using: OutboxCheck.init)
    try container.wire((any MetricSource).self, name: .element(), using: MailMetrics.init)
  }
}
