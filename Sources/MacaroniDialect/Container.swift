// SPDX-License-Identifier: MIT

public import Corinth
internal import DialectSupport

/// Holds closures by return type, and runs the closures: Macaroni's container.
///
/// Safe to use from any thread. Closures run at the same time, and are responsible for the state
/// that the closures use.
public final class Container: Sendable {
  @usableFromInline let core: Corinth.Container

  /// An empty container.
  ///
  /// - Parameters:
  ///   - parent: the container in which keys without a registration here are looked up. The new
  ///     container keeps the parent alive.
  ///   - name: for the log.
  ///   - file: the file named in the log.
  ///   - function: the function named in the log.
  ///   - line: the line named in the log.
  public init(
    parent: Container? = nil, name: String? = nil, file: StaticString = #fileID,
    function: String = #function, line: UInt = #line
  ) {
    core = parent.map { Corinth.Container(parent: $0.core) } ?? Corinth.Container()
    Site(file, function, line).log("Container \(name ?? "without a name") was made")
  }

  /// Refuses registrations from now on. Not needed for speed or safety.
  public func lock() {
    // Freezing fails for contradictions of modifiers only, and no registration here has modifiers.
    try? core.freeze()
  }

  /// Allows registrations again.
  public func unlock() { core.thaw() }

  /// Removes all registrations, also of a locked container.
  public func cleanup(
    file: StaticString = #fileID, function: String = #function, line: UInt = #line
  ) {
    let isLocked = core.isFrozen
    if isLocked { unlock() }
    core.removeAll()
    if isLocked { lock() }
    Site(file, function, line).log("Container was emptied")
  }

  /// Whether a resolve or an injected property would find something, here or in a parent.
  public func isResolvable<D>(_ type: D.Type, alternative: String? = nil) -> Bool {
    let name = alternative.map { Name($0) }
    return core.contains(type, name: name) || core.contains(type, name: name, arguments: Any.self)
      || optionalType(type)?.isWrappedRegistered(in: core, name: name) ?? false
  }

  /// The policy that finds the container of injected properties; for the whole process. Any thread
  /// may read and set the policy.
  public static var lookupPolicy: (any ContainerLookupPolicy)! {
    get { sharedPolicy.value }
    set { sharedPolicy.value = newValue }
  }

  private static let sharedPolicy = SharedValue<(any ContainerLookupPolicy)?>(nil)
}
