// SPDX-License-Identifier: MIT

package import Orders

/// The objects of the service, in the order of their construction.
package final class Service: Sendable {
  package let log: any Log = StandardErrorLog()
  let time: any TimeSource = SystemTime()
  package let json = JSON()
  package let identifiers = Identifiers()
  package let server: ServerSettings
  package let report: ReportSettings
  let taxes: TaxTable
  package let pool: ConnectionPool
  let storageCounters = StorageCounters()
  let currentPriceList: CurrentPriceList
  let rules: DiscountRules
  let queue: OutboxQueue
  package let worker: OutboxWorker
  let checks: [any HealthCheck]
  let sources: [any MetricSource]
  let uptime: Uptime
  package let router: Router<RequestObjects>

  package init(environment: Environment) async throws {
    server = try ServerSettings(environment: environment)
    report = try ReportSettings(environment: environment)
    let prices = try PriceSettings(environment: environment)
    taxes = try TaxTable(settings: prices)
    pool = try await ConnectionPool.open(
      settings: StorageSettings(environment: environment, server: server),
      migrations: [.catalog, .outbox, .orders], log: log)
    let priceCounters = PriceCounters()
    currentPriceList = CurrentPriceList(pool: pool, counters: priceCounters)
    rules = DiscountRules(all: [VolumeDiscount(settings: prices), MemberDiscount()])

    let mail = try MailSettings(environment: environment)
    let mailCounters = MailCounters()
    let mailer = CountingMailer(
      decorated: RetryingMailer(
        decorated: TransportMailer(
          transport: try SpoolTransport(settings: mail), settings: mail),
        settings: mail),
      counters: mailCounters)
    queue = OutboxQueue(pool: pool)
    worker = OutboxWorker(queue: queue, mailer: mailer, settings: mail, log: log)
    worker.start()

    uptime = Uptime(time: time)
    router = Router(modules: [.catalog, .ordering, .operations])
    checks = [
      DatabaseCheck(pool: pool), CatalogCheck(pool: pool), OutboxCheck(queue: queue),
    ]
    sources = [
      StorageMetrics(counters: storageCounters), PriceMetrics(counters: priceCounters),
      MailMetrics(counters: mailCounters), RequestMetrics(router: router),
    ]
  }
}
