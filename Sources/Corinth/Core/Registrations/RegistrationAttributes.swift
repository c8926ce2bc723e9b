// SPDX-License-Identifier: MIT

internal import Synchronization

/// The properties of a registration that do not depend on its factory's kind; modifiers change them.
@safe
struct RegistrationAttributes: Sendable {
  // In this order, the small ones lie in the last bytes of the key: each registration has all of this.
  var key: RegistrationKey
  /// What is done with what is registered under the key; `nil` leaves it to the container.
  var onDuplicate: DuplicatePolicy?
  var isEager = false
  /// Whether the scope was asked for: otherwise it is the container's default.
  var isScopeGiven: Bool
  /// Whether the arguments of resolves can be compared.
  var hasHashableArguments: Bool
  /// Whether its instances are what request scopes are made with.
  var isInput = false
  /// Whether a fork has taken it over from its base. Registering the key there is what a fork is for, whenever that is.
  var isAdopted = false
  private(set) var scopeKind: AnyScope.Kind
  var location: SourceLocation
  /// Shared by the records that chained modifiers derive from one `register`.
  var serial = RegistrationAttributes.nextSerial()
  /// Shared by the same records, and by the copies of forks; `nil` until the first disposer, or the second record. See
  /// ``RegistrationRecord/attributesToCopy``.
  var disposers: DisposerList?
  /// The parameters of the initializer that it was registered with; `nil` for a factory.
  var parameters: WiredParameters?
  /// `nil` if it has none of them.
  var rare: RareAttributes.Box?
  /// The container that it is registered in.
  // SAFETY: each resolve of a record has found it through this container or a descendant, which holds it.
  unowned(unsafe) var owner: ContainerCore

  @inline(__always)
  init(
    key: consuming RegistrationKey, scope: consuming AnyScope, onDuplicate: DuplicatePolicy? = nil,
    isEager: Bool = false, isScopeGiven: Bool = false, hasHashableArguments: Bool = true,
    location: SourceLocation, owner: ContainerCore
  ) {
    self.key = key
    self.onDuplicate = onDuplicate
    self.isEager = isEager
    self.isScopeGiven = isScopeGiven
    self.hasHashableArguments = hasHashableArguments
    scopeKind = scope.kind
    self.location = location
    unsafe self.owner = owner
    if scope.detail != nil { self.scope = scope }
  }

  var scope: AnyScope {
    get { AnyScope(scopeKind, rare?.values.scopeDetail) }
    set {
      scopeKind = newValue.kind
      if rare?.values.scopeDetail != newValue.detail {
        changeRare { $0.scopeDetail = newValue.detail }
      }
    }
  }

  var policy: ScopePolicy {
    @inline(__always) get { scopeKind.policy }
  }

  /// Sets the scope, and the user's ``CustomStorage`` that goes with it, if any.
  mutating func setScope(_ scope: AnyScope, keptBy storage: AnyCustomStorage?) {
    if isScopeGiven, scope != self.scope || storage != nil {
      overruledScopes = (overruledScopes ?? []) + [self.scope]
    }
    isScopeGiven = true
    self.scope = scope
    lifecycle.customStorage = storage
  }

  /// Whether it may override others and be overridden.
  var isOverridable: Bool { onDuplicate != .refuse }

  /// Whether another registration may take its place: in a fork, that of all that it has from its base.
  var isReplaceable: Bool { isOverridable || isAdopted }

  /// The scope of a registration that overrides this one: a user's ``CustomStorage`` is not taken over.
  var scopeForOverride: AnyScope { lifecycle.customStorage == nil ? scope : .singleton }

  var hasDisposers: Bool { disposers.map { !$0.isEmpty } ?? false }

  /// Adds a disposer, for all forms of the registration. The writer lock of its owner is held, or nobody else has these
  /// attributes yet.
  mutating func add(_ disposer: Disposer) {
    if let disposers {
      disposers.addAssumingWriterLockHeld(disposer)
    } else {
      disposers = DisposerList([disposer])
    }
  }

  /// Makes the changes in their order.
  ///
  /// - Returns: whether its instances have to be built anew. Disposers are for those that are there, too.
  @discardableResult
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

  func changed(by changes: [AttributeChange]) -> RegistrationAttributes {
    var attributes = self
    attributes.change(by: changes)
    return attributes
  }

  /// Numbers registrations in the order in which they are made.
  private static func nextSerial() -> UInt64 {
    serials.wrappingAdd(1, ordering: .relaxed).newValue
  }

  /// The number of the registration that was made last, in any container.
  static var lastSerial: UInt64 { serials.load(ordering: .relaxed) }

  private static let serials = Atomic<UInt64>(0)
}

/// What a modifier changes in the attributes of a registration.
enum AttributeChange: Sendable {
  case attributes(@Sendable (inout RegistrationAttributes) -> Void)
  case disposer(Disposer)
}
