// SPDX-License-Identifier: MIT

extension Scope {
  /// Another word for `transient`: a new instance for each resolve.
  public static var prototype: Self { .transient }
}
