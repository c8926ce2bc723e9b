// SPDX-License-Identifier: MIT

/// An instance of a shared scope, from the end of its factory until its publication or drop.
// SAFETY: `box` and `stored` are emptied by the publisher alone, after the end of the construction
// in the wait-for graph; `actions`, `isExposed` and `resolution` are only touched by the thread or
// task that runs the actions, or that ends the construction. The phase of the construction, changed
// with the mutex of the wait-for graph held, decides which of the two it is.
final class UnpublishedInstance: @unchecked Sendable {
  let construction: Construction
  let record: RegistrationRecord
  /// The slot in which the registration was found.
  let slot: SlotReference
  let arguments: AnyArguments?
  /// The container that will dispose of the instance; `nil` if the factory returned before the
  /// first disposer came.
  let disposingContainer: ContainerCore?
  /// Orders the ends of factories: the dependencies of an instance come first.
  let order = ResolutionContext.nextNumber()

  private var box: AnyInstanceBox?
  /// The object for the state; `nil` if a user's ``CustomStorage`` stores the product.
  private var stored: AnyObject?
  private var actions: ActionSequence
  private(set) var isExposed = false
  /// The resolution whose graph instances the postponed actions use.
  private var resolution: ResolutionContext?

  /// - Parameter box: the instance. Consumed, so that the caller keeps no reference.
  /// - Throws: an error if the scope cannot store the instance, which is released.
  init(
    taking box: consuming AnyInstanceBox, of record: RegistrationRecord,
    builtBy construction: Construction, in slot: SlotReference, arguments: AnyArguments?
  ) throws(InstanceError) {
    self.construction = construction
    self.record = record
    self.slot = slot
    self.arguments = arguments
    disposingContainer =
      record.hasDisposers ? record.disposingContainer(around: construction.container) : nil
    // The construction may outlive the call that began it.
    construction.takeReferences()
    actions = ActionSequence(record.lifecycle.afterInit)
    self.box = consume box
    switch record.policy.box {
    case .user: break
    case .weak: stored = try self.box?.makeWeakBox()
    case .strong, .expiring: stored = self.box
    }
  }

  deinit { HeldLocks.assertNone(UnpublishedInstance.self) }

  /// The instance, as lent early.
  var earlyReference: AnyInstanceBox {
    guard let box else { preconditionFailure("UnpublishedInstance: it must be unpublished") }
    return box
  }

  /// The instance and the object for the state, for publication. No further reference may keep the
  /// instance alive when waiters go on.
  func take() -> (box: AnyInstanceBox, stored: AnyObject?) {
    defer { (box, stored) = (nil, nil) }
    return (earlyReference, stored)
  }

  // MARK: - Actions

  /// Runs actions postponed until the factory's return, then its own, on the building thread.
  ///
  /// - Returns: `false` when the rest of the actions is postponed.
  func initialize() throws -> Bool {
    guard exposeIfNeeded() else { return true }
    try resumePostponed()
    return try runActions(in: construction)
  }

  /// As ``initialize()``, in the task that builds, for actions of both kinds. No action is
  /// postponed: the task can wait for an enclosing construction, since the latter waits for nothing
  /// but this instance, and gets the instance early.
  func initializeAsync() async throws {
    guard exposeIfNeeded() else { return }
    try resumePostponed()
    try await record.runActionsAsync(on: earlyReference, construction.resolver)
  }

  private func resumePostponed() throws {
    while let postponed = WaitForGraph.nextPostponed(until: construction) {
      try postponed.resume(inside: construction)
    }
  }

  /// Exposes the instance, unless it is complete: without actions, and its construction unlinked.
  private func exposeIfNeeded() -> Bool {
    isExposed = !record.lifecycle.afterInit.isEmpty || construction.isLinked
    if isExposed { WaitForGraph.expose(self) }
    return isExposed
  }

  /// Ends the construction after the factory and all actions.
  ///
  /// - Returns: whether the instance has been published.
  /// - Throws: the reason of a drop, if meant for the caller.
  func finishWork() throws(ResolutionError) -> Bool {
    if isExposed { return try WaitForGraph.finishWork(on: self) }
    markCompleted()
    UnpublishedInstance.publish([self])
    return true
  }

  /// Runs the remaining actions.
  ///
  /// - Parameter context: the construction, or its resumption, run by the calling thread.
  /// - Returns: `false` if the remaining actions are postponed.
  private func runActions(in context: ResolutionContext) throws -> Bool {
    let resolver = Resolver(registry: construction.container, construction: context)
    while true {
      do {
        try record.run(&actions, on: earlyReference, resolver)
        return true
      } catch {
        if try isPostponed(in: context, becauseOf: error) { return false }
      }
    }
  }

  /// Decides about an action that threw.
  ///
  /// - Returns: `false` to run the action again at once.
  /// - Throws: the error, when the action has failed.
  private func isPostponed(
    in context: ResolutionContext, becauseOf error: any Error
  ) throws -> Bool {
    guard case .circularDependencyDetected? = error as? ResolutionError else { throw error }
    switch WaitForGraph.postpone(self, in: context) {
    case .postponed: return true
    case .again: return false
    case .failed: throw error
    }
  }

  // MARK: - Postponed actions

  /// Retains the graph instances of the resolution, which may end before the actions go on. The
  /// mutex of the wait-for graph is held.
  func retainResolution() {
    let root = construction.root
    if resolution == nil, root !== construction, root.retainGraph() { resolution = root }
  }

  /// Releases the construction and the resolution. Runs deinits of graph instances.
  func release() {
    construction.release()
    releaseResolution()
  }

  private func releaseResolution() {
    resolution?.closeGraph()
    resolution = nil
  }

  /// Runs postponed actions inside `enclosing`, for which they were postponed, and ends the
  /// construction of their instance.
  ///
  /// - Throws: an error of the actions that dooms `enclosing`.
  func resume(inside enclosing: Construction) throws {
    let context = RoleContext(.resumption, enclosedBy: enclosing, requestedBy: construction)
    let result = Result { try context.whileRunning { try runActions(in: context) } }
    context.finish()
    try conclude(result, inside: enclosing)
  }

  private func conclude(
    _ result: Result<Bool, any Error>, inside enclosing: Construction
  ) throws {
    var thrown: ResolutionError?
    switch result {
    case .success(let isDone):
      if isDone {
        do { _ = try finishWork() } catch { thrown = error }
      }
    case .failure(let error):
      thrown = construction.fail(record, error)
      releaseResolution()
    }
    if let thrown, let failure = WaitForGraph.failure(seenIn: enclosing, after: thrown) {
      throw failure
    }
  }
}
