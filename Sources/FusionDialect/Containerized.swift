// SPDX-License-Identifier: MIT

/// A class whose injected properties are resolved in a container of the object.
public protocol Containerized: AnyObject {
  /// The container that resolves the properties.
  var container: Container { get }
}
