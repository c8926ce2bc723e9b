// SPDX-License-Identifier: MIT

public import Corinth
internal import DialectSupport

/// Holds closures by the type that they return, and runs them: Macaroni's container.
///
/// Safe to use from any thread, as the closures run at the same time: they are responsible for the state that they
/// use.
public final class Container: Sendable {
  @usableFromInline let core: Corinth.Container

  /// An empty container.
  ///
  /// - Parameters:
  ///   - parent: where keys are looked up that are not registered here. It is kept alive.
  ///   - name: for the log.
  ///   - file: the file that the log names.
  ///   - function: the function that the log names.
  ///   - line: the line that the log names.
  public init(
    parent: Container? = nil, name: String? = nil, file: StaticString = #fileID,
    function: String = #function, line: UInt = #line
  ) {
    core = parent.map { Corinth.Container(parent: $0.core) } ?? Corinth.Container()
    Site(file, function, line).log("Container \(name ?? "without a name") was made")
  }

  /// Refuses registrations from now on. Not needed for speed or safety.
  public func lock() {
    // Fails for contradictions of modifiers only, which no registration here has.
    try? core.freeze()
  }

  /// Allows registrations again.
  public func unlock() { core.thaw() }

  /// Removes all registrations, also of a container that is locked.
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

  /// Finds the container of injected properties; for the whole process. Any thread may read and set it.
  public static var lookupPolicy: (any ContainerLookupPolicy)! {
    get { sharedPolicy.value }
    set { sharedPolicy.value = newValue }
  }

  private static let sharedPolicy = SharedValue<(any ContainerLookupPolicy)?>(nil)
}
