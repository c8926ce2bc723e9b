// SPDX-License-Identifier: MIT

internal import Synchronization

/// The properties of a registration independent of the factory's kind. Modifiers change them.
@safe
struct RegistrationAttributes: Sendable {
  // The order puts small properties into the tail padding of the location, and properties of the
  // record into the tail padding of the key, to keep records small.
  var location: SourceLocation
  /// How to treat an existing registration of the key; `nil` leaves the choice to the container.
  var onDuplicate: DuplicatePolicy?
  var isEager = false
  private(set) var origin: Origin
  private(set) var scopeKind: AnyScope.Kind
  /// Shared by all records derived from one `register` by chained modifiers.
  var serial = RegistrationAttributes.nextSerial()
  /// The parameters of the wired initializer; `nil` for a factory.
  var parameters: WiredParameters?
  let intake: Intake
  /// `nil` if all rare attributes have their defaults.
  var rare: RareAttributes.Box?
  /// The container of the registration.
  // SAFETY: resolves reach a record through the container or a descendant, which holds it.
  unowned(unsafe) var owner: ContainerCore
  var key: RegistrationKey

  @inline(__always)
  init(
    key: consuming RegistrationKey, scope: consuming AnyScope, onDuplicate: DuplicatePolicy? = nil,
    isEager: Bool = false, by origin: Origin = .registration,
    taking intake: consuming Intake = .nothing, location: SourceLocation, owner: ContainerCore,
    with changes: [AttributeChange]? = nil
  ) {
    self.key = key
    self.onDuplicate = onDuplicate
    self.isEager = isEager
    self.origin = origin
    self.intake = intake
    scopeKind = scope.kind
    self.location = location
    unsafe self.owner = owner
    if scope.detail != nil { self.scope = scope }
    if let changes { change(by: changes) }
  }

  var scope: AnyScope {
    get { AnyScope(scopeKind, rare?.contents.scopeDetail) }
    set {
      scopeKind = newValue.kind
      if rare?.contents.scopeDetail != newValue.detail {
        changeRare { $0.scopeDetail = newValue.detail }
      }
    }
  }

  var policy: ScopePolicy {
    @inline(__always) get { scopeKind.policy }
  }

  /// Sets the scope, with the user's ``CustomStorage`` if the scope has one.
  mutating func setScope(_ scope: AnyScope, keptBy storage: AnyCustomStorage?) {
    switch origin {
    case .registrationInScope where scope != self.scope || storage != nil:
      overruledScopes = (overruledScopes ?? []) + [self.scope]
    case .registration: origin = .registrationInScope
    case .registrationInScope, .adoption, .default: break
    }
    self.scope = scope
    lifecycle.customStorage = storage
  }

  /// Whether the instances are inputs, the values passed to new request scopes.
  var isInput: Bool {
    if case .scopeInput = intake { true } else { false }
  }

  /// Whether the factory receives the requester.
  var takesRequester: Bool {
    if case .requester = intake { true } else { false }
  }

  /// Whether anyone may replace the registration: what a fork has adopted, and a default.
  var isAdopted: Bool { origin == .adoption || isDefault }

  /// Notes that a fork has adopted the registration. A default stays one.
  mutating func markAdopted() { if !isDefault { origin = .adoption } }

  /// Whether the registration may override and be overridden.
  var isOverridable: Bool { onDuplicate != .refuse }

  /// Whether a new registration may take the place: in a fork, of anything adopted from the base.
  var isReplaceable: Bool { isOverridable || isAdopted }

  /// Whether the registration is the default of its key, whose place a registration takes as if
  /// the key had none.
  var isDefault: Bool { origin == .default }

  mutating func markDefault() { origin = .default }

  /// The scope for an override of the registration: a user's ``CustomStorage`` is not taken over.
  var scopeForOverride: AnyScope { lifecycle.customStorage == nil ? scope : .singleton }

  var hasDisposers: Bool { disposers.map { !$0.isEmpty } ?? false }

  /// Adds a disposer, for all forms of the registration. Needs the owner's writer lock, unless
  /// nobody else has the attributes yet.
  mutating func add(_ disposer: Disposer) {
    if let disposers {
      disposers.addAssumingWriterLockHeld(disposer)
    } else {
      disposers = DisposerList([disposer])
    }
  }

