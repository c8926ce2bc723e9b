// SPDX-License-Identifier: MIT

/// The error of `Container.resolveThrowing(_:id:)`.
// SAFETY: the id, whose type is not marked Sendable, is only read.
public enum FusionError: Error, CustomStringConvertible, @unchecked Sendable {
  /// Nothing is bound to the type and the id.
  case notRegistered(type: any Any.Type, id: AnyHashable?)

  /// The form of `notRegistered(type:id:)` in Fusion 0.3.
  public static func notRegistered(type: any Any.Type, identifier: AnyHashable?) -> FusionError {
    .notRegistered(type: type, id: identifier)
  }

  /// A single line, such as `Nothing is bound to Logger with the id slack.`
  public var description: String {
    switch self {
    case .notRegistered(let type, let id):
      "Nothing is bound to \(type)\(id.map { " with the id \($0)" } ?? "")."
    }
  }
}
