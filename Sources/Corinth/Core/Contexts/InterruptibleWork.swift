// SPDX-License-Identifier: MIT

/// The work of a tracked scope, in a child task: cancellable without the caller's task.
// SAFETY: the caller suspends while the child task runs the body on its actor, and then reads.
private final class InterruptibleWork<Argument, Result>: @unchecked Sendable {
  typealias Body = nonisolated(nonsending) (Argument) async throws -> Result

  private var body: Body?
  private let argument: Argument
  private var result: Swift.Result<Result, any Error>?

  init(_ body: @escaping Body, _ argument: Argument) {
    self.body = body
    self.argument = argument
  }

  /// Gives up the body before the task ends: the caller's closure does not escape.
  func run(as scope: TrackedScope, on isolation: isolated (any Actor)?) async {
    guard let body = body.take() else { return }
    if scope.beginWork() {
      do { result = .success(try await body(argument)) } catch { result = .failure(error) }
    } else {
      result = .failure(ResolutionError.refusedScope(of: scope.typeOfOwner))
    }
    await scope.endWork()
  }

  func takeResult() throws -> Result? { try result.take()?.get() }
}

extension TrackedScope {
  /// Runs `body` in a child task that ``cancelWork()`` cancels, on the caller's actor.
  nonisolated(nonsending)
    func run<Argument, Result>(
      _ body: nonisolated(nonsending) (Argument) async throws -> Result, with argument: Argument
    ) async throws -> Result
  {
    let isolation = #isolation
    expectWork()
    nonisolated(nonsending)
      func perform(
        _ body: @escaping InterruptibleWork<Argument, Result>.Body
      ) async throws -> Result
    {
      let work = InterruptibleWork(body, argument)
      await withTaskGroup(of: Void.self) { group in
        group.addTask { await work.run(as: self, on: isolation) }
        await group.waitForAll()
      }
      guard let result = try work.takeResult() else {
        preconditionFailure("InterruptibleWork.run: the work has not run")
      }
      return result
    }
    return try await withoutActuallyEscaping(body, do: perform)
  }
}
