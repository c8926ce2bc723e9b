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
    try container.wire(ServiceSettings.self, using: ServiceSettings.init).asSingleton()
    try container.wire(StorageSettings.self, using: StorageSettings.init).asSingleton()
    try container.wire(MailSettings.self, using: MailSettings.init).asSingleton()
    try container.wire(TaxRate.self, using: TaxRate.init(environment:)).asSingleton()
    try container.wire(Secret.self, using: Secret.init).asSingleton()
    try container.wire(FeatureFlags.self, using: FeatureFlags.init).asSingleton()
    try container.register((any TimeSource).self, value: SystemTime())
    try container.wire(Identifiers.self, using: Identifiers.init).asSingleton()
    try container.wire(Journal.self, using: Journal.init).asSingleton()
  }
}
