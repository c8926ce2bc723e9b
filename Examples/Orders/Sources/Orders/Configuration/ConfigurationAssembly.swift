// SPDX-License-Identifier: MIT

package import Corinth
import Foundation

/// What all modules need: settings from the environment, time, names of requests, a log.
package struct ConfigurationAssembly: Assembly {
  package init() {}

  package func assemble(container: Container) throws {
    // A program or a test that has registered an environment before keeps it.
    try container.registerIfAbsent(Environment.self, scope: .singleton) { _ in
      Environment(ProcessInfo.processInfo.environment)
    }
    try container.register(ServerSettings.self, using: ServerSettings.init).asSingleton()
    try container.register(StorageSettings.self, using: StorageSettings.init).asSingleton()
    try container.register(PriceSettings.self, using: PriceSettings.init).asSingleton().eager()
    try container.register(MailSettings.self, using: MailSettings.init).asSingleton()
    try container.register(ReportSettings.self, using: ReportSettings.init).asSingleton()
    try container.register((any Log).self, value: StandardErrorLog())
    try container.register((any TimeSource).self, value: SystemTime())
    try container.register(Identifiers.self, using: Identifiers.init).asSingleton()
    try container.register(value: JSON())
  }
}
