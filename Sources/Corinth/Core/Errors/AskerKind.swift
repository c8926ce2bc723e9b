// SPDX-License-Identifier: MIT

/// How a registration is written that asks for a further key, as far as hints depend on it.
enum AskerKind {
  /// A closure that is synchronous.
  case factory
  /// A closure that is asynchronous, or an initializer that is wired by `wireAsync`.
  case asynchronous
  /// An initializer that is wired by `wire`.
  case wired
  /// A forward, which resolves the target in place of the caller.
  case forward
}
