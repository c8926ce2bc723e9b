// SPDX-License-Identifier: MIT

/// The lifetime of an object that an assembly defines.
@frozen
public enum Scope: Sendable {
  /// A new object for every access.
  // swift-format-ignore: AlwaysUseLowerCamelCase
  case Prototype
  /// An object for every key and graph: the graph of an access from outside, with all nested
  /// accesses.
  // swift-format-ignore: AlwaysUseLowerCamelCase
  case ObjectGraph
  /// An object for every key and assembly. The object is made once, and injected again on every
  /// access from outside.
  // swift-format-ignore: AlwaysUseLowerCamelCase
  case Singleton
}
