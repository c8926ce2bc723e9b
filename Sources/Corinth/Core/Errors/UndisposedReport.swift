// SPDX-License-Identifier: MIT

/// Instances that a container has released without disposing of them, or that are still there after it has: see
/// ``Container/onUndisposed`` and ``Container/onOutlivedScope``.
public struct UndisposedReport: Sendable {
  /// Why they were released.
  public enum Cause: Sendable, Hashable {
    /// `release` or `releaseAll`.
    case released
    /// Another registration of the key, or a modifier.
    case overridden
    /// `unregister` or `removeAll`.
    case removed
    /// The container was deallocated, and had not been shut down.
    case containerNotShutDown
    /// The request scope was deallocated, and had not been closed. The location is that of `makeScope`.
    case scopeNotClosed(madeAt: SourceLocation)
    /// The request scope was closed, and something else still refers to them. The location is that of `makeScope`.
    case scopeOutlived(madeAt: SourceLocation)
  }

  /// Why they were released.
  public let cause: Cause
  /// What was released.
  public let instances: [UndisposedInstance]
}

/// An instance that its container has released.
public struct UndisposedInstance: Sendable {
  /// The key of its registration.
  public let key: RegistrationKey
  /// The source location of its registration.
  public let location: SourceLocation
}

extension UndisposedReport: CustomStringConvertible {
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
      case .containerNotShutDown:
        (
          "A container was dropped before its shutdown: it has not disposed of \(names).",
          "end it with `try await container.shutdown()`."
        )
      case .scopeNotClosed:
        (
          "A request scope was dropped before it was closed: it has not disposed of \(names).",
          "close it with `try await scope.close()`, or use `withScope`."
        )
      case .scopeOutlived:
        (
          "\(names) outlived a request scope: something still refers to it.",
          "look for a global, a cache or a task that stores it, or an instance of a longer life."
        )
      }
    var lines = [text]
    switch cause {
    case .scopeNotClosed(let location), .scopeOutlived(let location):
      lines.append("  made at \(location)")
    case .released, .overridden, .removed, .containerNotShutDown: break
    }
    lines += instances.map { "  \($0.key) is registered at \($0.location)" }
    return (lines + ["  hint: \(hint)"]).joined(separator: "\n")
  }
}
