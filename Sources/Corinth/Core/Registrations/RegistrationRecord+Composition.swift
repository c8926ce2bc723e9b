// SPDX-License-Identifier: MIT

/// Constructions within behaviors and decorators.
extension RegistrationRecord {
  /// Whether a resolve may have to be reported to its owner's behaviors.
  final var isObserved: Bool { isOwnerComposed && factoryKind.reportsResolves }

  /// Whether its owner has behaviors or decorators.
  private var isOwnerComposed: Bool {
    Composition.isUsed ? withOwner { $0.hasComposition } : false
  }

  /// Counts no reference to the owner: the count would be a write shared by all threads.
  @inline(__always)
  private func withOwner<Result>(_ body: (ContainerCore) throws -> Result) rethrows -> Result {
    // SAFETY: the owner is alive as long as its registrations are in use.
    try unsafe Unmanaged.passUnretained(attributes.owner)._withUnsafeGuaranteedRef(body)
  }

  // MARK: - Constructions

  /// The beginning of a construction. An input is none: its value was there before. Instances
  /// passed on are told of by their own registration.
  @inline(__always)
  final func beginObserved() -> ObservedConstruction {
    isInput || factoryKind.passesInstancesOn
      ? ObservedConstruction() : withOwner { $0.beginConstruction() }
  }

  /// The beginning of a construction with the dependencies of a container, to be told of when it
  /// ends; `nil` if behaviors or decorators have a further part in it.
  @inline(__always)
  final func beginPlain(in container: ContainerCore) -> ObservedConstruction? {
    if isInput || factoryKind.passesInstancesOn { return nil }
    return withOwner { container.isComposed(besides: $0) ? nil : $0.beginPlainConstruction() }
  }

  /// Tells the owner's behaviors of the end of a construction.
  @inline(__always)
  final func endObserved(_ construction: ObservedConstruction) {
    if construction.latest != 0 { withOwner { $0.didBuild(self, construction) } }
  }

  /// Tells the owner's behaviors of a failure, if there are any.
  ///
  /// - Parameter asked: the container asked to resolve; the owner if left out.
  @inline(never)
  final func tell(of error: ResolutionError, from asked: ContainerCore? = nil) {
    if isObserved { withOwner { $0.didFail(key, error, from: asked ?? $0) } }
  }

  /// Runs the factory within the behaviors, and decorates the instance. Not called while
  /// ``Resolver/isComposed`` is false, to spare nested resolves a frame.
  @inline(never)
  final func buildComposed(
    _ resolver: Resolver, _ arguments: AnyArguments?
  ) throws -> AnyInstanceBox {
    if factoryKind.passesInstancesOn {
      return try build(UncountedResolver(resolver), arguments)
    }
    let construction = beginObserved()
    let box = try owner.observing(part, of: key, serial, in: resolver.registry) {
      recorded(try decorate(build(UncountedResolver(resolver), arguments), resolver), resolver)
    }
    endObserved(construction)
    return box
  }

  /// As ``buildComposed(_:_:)``, with a word for a cell, as ``buildForCell(_:)``.
  @inline(never)
  final func buildComposedForCell(_ resolver: UncountedResolver) throws -> PlaceWord {
    let begun = unsafe resolver.registry._withUnsafeGuaranteedRef { container in
      beginPlain(in: container)
    }
    guard let begun else { return PlaceWord(holding: try buildComposed(resolver.counted, nil)) }
    let built = try buildForCell(resolver)
    endObserved(begun)
    return built
  }

  private var part: ObservedRun.Part { isInput ? .input : .construction }

  /// As ``buildComposed(_:_:)``, for asynchronous factories too.
  nonisolated(nonsending)
    final func buildComposedAsync(
      _ resolver: Resolver, _ arguments: AnyArguments?
    ) async throws -> AnyInstanceBox
  {
    if !resolver.isComposed || factoryKind.passesInstancesOn {
      return try await buildAsync(resolver, arguments)
    }
    let construction = beginObserved()
    let box = try await owner.observing(part, of: key, serial, in: resolver.registry) {
      recorded(try decorate(await buildAsync(resolver, arguments), resolver), resolver)
    }
    endObserved(construction)
    return box
  }

