// SPDX-License-Identifier: MIT

package import Corinth
import Foundation

/// What all modules need: settings, time, identifiers, the journal.
package struct ConfigurationAssembly: Assembly {
  package init() {}

  package func assemble(container: Container) throws {
    // A program or a test that has registered an environment before keeps it.
    try container.register(Environment.self, scope: .singleton, onDuplicate: .keep) { _ in
      Environment(ProcessInfo.processInfo.environment)
    }
    try container.wire(ServiceSettings.self, scope: .singleton, using: ServiceSettings.init)
    try container.wire(StorageSettings.self, scope: .singleton, using: StorageSettings.init)
    try container.wire(MailSettings.self, scope: .singleton, using: MailSettings.init)
    try container.wire(TaxRate.self, scope: .singleton, using: TaxRate.init(environment:))
    try container.wire(Secret.self, scope: .singleton, using: Secret.init)
    try container.wire(FeatureFlags.self, scope: .singleton, using: FeatureFlags.init)
    try container.register(value: SystemTime(), as: (any TimeSource).self)
    try container.wire(Identifiers.self, scope: .singleton, using: Identifiers.init)
    try container.wire(Journal.self, scope: .singleton, using: Journal.init)
  }
}
