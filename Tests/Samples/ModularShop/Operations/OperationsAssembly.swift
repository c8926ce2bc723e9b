// SPDX-License-Identifier: MIT

package import Corinth

/// What those need who keep the service running.
package struct OperationsAssembly: Assembly {
  package init() {}

  package var dependencies: [any Assembly] {
    [StorageAssembly(), UsersAssembly(), MailAssembly(), OrdersAssembly()]
  }

  package func assemble(container: Container) throws {
    try container.wire(Health.self, using: Health.init)
    try container.wire(DailyReport.self, using: DailyReport.init)
    try container.wire(Scheduler.self, using: Scheduler.init)
    try container.wire(OperatorConsole.self, using: OperatorConsole.init)
    try container.wire(Uptime.self, scope: .singleton, using: Uptime.init).eager()
    try container.wire(Backup.self, using: Backup.init)
    // A letter takes an argument, so this factory is written by hand.
    try container.register(Newsletter.self) { resolver in
      Newsletter(
        users: try resolver.resolve(), mailer: try resolver.resolve(),
        flags: try resolver.resolve(),
        letter: { try resolver.resolve(Letter.self, arguments: $0) })
    }
    try container.wire((any OperatorCommand).self, name: "health", using: HealthCommand.init)
    try container.wire((any OperatorCommand).self, name: "users", using: UsersCommand.init)
    try container.wire((any OperatorCommand).self, name: "served", using: ServedCommand.init)
  }
}
