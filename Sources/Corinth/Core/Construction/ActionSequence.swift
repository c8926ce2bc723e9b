// SPDX-License-Identifier: MIT

/// The afterInit actions of one instance, and how far they have run.
struct ActionSequence {
  private let actions: [AfterInitAction]
  private var next = 0

  init(_ actions: [AfterInitAction]) {
    self.actions = actions
  }

  /// Runs what is left. After an error, the action that threw is the next one.
  mutating func run(on box: AnyInstanceBox, _ resolver: Resolver) throws {
    while next < actions.count {
      guard case .synchronous(let action) = actions[next] else {
        preconditionFailure("ActionSequence.run: the actions must be synchronous")
      }
      try action(resolver, box)
      next += 1
    }
  }

  /// The same for actions of both kinds.
  mutating func runAsync(on box: AnyInstanceBox, _ resolver: Resolver) async throws {
    while next < actions.count {
      switch actions[next] {
      case .synchronous(let action): try action(resolver, box)
      case .asynchronous(let action): try await action(resolver, box)
      }
      next += 1
    }
  }
}
