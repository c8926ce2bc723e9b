// SPDX-License-Identifier: MIT

package import Corinth

/// Letters: an outbox in the database, and a worker that empties it.
package struct MailAssembly: Assembly {
  package init() {}

  package var dependencies: [any Assembly] { [ConfigurationAssembly(), StorageAssembly()] }

  package func assemble(container: Container) throws {
    try container.register((any MailTransport).self, using: SpoolTransport.init).asSingleton()
    try container.register((any Mailer).self, using: TransportMailer.init).asSingleton()
    try container.decorate((any Mailer).self) { mailer, resolver in
      RetryingMailer(decorated: mailer, settings: try resolver.resolve())
    }
    try container.decorate((any Mailer).self) { mailer, resolver in
      CountingMailer(decorated: mailer, counters: try resolver.resolve())
    }
    try container.register(MailCounters.self, using: MailCounters.init).asSingleton()
    try container.register(Outbox.self, using: Outbox.init)
    // They need the pool, which is built asynchronously.
    try container.registerAsync(OutboxQueue.self, using: OutboxQueue.init).asSingleton()
    try container.registerAsync(OutboxWorker.self, using: OutboxWorker.init)
      .asSingleton().eager().afterInit { _, worker in worker.start() }
      .onDispose { await $0.stop() }
    try container.contribute(to: Migration.self) { _ in .outbox }
    try container.register((any HealthCheck).self, name: "outbox", using: OutboxCheck.init)
    try container.register((any MetricSource).self, name: "mail", using: MailMetrics.init)
  }
}
