// SPDX-License-Identifier: MIT

/// The afterInit actions of one instance, and how far they have run.
struct ActionSequence {
  typealias Asynchronous = @Sendable (Resolver, AnyInstanceBox) async throws -> Void

  private let actions: [AfterInitAction]
  private var next = 0

  init(_ actions: [AfterInitAction]) {
    self.actions = actions
  }

  /// Runs what is left. After an error, the action that threw is the next one.
  ///
  /// - Returns: the first action that the caller has to await; this begins again after it.
  mutating func run(on box: AnyInstanceBox, _ resolver: Resolver) throws -> Asynchronous? {
    while next < actions.count {
      switch actions[next] {
      case .synchronous(let action): try action(resolver, box)
      case .asynchronous(let action):
        next += 1
        return action
      }
      next += 1
    }
    return nil
  }

  /// The same to its end.
  nonisolated(nonsending)
    mutating func runAsync(on box: AnyInstanceBox, _ resolver: Resolver) async throws
  {
    while let action = try run(on: box, resolver) { try await action(resolver, box) }
  }
}
