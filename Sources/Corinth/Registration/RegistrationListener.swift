// SPDX-License-Identifier: MIT

/// A behaviour that receives registrations.
protocol RegistrationListener: Sendable {
  /// Called with no lock held.
  func didRegister<Product>(_ registration: Registration<Product>)
}
