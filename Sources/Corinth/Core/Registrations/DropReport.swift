// SPDX-License-Identifier: MIT

internal import Synchronization

/// Instances that a container has let go of without disposing of them, see ``Container/onDroppedUndisposed``.
public struct DropReport: Sendable {
  /// The reason why they were let go of.
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

  /// The reason why they were let go of.
  public let cause: Cause
  /// What was let go of.
  public let instances: [DroppedInstance]
}

/// An instance that its container has let go of.
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
          "`try await container.dispose(...)` releases and disposes of it."
        )
      case .overridden:
        (
          "\(names) was overridden, and not disposed of.",
          "dispose of it before, with `try await container.dispose(...)`."
        )
      case .removed:
        (
          "\(names) was removed, and not disposed of.",
          "dispose of it before, with `try await container.dispose(...)`."
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

/// Who is told of dropped instances. One for the process: libraries make containers of their own.
enum DropReports {
  typealias Handler = @Sendable (DropReport) -> Void

  /// `nil` for none. Kept under the mutex of the wait-for graph, which a fork leaves free.
  static var handler: Handler? {
    get {
      WaitsMutex.lock()
      defer { WaitsMutex.unlock() }
      return unsafe current
    }
    set {
      WaitsMutex.lock()
      let former = unsafe current
      unsafe current = newValue
      isHeard.store(newValue != nil, ordering: .relaxed)
      WaitsMutex.unlock()
      // Let go of with the mutex given up.
      withExtendedLifetime(former) {}
    }
  }

  /// Whether there is a handler; read without the mutex.
  static let isHeard = Atomic<Bool>(initial != nil)

  /// Reports instances, if there are any. No lock is held.
  static func report(
    _ cause: DropReport.Cause, _ instances: @autoclosure () -> [DroppedInstance]
  ) {
    guard isHeard.load(ordering: .relaxed) else { return }
    let instances = instances()
    if instances.isEmpty { return }
    handler?(DropReport(cause: cause, instances: instances))
  }

  // SAFETY: only touched with the mutex of the wait-for graph held.
  nonisolated(unsafe) private static var current: Handler? = initial

  private static var initial: Handler? {
    #if DEBUG
      { StandardError.write("\($0)") }
    #else
      nil
    #endif
  }
}

extension RegistrationRecord {
  /// The instances that it stores, if they are to be disposed of.
  var undisposedInstances: [DroppedInstance] {
    if lifecycle.disposers.isEmpty { return [] }
    return instances.filter(\.isBuilt).map { _ in DroppedInstance(key: key, location: location) }
  }
}

extension ContainerCore {
  /// The instances that a request scope stores.
  var scopedInstances: [DroppedInstance] {
    var found: [DroppedInstance] = []
    instances.forEachEntry { entry in
      guard entry.isBuilt else { return }
      found.append(DroppedInstance(key: entry.record.key, location: entry.record.location))
    }
    return found
  }
}

extension InstanceState {
  fileprivate var isBuilt: Bool {
    if case .built = current { true } else { false }
  }
}
