// SPDX-License-Identifier: MIT

/// Instances that a container has released without disposing of them: see ``Container/onDroppedUndisposed``.
public struct DropReport: Sendable {
  /// Why they were released.
  public enum Cause: Sendable, Hashable {
    /// `release` or `releaseAll`.
    case released
    /// Another registration of the key, or a modifier.
    case overridden
    /// `unregister` or `removeAll`.
    case removed
    /// The container was deallocated, and had not been shut down.
    case containerDropped
    /// The request scope was deallocated, and had not been closed. The location is that of `makeScope`.
    case scopeDropped(madeAt: SourceLocation)
  }

  /// Why they were released.
  public let cause: Cause
  /// What was released.
  public let instances: [DroppedInstance]
}

/// An instance that its container has released.
public struct DroppedInstance: Sendable {
  /// The key of its registration.
  public let key: RegistrationKey
  /// The source location of its registration.
  public let location: SourceLocation
}

extension DropReport: CustomStringConvertible {
  /// What was dropped and why, with locations, and what to do instead.
  public var description: String {
    let names = instances.map(\.key.description).joined(separator: ", ")
    let (text, hint) =
      switch cause {
      case .released:
        (
          "\(names) was released, and not disposed of.",
          "`try await container.release(..., disposing: true)` releases and disposes of it."
        )
      case .overridden, .removed:
        (
          "\(names) was \(cause), and not disposed of.",
          "dispose of it before, with `try await container.release(..., disposing: true)`."
        )
      case .containerDropped:
        (
          "A container was dropped before its shutdown: it has not disposed of \(names).",
          "end it with `try await container.shutdown()`."
        )
      case .scopeDropped:
        (
          "A request scope was dropped before it was closed: it has not disposed of \(names).",
          "close it with `try await scope.close()`, or use `withScope`."
        )
      }
    var lines = [text]
    if case .scopeDropped(let location) = cause { lines.append("  made at \(location)") }
    lines += instances.map { "  \($0.key) is registered at \($0.location)" }
    return (lines + ["  hint: \(hint)"]).joined(separator: "\n")
  }
}
