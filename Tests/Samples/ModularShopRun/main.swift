// SPDX-License-Identifier: MIT
// A service of 60 registrations in six modules, which are in Tests/Samples/ModularShop: a customer,
// a request, a job, and a fork as a test makes it.

import Corinth
import ModularShop

let metrics = MetricsBehavior(countsResolves: false)
let shop = try Shop.makeContainer(
  environment: Environment([
    "SERVICE_NAME": "Shop", "MAIL_SENDER": "shop@shop.test", "FEATURES": "newsletter",
  ]),
  behaviors: [metrics])
print("\(shop.registrations.count) registrations")
try await shop.warmUp()
try shop.freeze()

let accounts = try shop.resolve(Accounts.self)
try accounts.signUp("ada", email: "ada@users.test", password: "lovelace")
let token = try accounts.logIn("ada", password: "lovelace")

// Two requests. The second finds the shelf empty.
for article in ["pen", "pen"] {
  do {
    let order = try await shop.serve(token: token) { try $0.buy(article) }
    print("a \(article) for \(order.total) cents")
  } catch { print(error) }
}

// The scheduler makes the jobs, which find their container by themselves.
try shop.withCurrent { try shop.resolve(Scheduler.self).run([ReportJob.self, ArchiveJob.self]) }
print(try shop.resolve(OperatorConsole.self).answer("health"))
print("\(try shop.resolve(Newsletter.self).publish("new pens")) letters")

// A fork has a catalog of its own, and its own instances.
struct Sale: Catalog {
  func price(of article: String) -> Cents { 100 }
}
let sale = try shop.fork {
  try $0.register((any Catalog).self, onDuplicate: .require) { _ in Sale() }
}
try await sale.warmUp()
print(try sale.resolve(DailyReport.self).text())
try await sale.shutdown()

// The queue sends what is waiting while the shop shuts down.
let journal = try shop.resolve(Journal.self)
try await shop.shutdown()
print(journal.entries.joined(separator: "\n"))

for entry in metrics.snapshot().sorted(by: { "\($0.key)" < "\($1.key)" })
where entry.constructions > 2 {
  print("\(entry.key) was built \(entry.constructions) times")
}
