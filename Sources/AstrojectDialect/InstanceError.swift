// SPDX-License-Identifier: MIT

/// The error of Astroject for an ``Instance`` that has no product after it has been given one.
///
/// Corinth does not throw it: a resolve returns what the factory has built, stored or not. It is here for programs that name it.
public enum InstanceError: Error, Equatable, Sendable {
  /// There is no product.
  case noInstance
}
