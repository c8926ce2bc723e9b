// SPDX-License-Identifier: MIT

/// A behavior that receives registrations.
protocol RegistrationListener: Sendable {
  /// Called with no lock held.
  func didRegister<Product>(_ registration: Registration<Product>)
}
