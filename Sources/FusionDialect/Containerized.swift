// SPDX-License-Identifier: MIT

/// A class whose injected properties are resolved in a container of the object.
///
/// ## Concurrency
/// ``container`` is read on every thread that reads an injected property.
public protocol Containerized: AnyObject {
  /// The container that resolves the properties.
  var container: Container { get }
}
