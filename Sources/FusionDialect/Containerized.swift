// SPDX-License-Identifier: MIT

/// A class whose injected properties are resolved in a container of its own.
public protocol Containerized: AnyObject {
  /// Where they are resolved.
  var container: Container { get }
}
