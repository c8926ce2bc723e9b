// SPDX-License-Identifier: MIT

/// The decorators and behaviors of a container.
extension ContainerCore {
  /// `nil` if there are neither decorators nor behaviors.
  var composition: Composition? {
    compositionReference.load()?.value
  }

  /// Changes the composition, then runs `body`, as the only writer. No closure may run user code.
  ///
  /// - Parameter mayChange: asked with the lock held. Nothing happens if it is false.
  /// - Returns: the answer.
  @discardableResult
  func changeComposition(
    if mayChange: () -> Bool = { true }, _ change: (inout Composition) -> Void,
    then body: () -> Void = {}
  ) -> Bool {
    // Released after the lock: the former composition may have objects with deinits.
    let replaced = table.withWriterLock {
      () -> ReplaceableReference<Shared<Composition>>.Replaced? in
      if !mayChange() { return nil }
      if compositionReference.isNil { Composition.begin() }
      var composition = compositionReference.load()?.value ?? Composition()
      change(&composition)
      let replaced = compositionReference.exchange(Shared(composition))
      body()
      return replaced
    }
    guard let replaced else { return false }
    compositionReference.retire(replaced)
    return true
  }

  /// Whether this container has behaviors or decorators.
  @inline(never)
  var hasComposition: Bool { !compositionReference.isNil }

  /// Whether the container or an ancestor has behaviors or decorators.
  @inline(never)
  var isComposed: Bool {
    firstOfSelfAndAncestors { $0.compositionReference.isNil ? nil : true } ?? false
  }

  // MARK: - Decorators

  /// The decorators for the key's instances of this container, the outermost ancestor's first.
  func decorators(of key: RegistrationKey) -> [Decorator] {
    decorators(of: key.product).filter { $0.key ?? key == key }
  }

  /// As above, for any key of a product.
  private func decorators(of product: any Any.Type) -> [Decorator] {
    let product = ObjectIdentifier(product)
    var found: [Decorator] = []
    for core in selfAndAncestors {
      guard let own = core.compositionReference.load()?.value.decorators[product] else { continue }
      found.insert(contentsOf: own, at: 0)
    }
    return found
  }

  /// Whether any container that resolves from the slots here may decorate a product.
  func decorates(_ product: any Any.Type) -> Bool {
    if !Composition.isUsed || !isComposed { return false }
    // The section keeps the compositions: the writer lock is often held, and deinits must not run.
    let section = Section.enter()
    defer { section.leave() }
    let isDecoratedBelow =
      composition?.productsDecoratedBelow.contains(ObjectIdentifier(product)) ?? false
    return isDecoratedBelow || !decorators(of: product).isEmpty
  }

  // MARK: - Behaviors

  var observers: [Observer] {
    Composition.isUsed ? compositionReference.load()?.value.observers ?? [] : []
  }

  /// Whether resolves of this container's registrations are reported.
  var observesResolves: Bool { compositionReference.load()?.value.observesResolves ?? false }

  /// Whether runs of this container's factories are reported, or their failures.
  var observesFactories: Bool {
    observers.contains {
      $0.didResolve != nil || $0.didFail != nil || $0.didBuild != nil || $0.around != nil
    }
  }

  @inline(__always)
  private func tell<Callback>(_ callback: (Observer) -> Callback?, _ call: (Callback) -> Void) {
    for observer in observers {
      if let callback = callback(observer) { Observation.call(observer) { call(callback) } }
    }
  }

  /// - Parameter asked: the container asked to resolve: this container or a descendant.
  func didResolve(_ key: RegistrationKey, _ box: AnyInstanceBox, from asked: ContainerCore) {
    if observesResolves { tell({ $0.didResolve }, { $0(self, key, box, asked) }) }
  }

  /// - Parameter asked: the container asked to resolve: this container or a descendant.
  func didFail(_ key: RegistrationKey, _ error: ResolutionError, from asked: ContainerCore) {
    tell({ $0.didFail }, { $0(self, key, error, asked) })
  }

  func didDispose(of key: RegistrationKey) {
    tell({ $0.didDispose }, { $0(key) })
  }

  /// Reports instances stored by the container or an ancestor, to the behaviors of all of them.
  func didLeaveUndisposed(_ report: UndisposedReport) {
    tellAllAround { observer, _ in observer.didLeaveUndisposed?(report) }
  }

  /// Reports a failed lookup, to the behaviors of all containers searched.
  func didNotFind(_ key: RegistrationKey, _ error: ResolutionError) {
    tellAllAround { observer, core in observer.didFail?(core, key, error, self) }
  }

  /// Calls `body` with the behaviors of the container and the ancestors. Behaviors that a version
  /// shares with the base are called for the base only.
  private func tellAllAround(_ body: (Observer, ContainerCore) -> Void) {
    if !Composition.isUsed { return }
    for core in selfAndAncestors {
      // Looked up before the base's, where a new behavior is added first.
      let observers = core.observers
      let ofBase = core.baseOfLayer?.observers ?? []
      for observer in observers where !ofBase.contains(where: { $0 === observer }) {
        Observation.call(observer) { body(observer, core) }
      }
    }
  }

  // MARK: - Runs

  /// Runs `body` within the observers of the run, and reports the duration of a construction.
  ///
  /// - Parameters:
  ///   - serial: the number of the registration.
  ///   - container: where the dependencies are resolved.
  func observing(
    of key: RegistrationKey, _ serial: UInt64, in container: ContainerCore,
    _ body: () throws -> AnyInstanceBox
  ) throws -> AnyInstanceBox {
    guard let observers = runObservers(of: .construction) else { return try body() }
    return try observers.observe(key, serial, of: self, in: container, body)
  }

  /// Runs another part than a construction within a recording, if there is one.
  func observing<Result>(
    _ part: ObservedRun.Part, of key: RegistrationKey, _ serial: UInt64,
    in container: ContainerCore, _ body: () throws -> Result
  ) throws -> Result {
    guard let observers = runObservers(of: part) else { return try body() }
    let run = ObservedRun(
      part: part, key: key, serial: serial, owner: self, container: container)
    return try observers.wrapping(run, in: observers.around.prefix(1), body)
  }

  /// Runs a body that may suspend, of any part.
  ///
  /// - Parameter built: the instance that a construction has built.
  func observing<Result>(
    _ part: ObservedRun.Part = .construction, of key: RegistrationKey, _ serial: UInt64,
    in container: ContainerCore, built: (Result) -> AnyInstanceBox? = { _ in nil },
    _ body: () async throws -> Result
  ) async throws -> Result {
    guard let observers = runObservers(of: part) else { return try await body() }
    let run = ObservedRun(
      part: part, key: key, serial: serial, owner: self, container: container)
    let start = part == .construction ? observers.start : nil
    let result = try await observers.wrapping(
      run, in: observers.aroundAsync.prefix(observers.count(part)), body)
    if let box = built(result) {
      observers.record(box, of: run)
      observers.didBuild(key, serial, of: self, since: start)
    }
    return result
  }

  @inline(__always)
  private func runObservers(of part: ObservedRun.Part) -> RunObservers? {
    guard let observers = compositionReference.load()?.value.runObservers else { return nil }
    return part == .construction || observers.isRecording ? observers : nil
  }
}
