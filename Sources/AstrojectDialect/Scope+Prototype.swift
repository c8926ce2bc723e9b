// SPDX-License-Identifier: MIT

extension Scope {
  /// Astroject's word for `transient`: a new instance for every resolve.
  public static var prototype: Self { .transient }
}
