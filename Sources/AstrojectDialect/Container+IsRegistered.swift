// SPDX-License-Identifier: MIT

extension Container {
  /// Whether a type is registered under a name, or under none: ``Container/contains(_:name:arguments:)``.
  ///
  /// Wait-free, save while the registry grows.
  public func isRegistered<Product>(_ product: Product.Type, with name: Name?) -> Bool {
    contains(product, name: name)
  }
}
