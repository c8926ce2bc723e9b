// SPDX-License-Identifier: MIT

extension ResolutionError {
  /// The registration of an instance that would have outlived its scope with another one.
  struct Captor: Sendable {
    let key: RegistrationKey
    let location: SourceLocation?
  }

  /// A detail that only one kind of failure has.
  enum Note {
    /// It was a scope that was refused, not what is resolved from one.
    case scope
    /// A scope was made with several inputs of the key.
    case repetition
    /// Of a cycle: a decorator has resolved what it wraps.
    case decorator
    /// Of a cycle: a reload was to wait for another one.
    case reload
    /// The scope of the name is outside of the container that has the registration.
    case outerScope
  }

  /// The details of a failed resolution.
  public struct Context: Sendable {
    // One word, so that an error travels in a register.
    private final class Storage: Sendable {
      let failure: Shared<Failure>
      /// The last factory that it has passed through.
      let last: Step?
      let askerLocation: SourceLocation?

      init(_ failure: Shared<Failure>, last: Step? = nil, askerLocation: SourceLocation? = nil) {
        self.failure = failure
        self.last = last
        self.askerLocation = askerLocation
      }
    }

    /// What has failed. All levels that the error passes through share it.
    private struct Failure: Sendable {
      /// The key that failed; of a cycle, more than that.
      let innermostFirst: [RegistrationKey]
      var isCycle = false
      var location: SourceLocation?
      var underlyingError: (any Error)?
      var captor: Captor?
      var note: Note?
      /// The name of the scopes that store the instance, if only those of a name do.
      var scopeName: Shared<Name>?
      /// Of a warm-up.
      var failures: [ResolutionError]?
      /// Of an injection.
      var property: Property?
      /// Compute hints, and the keys that they name.
      var hints: (@Sendable () -> [String])?
      var named: (@Sendable () -> [RegistrationKey])?
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

    private var failure: Failure { storage.failure.value }

    /// The registrations that it has passed through, the last one first.
    private var outermostFirst: some Sequence<Step> {
      sequence(state: storage.last) { next in
        defer { next = next?.inner }
        return next
      }
    }

    /// The keys from the outermost resolve to the failed key. A cycle ends with the key of its
    /// beginning.
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
    var isUnextended: Bool { storage.last == nil && failure.innermostFirst.count == 1 }

    /// Whether that is so of a cycle that a key is alone in.
    func isUnextendedCycle(of key: RegistrationKey) -> Bool {
      failure.isCycle && storage.last == nil
        && failure.innermostFirst.allSatisfy { $0 == key }
    }

    /// The failed key.
    public var key: RegistrationKey { failure.innermostFirst.first ?? .any }

    /// Whether it belongs to an error that others are compared with.
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

    /// The source location of the registration whose factory asked for the failed key; `nil` if no
    /// factory asked.
    public var askerLocation: SourceLocation? { storage.askerLocation }

    /// The key of that registration.
    var asker: RegistrationKey? {
      if let key = failure.innermostFirst.dropFirst().first { return key }
      var first: RegistrationKey?
      for step in outermostFirst { first = step.key }
      return first
    }

    /// For a failed injection, the property with the type of the object, such as `Service.mailer`;
    /// `nil` if only the declaration is known: for properties of values, variables and parameters,
    /// and for eagerly resolved properties of objects.
    public var property: String? { failure.property?.name }

    /// For a failed injection, the source location of the property's declaration.
    public var declaration: SourceLocation? { failure.property?.declaration }

    /// Of a warm-up: what has failed.
    var failures: [ResolutionError]? { failure.failures }

    var note: Note? { failure.note }

    /// The name of the scopes that store the instance, if only those of a name do.
    var scopeName: Shared<Name>? { failure.scopeName }

    /// The hints that the failure came with, computed at each call; `nil` if there are none.
    var suggestions: [String]? { failure.hints?() }

    /// The types that the text of the error names.
    var namedTypes: [any Any.Type] {
      let keys = path + (captor.map { [$0] } ?? []) + (failure.named?() ?? [])
      return keys.flatMap(\.namedTypes)
    }

    /// The context of an error that others are compared with.
    init() {
      self.init(Failure(innermostFirst: []))
    }

    /// - Parameters:
    ///   - key: the key that failed.
    ///   - captor: the instance that outlives the scope.
    ///   - scopeName: the name of the scopes that store the instance, if only those of a name do.
    ///   - named: computes the keys that the hints name.
    ///   - suggestions: computes the hints.
    init(
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

    /// - Parameter failures: those of a warm-up, at least one.
    init(_ failures: [ResolutionError]) {
      let first = failures.first
      self.init(
        Failure(
          innermostFirst: first?.path.reversed() ?? [], location: first?.context.location,
          underlyingError: first?.underlyingError, failures: failures))
    }

    /// - Parameter path: from the key whose construction cannot be waited for to the one that waits, or a
    ///   whole round among transients. ``reached(from:at:)`` adds the path to the first of them.
    init(cycle path: [RegistrationKey], _ note: Note? = nil) {
      self.init(Failure(innermostFirst: path.reversed(), isCycle: true, note: note))
    }

    private init(_ failure: Failure) {
      storage = Storage(Shared(failure))
    }

    /// The same failure, seen by the factory of `key`, through which it passes.
    init(_ inner: Context, reachedFrom key: RegistrationKey, at location: SourceLocation?) {
      let step = Step(through: key, at: location, after: inner.storage.last)
      storage = Storage(
        inner.storage.failure, last: step,
        askerLocation: inner.isUnextended ? location : inner.askerLocation)
    }

    var underlyingErrorText: String { underlyingError.map { "\($0)" } ?? "" }

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
  }
}

extension [RegistrationKey] {
  var pathText: String { map(\.description).joined(separator: " -> ") }

  /// The same without the middle of a path that would fill pages.
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
    .scopeRefused(.init(refusing: RegistrationKey(product: container), .scope))
  }
}
