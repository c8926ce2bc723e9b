// SPDX-License-Identifier: MIT

/// The error of Astroject for an ``Instance`` that has no product after storing a product.
///
/// Corinth never throws this error: a resolve returns the product of the factory, stored or not.
/// The type is here for programs that name the error.
public enum InstanceError: Error, Equatable, Sendable {
  /// The product is missing.
  case noInstance
}
