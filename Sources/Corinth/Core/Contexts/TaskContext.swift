// SPDX-License-Identifier: MIT

internal import Synchronization

/// The context that a task is running, as a task-local value.
///
/// Child tasks read the value at the address where their parent bound it. A task made by `Task { }` gets a copy
/// at another address. The context may end before that task runs and does not wait for it, so the task is not a
/// part of it.
extension ResolutionContext {
  /// The innermost context that the calling task is running, itself or as a child of the task that runs it.
  static var runningInTask: ResolutionContext? {
    mayRunInTask ? boundInTask?.context : nil
  }

  /// Whether ``runningInTask`` may have a value: one load.
  @inline(__always)
  static var mayRunInTask: Bool { haveTasksBuilt.load(ordering: .relaxed) }

  /// Runs `body` as a part of this context, in the calling task and its child tasks.
  final func runInTask<Result>(
    _ body: @Sendable () async throws -> sending Result
  ) async rethrows -> sending Result {
    Self.haveTasksBuilt.store(true, ordering: .relaxed)
    let binding = TaskBinding(of: self)
    return try await Self.$binding.withValue(binding) {
      binding.begin(at: Self.addressOfBinding)
      defer { binding.end() }
      return try await body()
    }
  }

  /// Runs `body` as a part of `context`, in a task that what runs `context` has made and awaits.
  static func continuing<Result: Sendable>(
    _ context: ResolutionContext?, _ body: @Sendable () async -> Result
  ) async -> Result {
    guard let context else { return await body() }
    return await context.runInTask { await body() }
  }

  @TaskLocal private static var binding: TaskBinding?

  /// The context that was running when the current container was chosen, if there was one.
  @TaskLocal static var choosingCurrent: ResolutionContext?

  private static var boundInTask: TaskBinding? {
    guard let binding, binding.isBound(at: addressOfBinding) else { return nil }
    return binding
  }

  /// The address at which the calling task reads the value, 0 if there is none.
  private static var addressOfBinding: UInt {
    TaskLocalStorage.address(ofValueDeclaredBy: $binding)
  }

  /// Looking up a task-local value takes longer than all other steps at the start of a construction. A task that
  /// has a value has stored this before.
  private static let haveTasksBuilt = Atomic<Bool>(false)
}

/// One run of a context in a task.
private final class TaskBinding: Sendable {
  let context: ResolutionContext
  private let address = Atomic<UInt>(0)

  init(of context: ResolutionContext) {
    self.context = context
  }

  func begin(at address: UInt) {
    self.address.store(address, ordering: .relaxed)
  }

  /// Called before the value's memory can be used for another one: a copy of a copy may end up there.
  func end() {
    address.store(0, ordering: .relaxed)
  }

  /// A child task is made after `begin` and has ended before `end`, which orders the loads for it. Other tasks
  /// see another address or 0.
  func isBound(at address: UInt) -> Bool {
    self.address.load(ordering: .relaxed) == address
  }
}
