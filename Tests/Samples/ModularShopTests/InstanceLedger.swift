// SPDX-License-Identifier: MIT

import Corinth
import Synchronization

/// Counts what a container builds and disposes of, and finds instances that outlive it.
final class InstanceLedger: Behavior {
  private struct Entries {
    var built: [String: Int] = [:]
    var disposed: [String: Int] = [:]
    var dropped: [String] = []
    var instances: [ObjectIdentifier: Seen] = [:]
  }

  // SAFETY: of the instance, only whether it is still there is asked.
  private final class Seen: @unchecked Sendable {
    let key: String
    weak let instance: AnyObject?

    init(_ key: RegistrationKey, _ instance: AnyObject) {
      self.key = "\(key)"
      self.instance = instance
    }
  }

  private let entries = Mutex(Entries())

  var built: [String: Int] { entries.withLock { $0.built } }
  var disposed: [String: Int] { entries.withLock { $0.disposed } }
  var dropped: [String] { entries.withLock { $0.dropped } }

  /// The keys of instances that are still there.
  var alive: [String] {
    entries.withLock { $0.instances.values.filter { $0.instance != nil }.map(\.key).sorted() }
  }

  /// How many instances of classes there were.
  var seen: Int { entries.withLock { $0.instances.count } }

  func didBuild(_ key: RegistrationKey, in duration: Duration, container: Container) {
    entries.withLock { $0.built["\(key)", default: 0] += 1 }
  }

  func didDispose(_ key: RegistrationKey) {
    entries.withLock { $0.disposed["\(key)", default: 0] += 1 }
  }

  func didLeaveUndisposed(_ report: UndisposedReport) {
    entries.withLock { $0.dropped.append("\(report)") }
  }

  func didResolve(_ key: RegistrationKey, as instance: Any, in container: Container) {
    guard type(of: instance) is AnyClass else { return }
    let object = instance as AnyObject
    let (identity, seen) = (ObjectIdentifier(object), Seen(key, object))
    entries.withLock { $0.instances[identity] = seen }
  }
}
