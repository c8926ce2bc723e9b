// SPDX-License-Identifier: MIT

extension ResolutionError {
  /// The registration of an instance that would have kept a scoped instance beyond the scope.
  struct Captor: Sendable {
    let key: RegistrationKey
    let location: SourceLocation?
  }

  /// A detail of a single kind of failure.
  enum Note {
    /// The container refused a call as a whole, not the resolve of an instance.
    case container
    /// A scope was made with several inputs of the key.
    case repetition
    /// For a cycle: a decorator has resolved the decorated key.
    case decorator
    /// For a cycle: a reload was to wait for a second reload.
    case reload
    /// The scope of the name is outside of the container that has the registration.
    case outerScope
  }

  /// The details of a failed resolution.
  public struct Context: Sendable {
    // A single word, so that an error travels in a register.
    private final class Storage: Sendable {
      let failure: Shared<Failure>
      /// The last factory that the error has passed through.
      let last: Step?
      let askerLocation: SourceLocation?

      init(_ failure: Shared<Failure>, last: Step? = nil, askerLocation: SourceLocation? = nil) {
        self.failure = failure
        self.last = last
        self.askerLocation = askerLocation
      }
    }

    /// The failure itself, shared by all levels that the error passes through.
    private struct Failure: Sendable {
      /// The failed key; for a cycle, all keys of the cycle.
      let innermostFirst: [RegistrationKey]
      var isCycle = false
      var location: SourceLocation?
      var underlyingError: (any Error)?
      var captor: Captor?
      var note: Note?
      /// The name of the request scopes that store the instance; `nil` without a name.
      var scopeName: Shared<Name>?
      /// For a warm-up: the failures of all registrations.
      var failures: [ResolutionError]?
      /// For an injection: the property without a value.
      var property: Property?
      /// Compute the hints, and the keys named in the hints.
      var hints: (@Sendable () -> [String])?
      var named: (@Sendable () -> [RegistrationKey])?
    }

    /// A registration whose factory the error has passed through.
    // SAFETY: `inner` is constant until the reference of the deinit is the only one left.
    private final class Step: @unchecked Sendable {
      let key: RegistrationKey
      /// `nil` if the thread that has met the failure did not run the factory.
      let location: SourceLocation?
      let kind: AskerKind
      private(set) var inner: Step?

      init(
        through key: RegistrationKey, at location: SourceLocation?, _ kind: AskerKind,
        after inner: Step?
      ) {
        self.key = key
        self.location = location
        self.kind = kind
        self.inner = inner
      }

      /// A loop: nested deinits of many levels could overflow the stack.
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

    private var failure: Failure { storage.failure.value }

    /// The registrations that the error has passed through, the last first.
    private var outermostFirst: some Sequence<Step> {
      sequence(state: storage.last) { next in
        defer { next = next?.inner }
        return next
      }
    }

    /// The keys from the outermost resolve to the failed key. A cycle ends with its first key.
    ///
    /// A cycle among transients is found after many rounds: the path stops after the first round.
    public var path: [RegistrationKey] {
      let path = outermostFirst.map(\.key) + failure.innermostFirst.reversed()
      guard failure.isCycle else { return path }
      let lastRound = Set(path.reversed().dropFirst().prefix { $0 != key }).union([key])
      var seen: Set<RegistrationKey> = []
      let end = path.firstIndex { lastRound.contains($0) && !seen.insert($0).inserted }
      return end.map { Array(path[...$0]) } ?? path
    }

    /// For a cycle: registrations in path order, without constructions of other threads and tasks.
    var cycleLocations: [(key: RegistrationKey, location: SourceLocation)] {
      var locations: [RegistrationKey: SourceLocation] = [:]
      // Among several steps with one key the innermost counts.
      for step in outermostFirst { locations[step.key] = step.location ?? locations[step.key] }
      return path.compactMap { key in
        locations.removeValue(forKey: key).map { (key, $0) }
      }
    }

    /// Whether the error has passed through no factory yet.
    var isUnextended: Bool { storage.last == nil && failure.innermostFirst.count == 1 }

    /// Whether the error is an unextended cycle of a single key.
    func isUnextendedCycle(of key: RegistrationKey) -> Bool {
      failure.isCycle && storage.last == nil && failure.innermostFirst.allSatisfy { $0 == key }
    }

    /// The failed key.
    public var key: RegistrationKey { failure.innermostFirst.first ?? .any }

    /// Whether the context belongs to an error made for comparison only.
    var isForComparison: Bool { failure.innermostFirst.first == nil }

    /// The source location of the failed registration; `nil` without a registration.
    public var location: SourceLocation? { failure.location }

    /// The error that the factory threw; `nil` if no factory failed.
    public var underlyingError: (any Error)? { failure.underlyingError }

    /// For a captive dependency, the key of the instance that would have outlived the scope. For a
    /// missing input, the key of the instance that needs the input outside of every scope; `nil`
    /// without such an instance.
    public var captor: RegistrationKey? { failure.captor?.key }

    /// The source location of the registration of ``captor``.
    public var captorLocation: SourceLocation? { failure.captor?.location }

    /// The source location of the registration whose factory asked for the failed key, if any did.
    public var askerLocation: SourceLocation? { storage.askerLocation }

