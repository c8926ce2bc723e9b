// SPDX-License-Identifier: MIT

import Corinth

/// What a scheduler runs. It makes the job itself: the initializer takes nothing.
package protocol Job {
  init()
  func run() throws
}

/// Stands for a framework that makes objects of types it is given.
package struct Scheduler: Sendable {
  let journal: Journal

  package func run(_ jobs: [any Job.Type]) throws {
    for job in jobs {
      try job.init().run()
      journal.note("\(job) has run")
    }
  }
}

/// Sends the report to the operator.
package final class ReportJob: Job {
  @Injected private var report: DailyReport
  @Injected private var mailer: any Mailer
  @Injected private var users: any UserRepository

  package init() {}

  package func run() throws {
    guard let recipient = try users.user(named: "operator") else { return }
    try mailer.send(Message(recipient: recipient.email, text: try report.text()))
  }
}

/// Moves orders to the archive.
package final class ArchiveJob: Job {
  @Injected private var orders: any OrderRepository
  @Injected(name: "limit") private var limit: Int?

  package init() {}

  package func run() throws {
    for order in try orders.all().prefix(limit ?? .max) { try orders.archive(order) }
  }
}
