// SPDX-License-Identifier: MIT

extension ResolutionError {
  /// The registration of an instance that would have outlived its scope with another one.
  struct Captor: Sendable {
    let key: RegistrationKey
    let location: SourceLocation?
  }

  /// The details of a failed resolution.
  public struct Context: Sendable {
    // One word, so that an error travels in a register.
    private final class Storage: Sendable {
      let innermostFirst: [RegistrationKey]
      let isCycle: Bool
      let location: SourceLocation?
      let underlyingError: (any Error)?
      let captor: Captor?
      let askerLocation: SourceLocation?
      let suggestions: (@Sendable () -> [String])?
      /// Of a cycle: the registrations whose factories it has passed through.
      let passed: [(key: RegistrationKey, location: SourceLocation)]

      init(
        _ innermostFirst: [RegistrationKey], isCycle: Bool = false,
        location: SourceLocation? = nil, underlyingError: (any Error)? = nil,
        captor: Captor? = nil, askerLocation: SourceLocation? = nil,
        suggestions: (@Sendable () -> [String])? = nil,
        passed: [(key: RegistrationKey, location: SourceLocation)] = []
      ) {
        self.innermostFirst = innermostFirst
        self.isCycle = isCycle
        self.location = location
        self.underlyingError = underlyingError
        self.captor = captor
        self.askerLocation = askerLocation
        self.suggestions = suggestions
        self.passed = passed
      }

      deinit { HeldLocks.assertNone(Storage.self) }
    }

    private let storage: Storage

    /// The keys from that of the outermost resolve to the one that failed. A cycle ends where it began.
    ///
    /// A cycle among transients is found after many rounds: the path stops where the first round is complete.
    public var path: [RegistrationKey] {
      let path = Array(storage.innermostFirst.reversed())
      guard storage.isCycle else { return path }
      let lastRound = Set(storage.innermostFirst.dropFirst().prefix { $0 != key }).union([key])
      var seen: Set<RegistrationKey> = []
      let end = path.firstIndex { lastRound.contains($0) && !seen.insert($0).inserted }
      return end.map { Array(path[...$0]) } ?? path
    }

    /// Of a cycle: its registrations in the order of the path, without those that other threads and tasks build.
    var cycleLocations: [(key: RegistrationKey, location: SourceLocation)] {
      var seen: Set<RegistrationKey> = []
      return path.filter { seen.insert($0).inserted }
        .compactMap { key in storage.passed.first { $0.key == key } }
    }

    /// Whether it has passed through no factory yet.
    var isUnextended: Bool { storage.innermostFirst.count == 1 }

    /// The key that failed.
    public var key: RegistrationKey {
      storage.innermostFirst.first ?? .forComparison
    }

    /// Whether it belongs to an error that others are compared with.
    var isForComparison: Bool { storage.innermostFirst.first == nil }

    /// The source location of the registration that failed; `nil` when there is none.
    public var location: SourceLocation? { storage.location }

    /// The error that the factory threw; `nil` if no factory failed.
    public var underlyingError: (any Error)? { storage.underlyingError }

    /// Of a captive dependency: the key of the instance that would have outlived its scope with it. Of a missing input: the
    /// key of the instance that needs it outside of every scope, `nil` if none does.
    public var captor: RegistrationKey? { storage.captor?.key }

    /// The source location of the registration of ``captor``.
    public var captorLocation: SourceLocation? { storage.captor?.location }

    /// The source location of the registration whose factory asked for the key that failed; `nil` when no factory did.
    public var askerLocation: SourceLocation? { storage.askerLocation }

    /// The key of that registration.
    var asker: RegistrationKey? { storage.innermostFirst.dropFirst().first }

    /// Whether it has hints of its own.
    var hasSuggestions: Bool { storage.suggestions != nil }

    /// Hints about a key that is not registered. Computed at each call.
    var suggestions: [String] { storage.suggestions?() ?? [] }

    /// That of an error which others are compared with.
    init() {
      storage = Storage([])
    }

    /// - Parameter suggestions: computes the hints.
    init(missing key: RegistrationKey, suggestions: @escaping @Sendable () -> [String]) {
      storage = Storage([key], suggestions: suggestions)
    }

    init(failureOf key: RegistrationKey, at location: SourceLocation, _ error: any Error) {
      storage = Storage([key], location: location, underlyingError: error)
    }

    /// - Parameter captor: of a captive dependency: the key of the instance that outlives the scope.
    init(
      refusing key: RegistrationKey, at location: SourceLocation? = nil,
      capturedBy captor: Captor? = nil, suggestions: (@Sendable () -> [String])? = nil
    ) {
      storage = Storage([key], location: location, captor: captor, suggestions: suggestions)
    }

    /// - Parameter path: from the key whose construction cannot be waited for to the one that waits, or a
    ///   whole round among transients. ``reached(from:at:)`` adds the path to the first of them.
    init(cycle path: [RegistrationKey]) {
      storage = Storage(path.reversed(), isCycle: true)
    }

    private init(_ storage: Storage) {
      self.storage = storage
    }

    /// The same failure, seen by the factory of `key`, through which it passes.
    func reached(from key: RegistrationKey, at location: SourceLocation) -> Context {
      Context(
        Storage(
          storage.innermostFirst + [key], isCycle: storage.isCycle, location: self.location,
          underlyingError: underlyingError, captor: storage.captor,
          askerLocation: isUnextended ? location : askerLocation,
          suggestions: storage.suggestions,
          passed: storage.isCycle ? storage.passed + [(key, location)] : []))
    }

    var underlyingErrorText: String {
      guard let underlyingError else { return "" }
      return "\(underlyingError)"
    }

    /// Of an invalid registration: what its error says, without the hints.
    var faultLines: [String] {
      let lines = underlyingErrorText.split(separator: "\n")
      return lines.prefix(1).map { "  \($0)" }
        + lines.dropFirst().filter { !$0.hasPrefix(Self.hintMark) }.map(String.init)
    }

    /// Of an invalid registration: the hints of its error.
    var faultHints: [String] {
      underlyingErrorText.split(separator: "\n").filter { $0.hasPrefix(Self.hintMark) }
        .map { String($0.dropFirst(Self.hintMark.count)) }
    }

    private static var hintMark: String { "  hint: " }

    static func text(of path: [RegistrationKey]) -> String {
      path.map(\.description).joined(separator: " -> ")
    }

    /// The same without the middle of a path that would fill pages.
    static func abbreviatedText(of path: [RegistrationKey]) -> String {
      let kept = 32
      let left = path.count - 2 * kept
      guard left > kept else { return text(of: path) }
      let (first, last) = (Array(path.prefix(kept)), Array(path.suffix(kept)))
      return "\(text(of: first)) -> (\(left) more) -> \(text(of: last))"
    }
  }
}
