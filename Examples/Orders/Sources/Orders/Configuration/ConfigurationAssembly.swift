// SPDX-License-Identifier: MIT

package import Corinth
import Foundation

/// The services that all modules need: settings from the environment, time, names of requests, a
/// log.
package struct ConfigurationAssembly: Assembly {
  package init() {}

  package func assemble(container: Container) throws {
    // An environment registered before, by a program or a test, stays.
    try container.register(
      Environment.self, scope: .singleton, onDuplicate: .keep, with: .dependsOn()
    ) { _ in Environment(ProcessInfo.processInfo.environment) }
    // A singleton gets the container around all requests; the requests' containers are made of a
    // version.
    try container.register(
      ReloadableContainer.self, scope: .singleton, with: .eager.dependsOn()
    ) { ReloadableContainer(try $0.container) }
    try container.wire(ServerSettings.self, scope: .singleton, using: ServerSettings.init)
    try container.wire(StorageSettings.self, scope: .singleton, using: StorageSettings.init)
    try container.wire(
      PriceSettings.self, scope: .singleton, with: .eager, using: PriceSettings.init)
    try container.wire(MailSettings.self, scope: .singleton, using: MailSettings.init)
    try container.wire(ReportSettings.self, scope: .singleton, using: ReportSettings.init)
    try container.register(value: StandardErrorLog(), as: (any Log).self)
    try container.register(value: SystemTime(), as: (any TimeSource).self)
    try container.wire(Identifiers.self, scope: .singleton, using: Identifiers.init)
    try container.register(value: JSON())
  }
}
