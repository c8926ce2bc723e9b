// SPDX-License-Identifier: MIT

/// DIC as its document has it.
final class DICModel: DICSubject {
  enum Miss: Error { case cannotFindDependency }

  /// The registrations, in three slots for each type.
  struct Slots {
    var singletons: [ObjectIdentifier: Any] = [:]
    var plain: [ObjectIdentifier: () -> Any] = [:]
    var throwing: [ObjectIdentifier: () throws -> Any] = [:]
  }

  final class Storage {
    let form: DICForm
    private let ledger: Ledger
    var slots: Slots
    /// Migration, "What differs": an immutable container keeps the builder's registrations alive.
    let builder: Storage?

    init(_ form: DICForm, _ ledger: Ledger, _ slots: Slots = Slots(), of builder: Storage? = nil) {
      self.form = form
      self.ledger = ledger
      self.slots = slots
      self.builder = builder
    }

    deinit { ledger.retire(slots) }
  }

  struct List {
    let builders: [ObjectIdentifier: () throws -> Any]
    /// Migration, "What differs": a list keeps the registrations of its container alive.
    let kept: (Slots, Storage)?
  }

  private let ledger: Ledger
  private(set) var hasEnded = false

  init(_ ledger: Ledger) { self.ledger = ledger }

  func create(_ form: DICForm) -> Storage { Storage(form, ledger) }
  func form(_ place: Storage) -> DICForm { place.form }
  func build(_ builder: Storage) -> Storage {
    Storage(.immutable, ledger, builder.slots, of: builder)
  }

  func register<K: Kind>(
    _ kind: K.Type, _ registration: DICRegistration, in place: Storage,
    _ builder: @escaping () throws -> K.Value
  ) {
    switch registration.slot {
    case .plain:
      replace(\.plain, K.identifier, in: place) { Boxed(value: Self.certain(builder)) }
    case .singleton:
      let value = Boxed(value: Self.certain(builder))
      replace(\.singletons, K.identifier, in: place, by: value)
    case .throwing: replace(\.throwing, K.identifier, in: place) { Boxed(value: try builder()) }
    }
  }

  private static func certain<Value>(_ builder: () throws -> Value) -> Value {
    do { return try builder() } catch { preconditionFailure("only throwing builders throw") }
  }

  /// Migration, "What differs": what is replaced goes when no resolve is under way.
  private func replace<Stored>(
    _ table: WritableKeyPath<Slots, [ObjectIdentifier: Stored]>, _ type: ObjectIdentifier,
    in place: Storage, by new: Stored
  ) {
    ledger.retire(place.slots)
    place.slots[keyPath: table][type] = new
  }

  /// What serves a type, in the order in which it is searched: a builder may register another one.
  ///
  /// Migration, "What differs": a type's own singleton or plain builder comes before those of its
  /// optional.
  private func serving<K: Kind>(_ kind: K.Type, in place: Storage)
    -> some Sequence<() throws -> K.Value?>
  {
    let (own, optional) = (K.identifier, OptionalKind<K>.identifier)
    func itself(_ builder: (() throws -> Any)?) -> (() throws -> K.Value?)? {
      builder.map { builder in { unbox(try builder()) as K.Value } }
    }
    func unwrapped(_ builder: (() throws -> Any)?) -> (() throws -> K.Value?)? {
      builder.map { builder in { unbox(try builder()) as K.Value? } }
    }
    let singleton = { itself(place.slots.singletons[own].map { value in { value } }) }
    // Migration, "What differs": a singleton that is nil hides no builder.
    let wrappedSingleton: () -> (() throws -> K.Value?)? = {
      guard let value = place.slots.singletons[optional], (unbox(value) as K.Value?) != nil
      else { return nil }
      return unwrapped { value }
    }
    let steps: [() -> (() throws -> K.Value?)?] = [
      singleton, { itself(place.slots.plain[own]) }, wrappedSingleton,
      { unwrapped(place.slots.plain[optional]) },
      { itself(place.slots.throwing[own]) },
      { unwrapped(place.slots.throwing[optional]) },
      // Migration, "What differs": a builder has registered it.
      singleton, wrappedSingleton,
    ]
    return steps.lazy.compactMap { $0() }
  }

  func load<K: Kind>(_ kind: K.Type, _ form: DICLoad, from place: Storage) throws -> K.Value? {
    if place.form == .async { return try loadAsync(kind, form, from: place) }
    let serving = serving(kind, in: place)
    switch form {
    case .certain, .certainInferred, .orNil:
      var found: K.Value?
      do {
        var builders = serving.makeIterator()
        found = try builders.next().flatMap { try $0() }
      } catch  where K.wrapped != nil {
        // An optional whose builder throws is nil.
        found = .some(K.makeNone(ledger))
      } catch {}
      guard form != .orNil else { return found }
      if found == nil { hasEnded = true }
      return found
    case .orThrow:
      for builder in serving {
        if let found = try builder() { return found }
      }
      throw Miss.cannotFindDependency
    }
  }

  private func loadAsync<K: Kind>(_ kind: K.Type, _ form: DICLoad, from place: Storage) throws
    -> K.Value?
  {
    do {
      for builder in serving(kind, in: place) {
        if let found = try builder() { return found }
      }
      throw Miss.cannotFindDependency
    } catch {
      switch form {
      case .orNil: return nil
      case .orThrow: throw error
      case .certain, .certainInferred:
        hasEnded = true
        return nil
      }
    }
  }

  func unregister(_ place: Storage, keepingCapacity: Bool) {
    ledger.retire(place.slots)
    place.slots.plain = [:]
    place.slots.throwing = [:]
  }

  func list(_ place: Storage, throwable: Bool) -> List {
    let slots = place.slots
    let builders = throwable ? slots.throwing : slots.plain
    return List(builders: builders, kept: builders.isEmpty ? nil : (slots, place))
  }

  func has<K: Kind>(_ kind: K.Type, in list: List) -> Bool { list.builders[K.identifier] != nil }

  func run<K: Kind>(_ kind: K.Type, in list: List) throws -> K.Value {
    guard let builder = list.builders[K.identifier] else { preconditionFailure("not in the list") }
    return unbox(try builder())
  }

  func isMiss(_ error: any Error, of form: DICForm) -> Bool { error is Miss }
}