  /// Notes the type of an instance, in a recording.
  private func recorded(_ box: AnyInstanceBox, _ resolver: Resolver) -> AnyInstanceBox {
    guard owner.isRecorded else { return box }
    let isDecorated = !resolver.registry.decorators(of: key).isEmpty
    if let type = box.typeFromFactory(isDecorated: isDecorated) {
      owner.recorded.noteImplementation(type, of: serial)
    }
    return box
  }

  private func decorate(
    _ box: AnyInstanceBox, _ resolver: Resolver
  ) throws -> AnyInstanceBox {
    guard resolver.registry.mayDecorate else { return box }
    let decorators = resolver.registry.decorators(of: key)
    if decorators.isEmpty { return box }
    let decorated = try wrap(box, with: decorators, resolver)
    if !lifecycle.isEmpty || policy.endsWithContainer { decorated.noteUndecorated(box) }
    return decorated
  }

  /// Wraps an instance in decorators, the first innermost. Recordings note keys by decorator.
  func wrap(
    _ box: AnyInstanceBox, with decorators: [Decorator], _ resolver: Resolver
  ) throws -> AnyInstanceBox {
    try decorators.reduce(box) { box, decorator in
      try RecordedRun.decorating(with: decorator, of: serial) {
        do { return try decorator.wrap(box, resolver) } catch let error as ResolutionError {
          throw error.leavingDecorator(of: key)
        }
      }
    }
  }

  /// Whether call sites must leave resolves to the slow path. The owner's writer lock is held.
  @inline(never) fileprivate var isDiverted: Bool {
    // The section keeps the compositions: none is released for the last time here.
    let section = Section.enter()
    defer { section.leave() }
    guard plan == .bareFactory, !isInput || owner.decorates(key.product) else {
      return owner.observesResolves
    }
    return owner.observesFactories || owner.decorates(key.product)
  }
}

extension SlotWord {
  /// The word of a registration without an instance. The owner's writer lock is held.
  @inline(__always)
  init(publishing record: borrowing RegistrationRecord) {
    if Composition.isUsed, record.isDiverted {
      self.init(copy record, tagged: .diverted)
    } else {
      self.init(record)
    }
  }
}

extension SlotReference {
  /// Publishes the registration with the tag that the composition now asks for. Keeps the instance.
  @inline(never) fileprivate func retagAssumingWriterLockHeld() {
    let word = withRegistrationAssumingWriterLockHeld { SlotWord(publishing: $0) }
    // A fitting ready word stays: a registration's word would cost the next resolve a slow path.
    guard let word, word.isDiverted != load().isDiverted else { return }
    // Not retired: the slot's reference to the registration stays with it.
    _ = exchangeAssumingWriterLockHeld(word)
  }

  fileprivate func isOf(_ products: Set<ObjectIdentifier>) -> Bool {
    withRegistrationAssumingWriterLockHeld {
      products.contains(ObjectIdentifier($0.key.product))
    } ?? false
  }
}

/// Changes of the composition.
extension ContainerCore {
  /// Adds a decorator. Registrations of the product start without an instance.
  ///
  /// - Returns: `false` if the container is closed, or frozen.
  func add(_ decorator: Decorator, of product: any Any.Type) -> Bool {
    let id = ObjectIdentifier(product)
    let isAdded = changeDecorators(
      of: product, if: { !isFrozen && !isClosed },
      { $0.decorators[id, default: []].append(decorator) })
    if !isAdded { return false }
    noteDecoratedBelow([id])
    // Registrations made by descendants before are not visible here: with resolutions tracked,
    // their transients read the decorators from now on.
    if hasRegistrationsBelow { trackResolutions() }
    return true
  }

