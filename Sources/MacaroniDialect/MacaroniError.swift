// SPDX-License-Identifier: MIT

/// The reason why a resolve has no result.
public enum MacaroniError: Error {
  /// Nothing is registered under the type and the alternative.
  case noResolver
}