  /// Makes the changes in their order.
  ///
  /// - Returns: whether to build instances anew. Disposers apply to existing instances too.
  @discardableResult @inline(never)
  mutating func change(by changes: [AttributeChange]) -> Bool {
    var needsNewForm = false
    for change in changes {
      switch change {
      case .attributes(let change):
        change(&self)
        needsNewForm = true
      case .disposer(let disposer):
        add(disposer)
      }
    }
    return needsNewForm
  }

  /// Numbers registrations in the order of creation.
  private static func nextSerial() -> UInt64 {
    serials.wrappingAdd(1, ordering: .relaxed).newValue
  }

  /// The number of the registration that was made last, in any container.
  static var lastSerial: UInt64 { serials.load(ordering: .relaxed) }

  private static let serials = Atomic<UInt64>(0)
}

extension RegistrationAttributes {
  /// How the registration has come to its container.
  enum Origin: Sendable {
    /// By a call that leaves the scope to the container.
    case registration
    case registrationInScope
    /// From the base of a fork. Overriding is always allowed.
    case adoption
    /// By a lookup that has found no registration: the default of a declared key, or of the call.
    case `default`
  }

  /// The kinds of values that a factory takes beside resolved instances.
  enum Intake: Sendable {
    case nothing
    /// Arguments, with the means to compare them; `nil` if any is not `Hashable`.
    case arguments(ArgumentHashing?)
    /// The key of the registration that asks.
    case requester
    /// The value passed to a new request scope.
    case scopeInput
  }
}

/// A change of a registration's attributes by a modifier.
enum AttributeChange: Sendable {
  case attributes(@Sendable (inout RegistrationAttributes) -> Void)
  case disposer(Disposer)
}

/// The attributes few registrations have: in a separate object, as attributes are often copied.
struct RareAttributes: Sendable {
  var lifecycle = Lifecycle()
  /// Shared by the records of a `register` and by the copies of forks; `nil` until the first
  /// disposer or the second record. See ``RegistrationRecord/attributesToCopy``.
  var disposers: DisposerList?
  /// The policy of a cache, or the name of the request scopes with the instances.
  var scopeDetail: AnyScope.Detail?
  /// The scopes asked for by earlier modifiers; `nil` for none.
  var overruledScopes: [AnyScope]?
  /// The contradiction between modifiers, if there is any.
  var fault: RegistrationFault?
  /// The keys resolved by a closure, as declared by its author; `nil` if nothing is declared.
  var declaredDependencies: [RegistrationKey]?
  /// For a forward: the registrations replaced under its key, except forwards to its target.
  var replacedRegistrations: [ReplacedRegistration] = []

  final class Box: Sendable {
    let contents: RareAttributes

    init(_ contents: RareAttributes) {
      self.contents = contents
    }
  }
}

extension RegistrationAttributes {
  var lifecycle: Lifecycle {
    get { rare?.contents.lifecycle ?? Lifecycle() }
    set { if rare != nil || !newValue.isEmpty { changeRare { $0.lifecycle = newValue } } }
  }

  var disposers: DisposerList? {
    get { rare?.contents.disposers }
    set { if rare != nil || newValue != nil { changeRare { $0.disposers = newValue } } }
  }

  var overruledScopes: [AnyScope]? {
    get { rare?.contents.overruledScopes }
    set { changeRare { $0.overruledScopes = newValue } }
  }

  var fault: RegistrationFault? {
    get { rare?.contents.fault }
    set { if newValue !== fault { changeRare { $0.fault = newValue } } }
  }

  var declaredDependencies: [RegistrationKey]? {
    get { rare?.contents.declaredDependencies }
    set {
      DeferredDependencies.noteDescribed()
      changeRare { $0.declaredDependencies = newValue }
    }
  }

  var replacedRegistrations: [ReplacedRegistration] {
    get { rare?.contents.replacedRegistrations ?? [] }
    set { changeRare { $0.replacedRegistrations = newValue } }
  }

  mutating func changeRare(_ change: (inout RareAttributes) -> Void) {
    var values = rare?.contents ?? RareAttributes()
    change(&values)
    rare = RareAttributes.Box(values)
  }
}
