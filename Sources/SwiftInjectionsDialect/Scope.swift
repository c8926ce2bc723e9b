// SPDX-License-Identifier: MIT

/// How long an object lives that an assembly defines.
@frozen
public enum Scope: Sendable {
  /// A new object for each access.
  // swift-format-ignore: AlwaysUseLowerCamelCase
  case Prototype
  /// One object for each key and graph: the graph of one access from outside, with all accesses nested in it.
  // swift-format-ignore: AlwaysUseLowerCamelCase
  case ObjectGraph
  /// One object for each key and assembly. It is made once, and injected again on each access from outside.
  // swift-format-ignore: AlwaysUseLowerCamelCase
  case Singleton
}
