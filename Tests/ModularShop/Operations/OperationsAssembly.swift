// SPDX-License-Identifier: MIT

package import Corinth

/// What those need who keep the service running.
package struct OperationsAssembly: Assembly {
  package init() {}

  package var dependencies: [any Assembly] {
    [StorageAssembly(), UsersAssembly(), MailAssembly(), OrdersAssembly()]
  }

  package func assemble(container: Container) throws {
    try container.register(Health.self, using: Health.init)
    try container.register(DailyReport.self, using: DailyReport.init)
    try container.register(Scheduler.self, using: Scheduler.init)
    try container.register(OperatorConsole.self, using: OperatorConsole.init)
    try container.register(Uptime.self, using: Uptime.init).asSingleton().eager()
    try container.register(Backup.self, using: Backup.init)
    // A letter takes an argument, so this factory is written by hand.
    try container.register(Newsletter.self) { resolver in
      Newsletter(
        users: try resolver.resolve(), mailer: try resolver.resolve(),
        flags: try resolver.resolve(),
        letter: { try resolver.resolve(Letter.self, arguments: $0) })
    }
    try container.register((any OperatorCommand).self, name: "health", using: HealthCommand.init)
    try container.register((any OperatorCommand).self, name: "users", using: UsersCommand.init)
    try container.register((any OperatorCommand).self, name: "served", using: ServedCommand.init)
  }
}
