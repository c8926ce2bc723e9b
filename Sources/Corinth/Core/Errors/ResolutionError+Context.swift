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
      let failure: Failure
      /// The last factory that it has passed through.
      let last: Step?
      let askerLocation: SourceLocation?

      init(_ failure: Failure, last: Step? = nil, askerLocation: SourceLocation? = nil) {
        self.failure = failure
        self.last = last
        self.askerLocation = askerLocation
      }
    }

    /// What has failed. All levels that the error passes through share it.
    private final class Failure: Sendable {
      /// The key that failed; of a cycle, more than that.
      let innermostFirst: [RegistrationKey]
      let isCycle: Bool
      let location: SourceLocation?
      let underlyingError: (any Error)?
      let captor: Captor?
      let detail: Detail?

      init(
        _ innermostFirst: [RegistrationKey], isCycle: Bool = false,
        location: SourceLocation? = nil, underlyingError: (any Error)? = nil,
        captor: Captor? = nil, _ detail: Detail? = nil
      ) {
        self.innermostFirst = innermostFirst
        self.isCycle = isCycle
        self.location = location
        self.underlyingError = underlyingError
        self.captor = captor
        self.detail = detail
      }

      deinit { HeldLocks.assertNone(Failure.self) }
    }

    /// What only one kind of failure has.
    private enum Detail: Sendable {
      /// Computes hints, and the keys that they name.
      case hints(@Sendable () -> [String], naming: (@Sendable () -> [RegistrationKey])? = nil)
      /// Of a warm-up.
      case failures([ResolutionError])
      /// Of an injection.
      case property(Property)
      /// It was a scope that was refused, not what is resolved from one.
      case scope
      /// An input that a scope was given several of.
      case repetition
      /// Of a cycle: a decorator has resolved what it wraps.
      case decorator
    }

    /// A registration whose factory the error has passed through.
    // SAFETY: `inner` is constant until no other reference to this is left.
    private final class Step: @unchecked Sendable {
      let key: RegistrationKey
      /// `nil` if the thread that has met the failure did not run the factory.
      let location: SourceLocation?
      private(set) var inner: Step?

      init(through key: RegistrationKey, at location: SourceLocation?, after inner: Step?) {
        self.key = key
        self.location = location
        self.inner = inner
      }

      /// A loop: there may be more levels than the stack has room for nested deinits.
      deinit {
        var next = inner
        inner = nil
        while isKnownUniquelyReferenced(&next) {
          let following = next?.inner
          next?.inner = nil
          next = following
        }
      }
    }

    private let storage: Storage

    /// The registrations that it has passed through, the last one first.
    private var outermostFirst: some Sequence<Step> {
      sequence(state: storage.last) { next in
        defer { next = next?.inner }
        return next
      }
    }

    /// The keys from that of the outermost resolve to the one that failed. A cycle ends where it began.
    ///
    /// A cycle among transients is found after many rounds: the path stops where the first round is complete.
    public var path: [RegistrationKey] {
      let failure = storage.failure
      let path = outermostFirst.map(\.key) + failure.innermostFirst.reversed()
      guard failure.isCycle else { return path }
      let lastRound = Set(path.reversed().dropFirst().prefix { $0 != key }).union([key])
      var seen: Set<RegistrationKey> = []
      let end = path.firstIndex { lastRound.contains($0) && !seen.insert($0).inserted }
      return end.map { Array(path[...$0]) } ?? path
    }

    /// Of a cycle: its registrations in the order of the path, without those that other threads and tasks build.
    var cycleLocations: [(key: RegistrationKey, location: SourceLocation)] {
      var locations: [RegistrationKey: SourceLocation] = [:]
      // Of several with one key the innermost counts.
      for step in outermostFirst { locations[step.key] = step.location ?? locations[step.key] }
      return path.compactMap { key in
        locations.removeValue(forKey: key).map { (key, $0) }
      }
    }

    /// Whether it has passed through no factory yet.
    var isUnextended: Bool { storage.last == nil && storage.failure.innermostFirst.count == 1 }

    /// Whether that is so of a cycle that a key is alone in.
    func isUnextendedCycle(of key: RegistrationKey) -> Bool {
      let failure = storage.failure
      return failure.isCycle && storage.last == nil
        && failure.innermostFirst.allSatisfy { $0 == key }
    }

    /// The key that failed.
    public var key: RegistrationKey {
      storage.failure.innermostFirst.first ?? .forComparison
    }

    /// Whether it belongs to an error that others are compared with.
    var isForComparison: Bool { storage.failure.innermostFirst.first == nil }

    /// The source location of the registration that failed; `nil` when there is none.
    public var location: SourceLocation? { storage.failure.location }

    /// The error that the factory threw; `nil` if no factory failed.
    public var underlyingError: (any Error)? { storage.failure.underlyingError }

    /// Of a captive dependency: the key of the instance that would have outlived its scope with it. Of a missing input: the
    /// key of the instance that needs it outside of every scope, `nil` if none does.
    public var captor: RegistrationKey? { storage.failure.captor?.key }

    /// The source location of the registration of ``captor``.
    public var captorLocation: SourceLocation? { storage.failure.captor?.location }

    /// The source location of the registration whose factory asked for the key that failed; `nil` when no factory did.
    public var askerLocation: SourceLocation? { storage.askerLocation }

    /// The key of that registration.
    var asker: RegistrationKey? {
      if let key = storage.failure.innermostFirst.dropFirst().first { return key }
      var first: RegistrationKey?
      for step in outermostFirst { first = step.key }
      return first
    }

    /// Of a failed injection: the property with the type of its object, such as `Service.mailer`; `nil` where only the
    /// declaration is known: for properties of values, variables and parameters, and of objects when they are resolved
    /// eagerly.
    public var property: String? {
      if case .property(let property) = storage.failure.detail { property.name } else { nil }
    }

    /// Of a failed injection: where the property is declared.
    public var declaration: SourceLocation? {
      if case .property(let property) = storage.failure.detail { property.declaration } else { nil }
    }

    /// Of a warm-up: what has failed.
    var failures: [ResolutionError]? {
      if case .failures(let failures) = storage.failure.detail { failures } else { nil }
    }

    /// Whether a scope was refused, and not what is resolved from one.
    var isRefusalOfScope: Bool {
      if case .scope = storage.failure.detail { true } else { false }
    }

    /// Whether a scope was made with several inputs of the key.
    var isOfRepeatedInput: Bool {
      if case .repetition = storage.failure.detail { true } else { false }
    }

    /// Whether a decorator has resolved what it wraps.
    var isOfDecorator: Bool {
      if case .decorator = storage.failure.detail { true } else { false }
    }

    /// Whether it has hints of its own.
    var hasSuggestions: Bool {
      if case .hints = storage.failure.detail { true } else { false }
    }

    /// Hints about a key that is not registered. Computed at each call.
    var suggestions: [String] {
      if case .hints(let hints, naming: _) = storage.failure.detail { hints() } else { [] }
    }

    /// The types that the text of the error names.
    var namedTypes: [any Any.Type] {
      var keys = path
      if let captor { keys.append(captor) }
      if case .hints(_, let named?) = storage.failure.detail { keys += named() }
      return keys.flatMap(\.namedTypes)
    }

    /// That of an error which others are compared with.
    init() {
      self.init(Failure([]))
    }

    /// - Parameters:
    ///   - named: computes the keys that the hints name.
    ///   - suggestions: computes the hints.
    init(
      missing key: RegistrationKey, naming named: (@Sendable () -> [RegistrationKey])? = nil,
      suggestions: @escaping @Sendable () -> [String]
    ) {
      self.init(Failure([key], .hints(suggestions, naming: named)))
    }

    /// - Parameter failures: those of a warm-up, at least one.
    init(_ failures: [ResolutionError]) {
      self.init(
        Failure(
          failures.first?.path.reversed() ?? [], location: failures.first?.context.location,
          underlyingError: failures.first?.underlyingError, .failures(failures)))
    }

    init(
      injecting key: RegistrationKey, into property: Property, _ underlyingError: (any Error)?
    ) {
      self.init(Failure([key], underlyingError: underlyingError, .property(property)))
    }

    /// - Parameter scope: the key of a container that opens no scopes any more.
    init(refusingScope scope: RegistrationKey) {
      self.init(Failure([scope], .scope))
    }

    /// - Parameter input: the key of an input that a scope was made with several of.
    init(repeating input: RegistrationKey, at location: SourceLocation) {
      self.init(Failure([input], location: location, .repetition))
    }

    init(failureOf key: RegistrationKey, at location: SourceLocation, _ error: any Error) {
      self.init(Failure([key], location: location, underlyingError: error))
    }

    /// - Parameter captor: of a captive dependency: the key of the instance that outlives the scope.
    init(
      refusing key: RegistrationKey, at location: SourceLocation? = nil,
      capturedBy captor: Captor? = nil, suggestions: (@Sendable () -> [String])? = nil
    ) {
      self.init(
        Failure([key], location: location, captor: captor, suggestions.map { .hints($0) }))
    }

    /// - Parameter path: from the key whose construction cannot be waited for to the one that waits, or a
    ///   whole round among transients. ``reached(from:at:)`` adds the path to the first of them.
    init(cycle path: [RegistrationKey]) {
      self.init(Failure(path.reversed(), isCycle: true))
    }

    /// - Parameter product: the key of what a decorator wraps, and has resolved.
    init(decoratorResolving product: RegistrationKey) {
      self.init(Failure([product], isCycle: true, .decorator))
    }

    private init(_ failure: Failure) {
      storage = Storage(failure)
    }

    private init(_ storage: Storage) {
      self.storage = storage
    }

    /// The same failure, seen by the factory of `key`, through which it passes.
    func reached(from key: RegistrationKey, at location: SourceLocation?) -> Context {
      Context(
        Storage(
          storage.failure, last: Step(through: key, at: location, after: storage.last),
          askerLocation: isUnextended ? location : askerLocation))
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
