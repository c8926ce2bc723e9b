// SPDX-License-Identifier: MIT

internal import Synchronization

/// The context that a task is running, as a task-local value.
///
/// Child tasks read the value at the address where their parent bound the value. A task made by
/// `Task { }` gets a copy at a different address. The context may end before such a task runs,
/// without waiting, so the task is not a part of the context.
extension ResolutionContext {
  /// The innermost context of the calling task, or of the task whose child the calling task is.
  static var runningInTask: ResolutionContext? { unsafe unretainedInTask?.takeUnretainedValue() }

  /// The task's context at +0: held by the task's binding.
  static var unretainedInTask: Unmanaged<ResolutionContext>? {
    guard mayRunInTask,
      let address = unsafe TaskLocalStorage.address(ofValueDeclaredBy: $bound),
      // SAFETY: a value of the declared one-word type is bound at the address while the task runs.
      let context = unsafe address.load(as: Unmanaged<ResolutionContext>?.self),
      unsafe context._withUnsafeGuaranteedRef({ $0.isBound(at: UInt(bitPattern: address)) })
    else { return nil }
    return unsafe context
  }

  /// Whether ``runningInTask`` may have a value: one load.
  @inline(__always)
  static var mayRunInTask: Bool { haveTasksBuilt.load(ordering: .relaxed) }

  /// Runs `body` as a part of the context, in the calling task and child tasks, and on no actor: a
  /// called factory has its own isolation. Inlined: the task changes executors only for `body`.
  @inline(__always)
  nonisolated(nonsending)
    final func runInTask<Result>(
      _ body: nonisolated(nonsending) @Sendable () async throws -> sending Result
    ) async rethrows -> sending Result
  {
    // Written once: all threads read it.
    if !Self.mayRunInTask { Self.haveTasksBuilt.store(true, ordering: .relaxed) }
    return try await Self.$bound.withValue(
      self,
      operation: {
        beginBinding(
          at: unsafe UInt(bitPattern: TaskLocalStorage.address(ofValueDeclaredBy: Self.$bound)))
        defer { endBinding() }
        return try await body()
      }, isolation: nil)
  }

  /// As ``runInTask(_:)``, on the caller's actor.
  nonisolated(nonsending)
    final func runOnActor<Result>(
      _ body: nonisolated(nonsending) () async throws -> Result
    ) async rethrows -> Result
  {
    if !Self.mayRunInTask { Self.haveTasksBuilt.store(true, ordering: .relaxed) }
    return try await Self.$bound.withValueOnActor(self) {
      beginBinding(
        at: unsafe UInt(bitPattern: TaskLocalStorage.address(ofValueDeclaredBy: Self.$bound)))
      defer { endBinding() }
      return try await body()
    }
  }

  /// Runs `body` as a part of `context`, in a task made and awaited by the work of `context`.
  static func continuing<Result: Sendable>(
    _ context: ResolutionContext?, _ body: @Sendable () async -> Result
  ) async -> Result {
    guard let context else { return await body() }
    // The awaiting task has bound the context itself.
    return await RoleContext(.join, enclosedBy: context, requestedBy: context)
      .runInTask { await body() }
  }

  @TaskLocal private static var bound: ResolutionContext?

  /// The context that was running when the current container was chosen, if any.
  @TaskLocal static var choosingCurrent: ResolutionContext?

  /// Looking up a task-local value takes longer than all other steps at the start of a
  /// construction. A task with a value has set the flag before.
  private static let haveTasksBuilt = Atomic<Bool>(false)
}

extension TaskLocal {
  /// As `withValue`, with a body that runs on the caller's actor, whichever it is: `withValue`
  /// leaves the actor for a body without known isolation.
  func withValueOnActor<Result>(
    _ value: Value, on actor: isolated (any Actor)? = #isolation,
    _ body: nonisolated(nonsending) () async throws -> Result
  ) async rethrows -> Result {
    try await withValue(
      value,
      operation: {
        // The closure belongs to the captured actor.
        _ = actor
        return try await body()
      }, isolation: actor)
  }
}
