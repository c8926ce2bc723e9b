// SPDX-License-Identifier: MIT

package import Corinth
import Foundation

/// What all modules need: settings, time, identifiers, the journal.
package struct ConfigurationAssembly: Assembly {
  package init() {}

  package func assemble(container: Container) throws {
    // A program or a test that has registered an environment before keeps it.
    try container.registerIfAbsent(Environment.self, scope: .singleton) { _ in
      Environment(ProcessInfo.processInfo.environment)
    }
    try container.register(ServiceSettings.self, using: ServiceSettings.init).asSingleton()
    try container.register(StorageSettings.self, using: StorageSettings.init).asSingleton()
    try container.register(MailSettings.self, using: MailSettings.init).asSingleton()
    try container.register(TaxRate.self, using: TaxRate.init(environment:)).asSingleton()
    try container.register(Secret.self, using: Secret.init).asSingleton()
    try container.register(FeatureFlags.self, using: FeatureFlags.init).asSingleton()
    try container.register((any TimeSource).self, value: SystemTime())
    try container.register(Identifiers.self, using: Identifiers.init).asSingleton()
    try container.register(Journal.self, using: Journal.init).asSingleton()
  }
}