    /// The key of the asking registration.
    var asker: RegistrationKey? {
      if let key = failure.innermostFirst.dropFirst().first { return key }
      var first: RegistrationKey?
      for step in outermostFirst { first = step.key }
      return first
    }

    /// The innermost registration that asked for the failed key, directly or through forwards;
    /// `nil` without such a registration, and if the location is not at hand.
    var askerToAwait: (key: RegistrationKey, location: SourceLocation, kind: AskerKind)? {
      var innermost: Step?
      for step in outermostFirst where step.kind != .forward { innermost = step }
      guard let innermost, let location = innermost.location else { return nil }
      return (innermost.key, location, innermost.kind)
    }

    /// For a failed injection, the property with the type of the object, such as `Service.mailer`;
    /// `nil` if only the declaration is known: for properties of values, variables and parameters,
    /// and for eagerly resolved properties of objects.
    public var property: String? { failure.property?.name }

    /// For a failed injection, the source location of the property's declaration.
    public var declaration: SourceLocation? { failure.property?.declaration }

    /// For a warm-up: the failures.
    var failures: [ResolutionError]? { failure.failures }

    var note: Note? { failure.note }

    /// The name of the request scopes that store the instance; `nil` without a name.
    var scopeName: Shared<Name>? { failure.scopeName }

    /// The hints that came with the failure, computed at every call; `nil` without hints.
    var suggestions: [String]? { failure.hints?() }

    /// The types named in the text of the error.
    var namedTypes: [any Any.Type] {
      let keys = path + (captor.map { [$0] } ?? []) + (failure.named?() ?? [])
      return keys.flatMap(\.namedTypes)
    }

    /// The context of an error made for comparison only.
    init() {
      self.init(Failure(innermostFirst: []))
    }

    /// - Parameters:
    ///   - key: the failed key.
    ///   - captor: the instance that outlives the scope.
    ///   - scopeName: the name of the request scopes that store the instance; `nil` without a name.
    ///   - named: computes the keys named in the hints.
    ///   - suggestions: computes the hints.
    @inline(never) init(
      refusing key: RegistrationKey, at location: SourceLocation? = nil,
      because error: (any Error)? = nil, capturedBy captor: Captor? = nil, _ note: Note? = nil,
      into property: Property? = nil, ofScope scopeName: Shared<Name>? = nil,
      naming named: (@Sendable () -> [RegistrationKey])? = nil,
      suggestions: (@Sendable () -> [String])? = nil
    ) {
      self.init(
        Failure(
          innermostFirst: [key], location: location, underlyingError: error, captor: captor,
          note: note, scopeName: scopeName, property: property, hints: suggestions, named: named))
    }

    /// - Parameter failures: the failures of a warm-up, at least one.
    init(_ failures: [ResolutionError]) {
      let first = failures.first
      self.init(
        Failure(
          innermostFirst: first?.path.reversed() ?? [], location: first?.context.location,
          underlyingError: first?.underlyingError, failures: failures))
    }

    /// - Parameter path: from the key whose construction cannot be waited for to the waiting key,
    ///   or a whole round among transients. ``reached(from:at:)`` adds the path to the first key.
    init(cycle path: [RegistrationKey], _ note: Note? = nil) {
      self.init(Failure(innermostFirst: path.reversed(), isCycle: true, note: note))
    }

    private init(_ failure: Failure) {
      storage = Storage(Shared(failure))
    }

    /// The context as seen by the factory of `key`, through which the failure passes.
    init(
      _ inner: Context, reachedFrom key: RegistrationKey, at location: SourceLocation?,
      _ kind: AskerKind
    ) {
      let step = Step(through: key, at: location, kind, after: inner.storage.last)
      storage = Storage(
        inner.storage.failure, last: step,
        askerLocation: inner.isUnextended ? location : inner.askerLocation)
    }

    var underlyingErrorText: String { underlyingError.map { "\($0)" } ?? "" }

    /// Whether no factory has run, because of the arguments.
    var refusesArguments: Bool {
      if case .argumentNotEqualToItself? = underlyingError as? InstanceError { true } else { false }
    }

    /// For an invalid registration: the text of the registration error, without hints.
    var faultLines: [String] {
      let lines = underlyingErrorText.split(separator: "\n")
      return lines.prefix(1).map { "  \($0)" }
        + lines.dropFirst().filter { !$0.hasPrefix(Self.hintMark) }.map(String.init)
    }

    /// For an invalid registration: the hints of the registration error.
    var faultHints: [String] {
      underlyingErrorText.split(separator: "\n").filter { $0.hasPrefix(Self.hintMark) }
        .map { String($0.dropFirst(Self.hintMark.count)) }
    }

    private static var hintMark: String { "  hint: " }
  }
}

extension [RegistrationKey] {
  var pathText: String { map(\.description).joined(separator: " -> ") }

  /// The path text without the middle of a path that would fill pages.
  var abbreviatedPathText: String {
    let kept = 32
    let left = count - 2 * kept
    if left <= kept { return pathText }
    return "\(Array(prefix(kept)).pathText) -> (\(left) more) -> \(Array(suffix(kept)).pathText)"
  }
}

extension ResolutionError {
  /// The error of work in a scope that is not opened any more.
  ///
  /// - Parameter container: the type of the scope.
  static func refusedScope(of container: any Any.Type) -> Self {
    .scopeRefused(.init(refusing: RegistrationKey(product: container), .container))
  }
}
