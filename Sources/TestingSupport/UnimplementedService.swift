// SPDX-License-Identifier: MIT

package import Corinth

/// The error of a resolved service for which a test has no implementation.
package struct UnimplementedService: Error, CustomStringConvertible {
  private let key: RegistrationKey
  private let test: String?
  private let location: String

  /// - Parameters:
  ///   - key: the key of the service.
  ///   - test: the name of the test; `nil` if unknown.
  ///   - location: where the service was said to be unimplemented.
  package init(_ key: RegistrationKey, in test: String?, at location: String) {
    self.key = key
    self.test = test
    self.location = location
  }

  package var description: String {
    """
    \(key) was asked for, and is unimplemented\(test.map { " in \($0)" } ?? "").
      overridden at \(location)
      hint: override it with a test double, or keep the code under test from asking for it.
    """
  }
}
