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

  /// Whether the container or an ancestor has behaviors or decorators, apart from `owner`.
  func isComposed(besides owner: ContainerCore) -> Bool {
    firstOfSelfAndAncestors { $0 === owner || $0.compositionReference.isNil ? nil : true } ?? false
  }

  /// Whether the container or an ancestor has behaviors or decorators.
  @inline(never)
  var isComposed: Bool {
    firstOfSelfAndAncestors { $0.compositionReference.isNil ? nil : true } ?? false
  }

  // MARK: - Decorators

  /// Whether a product may have decorators here, in an ancestor or a descendant.
  @inline(never)
  var mayDecorate: Bool {
    firstOfSelfAndAncestors {
      $0.compositionReference.inSection(\.value.mayDecorate) ?? false ? true : nil
    } ?? false
  }

  /// The decorators for the key's instances of this container, the outermost ancestor's first.
  func decorators(of key: RegistrationKey) -> [Decorator] {
    decorators(of: key.product).filter { $0.key ?? key == key }
  }

  /// As above, for any key of a product.
  @inline(never) private func decorators(of product: any Any.Type) -> [Decorator] {
    let product = ObjectIdentifier(product)
    var found: [Decorator] = []
    for core in selfAndAncestors {
      guard let own = core.compositionReference.load()?.value.decorators[product] else { continue }
      found.insert(contentsOf: own, at: 0)
    }
    return found
  }

  /// Whether any container that resolves from the slots here may decorate a product.
  @inline(never) func decorates(_ product: any Any.Type) -> Bool {
    if !Composition.isUsed || !mayDecorate { return false }
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
  var observesResolves: Bool { compositionReference.inSection(\.value.observesResolves) ?? false }

  /// Whether runs of this container's factories are reported, or their failures.
  var observesFactories: Bool {
    observers.contains {
      $0.didResolve != nil || $0.didFail != nil || $0.hearsOfConstructions || $0.around != nil
    }
  }

  /// Calls `body` with the observers. A use keeps them: a count of references would be a write to
  /// memory that all threads share.
  @inline(__always)
  private func forEachObserver(_ body: (Observer, Section) -> Void) {
    if compositionReference.isNil { return }
    let section = Section.enter()
    guard let composition = unsafe compositionReference.unretained(in: section) else {
      return section.leave()
    }
    let use = unsafe section.leave(
      using: UInt(bitPattern: composition.toOpaque()), isShallow: false)
    defer { use.end() }
    // SAFETY: the use.
    unsafe composition._withUnsafeGuaranteedRef { composition in
      for index in 0..<composition.value.observers.count {
        unsafe composition.value.unretainedObservers[index]._withUnsafeGuaranteedRef {
          body($0, section)
        }
      }
    }
  }

  @inline(__always)
  private func tell<Callback>(_ callback: (Observer) -> Callback?, _ call: (Callback) -> Void) {
    forEachObserver { observer, _ in
      guard let callback = callback(observer) else { return }
      Observation.call(ofRecording: observer.isRecording, isDirect: observer.isDirect) {
        call(callback)
      }
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
    forEachObserver { observer, section in
      guard observer.hearsOfDisposals else { return }
      Observation.call(observer, on: section) { $0.didDispose(of: key) }
    }
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
        Observation.call(ofRecording: observer.isRecording, isDirect: observer.isDirect) {
          body(observer, core)
        }
      }
    }
  }

  // MARK: - Runs

  /// The beginning of a construction of one of this container's registrations.
  @inline(__always)
  func beginConstruction() -> ObservedConstruction {
    compositionReference.inSection { $0.value.beginConstruction() } ?? ObservedConstruction()
  }

  /// As above; `nil` if more has to be done than to tell of the end.
  @inline(__always)
  func beginPlainConstruction() -> ObservedConstruction? {
    let begun = compositionReference.inSection {
      $0.value.isPlain ? $0.value.beginConstruction() : nil
    }
    return begun ?? nil
  }

  /// Reports the end of a construction.
  @inline(never)
  func didBuild(_ record: RegistrationRecord, _ construction: ObservedConstruction) {
    let time = construction.start == 0 ? 0 : nanosecondsNow() &- construction.start
    forEachObserver { observer, section in
      guard observer.hearsOfConstructions, observer.number <= construction.latest else { return }
      Observation.call(observer, on: section) { $0.didBuild(record, $0.measuresTimes ? time : 0) }
    }
  }

  /// Runs `body` within the observers around a run.
  ///
  /// - Parameters:
  ///   - serial: the number of the registration.
  ///   - container: where the dependencies are resolved.
  func observing<Result>(
    _ part: ObservedRun.Part, of key: RegistrationKey, _ serial: UInt64,
    in container: ContainerCore, _ body: () throws -> Result
  ) throws -> Result {
    guard let observers = runObservers(of: part) else { return try body() }
    let run = ObservedRun(part: part, key: key, serial: serial, owner: self, container: container)
    return try observers.wrapping(run, in: observers.around.prefix(observers.count(part)), body)
  }

  /// As the synchronous form, for a body that may suspend.
  func observing<Result>(
    _ part: ObservedRun.Part, of key: RegistrationKey, _ serial: UInt64,
    in container: ContainerCore, _ body: () async throws -> Result
  ) async throws -> Result {
    let run = ObservedRun(part: part, key: key, serial: serial, owner: self, container: container)
    if let observers = runObservers(of: part) {
      let around = observers.aroundAsync.prefix(observers.count(part))
      return try await observers.wrapping(run, in: around, body)
    }
    return try await body()
  }

  /// Whether dependencies are recorded.
  var isRecorded: Bool { compositionReference.load()?.value.runObservers?.isRecording ?? false }

  @inline(__always)
  private func runObservers(of part: ObservedRun.Part) -> RunObservers? {
    guard let observers = compositionReference.load()?.value.runObservers else { return nil }
    return part == .construction || observers.isRecording ? observers : nil
  }
}
