// SPDX-License-Identifier: MIT

extension ResolutionError {
  /// What is known about a failed resolution.
  public struct Context: Sendable {
    // One word, so that an error travels in a register.
    private final class Storage: Sendable {
      let innermostFirst: [RegistrationKey]
      let recorded: Set<RegistrationKey>
      let location: SourceLocation?
      let underlyingError: (any Error)?
      weak let container: Container?

      init(
        _ innermostFirst: [RegistrationKey], recorded: Set<RegistrationKey> = [],
        location: SourceLocation? = nil, underlyingError: (any Error)? = nil,
        container: Container? = nil
      ) {
        self.innermostFirst = innermostFirst
        self.recorded = recorded
        self.location = location
        self.underlyingError = underlyingError
        self.container = container
      }
    }

    private let storage: Storage

    /// The keys from the one asked for first to the one that failed. A cycle ends where it began.
    public var path: [RegistrationKey] { storage.innermostFirst.reversed() }

    /// The key that failed.
    public var key: RegistrationKey { storage.innermostFirst[0] }

    /// Where the registration that failed was made; `nil` when there is none.
    public var location: SourceLocation? { storage.location }

    /// What the factory threw; `nil` when it was not a factory that failed.
    public var underlyingError: (any Error)? { storage.underlyingError }

    /// The container in which nothing was found, if it still exists.
    var container: Container? { storage.container }

    init(missing key: RegistrationKey, in container: Container) {
      storage = Storage([key], container: container)
    }

    init(failureOf record: RegistrationRecord, _ error: any Error) {
      storage = Storage([record.key], location: record.location, underlyingError: error)
    }

    /// - Parameter path: from the key whose construction cannot be waited for to the one that waits.
    init(cycle path: [RegistrationKey]) {
      storage = Storage(path.reversed())
    }

    /// - Parameter path: a cycle found by depth, its first key repeated at the end.
    init(recordedCycle path: [RegistrationKey]) {
      storage = Storage(path.reversed(), recorded: Set(path))
    }

    private init(_ storage: Storage) {
      self.storage = storage
    }

    /// The same failure, seen by the factory of `key`, through which it passes.
    ///
    /// A cycle that was found by depth has gone round many times before; those levels are left out.
    func reached(from key: RegistrationKey) -> Context {
      if storage.recorded.contains(key) { return self }
      return Context(
        Storage(
          storage.innermostFirst + [key], recorded: storage.recorded, location: location,
          underlyingError: underlyingError, container: container))
    }

    var underlyingErrorText: String {
      guard let underlyingError else { return "" }
      return "\(underlyingError)"
    }

    static func text(of path: [RegistrationKey]) -> String {
      path.map(\.description).joined(separator: " -> ")
    }
  }
}
