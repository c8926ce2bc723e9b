// SPDX-License-Identifier: MIT

internal import Synchronization

#if DEBUG
  /// The work of a request scope, run by a task. Debug builds only: a task-local value takes long.
  @safe
  // SAFETY: the work holds the core until the flag is set, by the task that alone reads the core.
  final class RunningScope: @unchecked Sendable {
    /// Tasks that the work makes inherit the value, and may outlive the work.
    @TaskLocal private static var current: RunningScope?

    private unowned(unsafe) let core: ContainerCore
    private let task: Int?
    private let around: RunningScope?
    private let isOver = Atomic<Bool>(false)

    private init(of core: ContainerCore) {
      unsafe self.core = core
      task = Self.callingTask
      around = Self.current
    }

    private static var callingTask: Int? {
      unsafe withUnsafeCurrentTask { task in unsafe task?.hashValue }
    }

    /// Runs `body`, the work of a container if that is a request scope, on the caller's actor.
    nonisolated(nonsending)
      static func during<Result>(
        workIn core: ContainerCore, _ body: nonisolated(nonsending) () async throws -> Result
      ) async rethrows -> Result
    {
      if !core.isScope { return try await body() }
      let scope = RunningScope(of: core)
      defer { scope.isOver.store(true, ordering: .relaxed) }
      return try await $current.withValueOnActor(scope) { try await body() }
    }

    /// Where the innermost scope below a container was made whose work the calling task itself
    /// runs, not a task made by the work; `nil` for none.
    static func locationOfWork(below container: ContainerCore) -> SourceLocation? {
      let task = callingTask
      let scope = sequence(first: current, next: { $0?.around }).lazy.compactMap(\.self)
        .first { scope in
          // An address is used again only when the task, and with it the work, has ended.
          unsafe scope.task == task && !scope.isOver.load(ordering: .relaxed)
            && !scope.core.isClosed && scope.core !== container && scope.core.isWithin(container)
        }
      return unsafe scope?.core.location
    }
  }
#endif
