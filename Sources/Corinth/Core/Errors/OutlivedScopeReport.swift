// SPDX-License-Identifier: MIT

/// An instance that is still there although its request scope has closed: see ``Container/onOutlivedScope``.
public struct OutlivedScopeReport: Sendable {
  /// The key of its registration.
  public let key: RegistrationKey
  /// The source location of its registration.
  public let location: SourceLocation
  /// Where the scope was made.
  public let scopeLocation: SourceLocation
}

extension OutlivedScopeReport: CustomStringConvertible {
  /// What has outlived which scope, with locations, and what to do.
  public var description: String {
    """
    \(key) has outlived its request scope: something still refers to it.
      registered at \(location)
      the scope was made at \(scopeLocation)
      hint: look for a global, a cache or a task that stores it, or an instance of a longer life.
    """
  }
}
