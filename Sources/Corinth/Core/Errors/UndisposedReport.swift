// SPDX-License-Identifier: MIT

/// Instances that a container has released without disposal, or that have outlived their scope: see
/// ``Container/onUndisposed`` and ``Container/onOutlivedScope``.
///
/// ## Concurrency
/// A value, safe to use from any thread.
public struct UndisposedReport: Sendable {
  /// The reason why instances were released, or are reported.
  public enum Cause: Sendable, Hashable {
    /// `release` or `releaseAll`.
    case released
    /// A further registration of the key, or a modifier.
    case overridden
    /// `unregister` or `removeAll`.
    case removed
    /// The container was deallocated without a shutdown.
    case containerNotShutDown
    /// The request scope was deallocated without being closed. The location is the location of the
    /// `makeScope` call.
    case scopeNotClosed(madeAt: SourceLocation)
    /// The request scope was closed, and an object outside still refers to the instances. The
    /// location is the location of the `makeScope` call.
    case scopeOutlived(madeAt: SourceLocation)
  }

  /// The reason of the report.
  public let cause: Cause
  /// The released instances.
  public let instances: [UndisposedInstance]
}

/// A released instance, by its registration.
public struct UndisposedInstance: Sendable {
  /// The key of the registration.
  public let key: RegistrationKey
  /// The source location of the registration.
  public let location: SourceLocation
}

extension UndisposedReport: CustomStringConvertible {
  /// The undisposed instances, the reason, the locations, and a remedy.
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
