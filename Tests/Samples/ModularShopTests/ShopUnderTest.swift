// SPDX-License-Identifier: MIT

import Corinth
import ModularShop

/// A shop that is running: its singletons have been built.
func runningShop(behaviors: [any Behavior] = []) async throws -> Container {
  let shop = try Shop.makeContainer(
    environment: Environment(["SERVICE_NAME": "Shop", "MAIL_SENDER": "shop@shop.test"]),
    behaviors: behaviors)
  try await shop.warmUp()
  _ = try (shop.resolve(Accounts.self), shop.resolve((any Mailer).self))
  return shop
}
