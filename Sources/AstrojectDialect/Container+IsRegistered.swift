// SPDX-License-Identifier: MIT

extension Container {
  /// Whether a type is registered under a name, or without a name:
  /// ``Container/contains(_:name:arguments:)``.
  ///
  /// Wait-free, except while the registry grows.
  public func isRegistered<Product>(_ product: Product.Type, with name: Name?) -> Bool {
    contains(product, name: name)
  }
}
