// SPDX-License-Identifier: MIT

import Corinth
import ModularShop

/// What happens to one customer. The values are those of a shop that nobody has changed.
struct Story: Sendable, Equatable {
  /// An atlas for 60.00, a tenth off for the volume and 1.00 for the first customer, with a tax of
  /// 20 percent.
  var total = 6_360
  var articles = ["atlas"]
  var invoices: [String] = []
  var failing: [String] = []
  /// The report is sent by the job, the receipt while the shop shuts down.
  var mails = ["operator@shop.test", "ada@users.test"]
  var errors: [String] = []

  /// A customer signs up, buys, and looks at the order; the jobs of the day run; the shop shuts
  /// down.
  static func told(by shop: Container) async throws -> Story {
    var story = Story()
    try await shop.warmUp()
    let (outbox, journal) = (try shop.resolve(Outbox.self), try shop.resolve(Journal.self))
    let accounts = try shop.resolve(Accounts.self)
    try accounts.signUp("ada", email: "ada@users.test", password: "lovelace")
    let token = try accounts.logIn("ada", password: "lovelace")
    story.total = try await shop.serve(token: token) { try $0.buy("atlas").total }
    story.articles = try await shop.withScope { scope in
      try scope.register(value: RequestHeader(token: token))
      return try scope.resolve(OrderHistory.self).articles()
    }
    story.failing = try shop.resolve(Health.self).failing
    do {
      try shop.withCurrent {
        try shop.resolve(Scheduler.self).run([ArchiveJob.self, ReportJob.self])
      }
    } catch let error as MailError { story.errors.append("\(error)") }
    do { try await shop.shutdown() } catch CloseError.disposalFailed(let failures) {
      story.errors += failures.map { "\($0.error)" }
    }
    story.mails = outbox.delivered.map(\.recipient)
    story.invoices = journal.entries.filter { $0.hasPrefix("invoice") }
    return story
  }
}