  /// Adds decorators and behaviors, the nearest container's first. Recordings and timelines stay
  /// behind: their end would not reach the fork.
  func takeOver(_ compositions: [Composition]) {
    if compositions.isEmpty { return }
    changeComposition { composition in
      for inherited in compositions.reversed() {
        composition.decorators.merge(inherited.decorators) { $0 + $1 }
        composition.observers += inherited.observers.filter(\.isInherited)
      }
    }
  }

  /// Copies a container's decorators and behaviors, except recordings. No slots exist here yet.
  func takeOverComposition(of other: ContainerCore) {
    guard Composition.isUsed, let composition = other.composition else { return }
    takeOver([composition])
    noteDecoratedBelow(Set(composition.decorators.keys))
  }

  /// Has the ancestors divert resolves of the products decorated in this container.
  private func noteDecoratedBelow(_ products: Set<ObjectIdentifier>) {
    for ancestor in selfAndAncestors.dropFirst() {
      ancestor.changeComposition(
        { $0.productsDecoratedBelow.formUnion(products) },
        then: { ancestor.retag { $0.isOf(products) } })
    }
  }

  /// Removes a decorator. Registrations of the product start without an instance.
  ///
  /// - Returns: whether the decorator was found.
  func remove(_ decorator: Decorator, of product: any Any.Type) -> Bool {
    let id = ObjectIdentifier(product)
    var wasThere = false
    let isDone = changeDecorators(
      of: product, if: { !isFrozen },
      { composition in
        let others = composition.decorators[id, default: []].filter { $0 !== decorator }
        wasThere = others.count != composition.decorators[id, default: []].count
        composition.decorators[id] = others.isEmpty ? nil : others
      })
    return isDone && wasThere
  }

  /// Frozen or not is decided with the lock held.
  private func changeDecorators(
    of product: any Any.Type, if mayChange: () -> Bool, _ change: (inout Composition) -> Void
  ) -> Bool {
    var replaced: [RegistrationRecord] = []
    var overridden: [RegistrationRecord] = []
    let products: Set = [ObjectIdentifier(product)]
    func renew() {
      // A closing has taken over the instances, to dispose of them.
      if isClosed { return }
      overridden = extrasIfMade?.renewOverriddenAssumingWriterLockHeld(product) ?? []
      table.forEachSlot { slot in
        guard slot.isOf(products) else { return }
        slot.retagAssumingWriterLockHeld()
        // A copy of a value is ready if nothing decorates it.
        let former =
          slot.replaceAssumingWriterLockHeld { $0.isConstant ? $0.withoutInstance() : nil }
          ?? slot.releaseInstanceAssumingWriterLockHeld()
        if let former { replaced.append(former.takeRecord()) }
      }
    }
    let isDone = changeComposition(if: mayChange, change, then: renew)
    replaced.retire()
    UndisposedReports.report(
      .overridden, of: self,
      (replaced + overridden).filter { !$0.isConstant }.dropInstances(.overridden))
    return isDone
  }

  /// Adds a behavior, also to the versions of this container.
  func add(_ observer: Observer) {
    changeComposition({ $0.observers.append(observer) }, then: { retag() })
    for core in versionsIfMade?.cores ?? [] { core.takeOver([observer]) }
  }

  /// Removes the behaviors that a token stands for.
  func removeObservers(of token: AnyObject) {
    changeComposition({ $0.observers.removeAll { $0.token === token } }, then: { retag() })
    for core in versionsIfMade?.cores ?? [] { core.removeObservers(of: token) }
  }

  /// Adds the behaviors of the base to a version, without repeating any.
  func takeOver(_ observers: [Observer]) {
    if observers.isEmpty { return }
    changeComposition(
      { composition in
        for observer in observers where !composition.observers.contains(where: { $0 === observer })
        {
          composition.observers.append(observer)
        }
      }, then: { retag() })
  }

  @inline(never) private func retag(where predicate: (SlotReference) -> Bool = { _ in true }) {
    table.forEachSlot { if predicate($0) { $0.retagAssumingWriterLockHeld() } }
  }
}
