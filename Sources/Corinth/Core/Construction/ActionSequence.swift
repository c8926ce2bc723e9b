// SPDX-License-Identifier: MIT

/// The afterInit actions of an instance, and the progress through them.
struct ActionSequence {
  typealias Asynchronous = @Sendable (Resolver, AnyInstanceBox) async throws -> Void

  private let actions: [AfterInitAction]
  private var next = 0

  init(_ actions: [AfterInitAction]) {
    self.actions = actions
  }

  /// Runs the remaining actions. After an error, the failed action comes next again.
  mutating func run(on box: AnyInstanceBox, _ resolver: Resolver) throws {
    if try advance(on: box, resolver) != nil {
      preconditionFailure("ActionSequence.run: the actions must be synchronous")
    }
  }

  /// As ``run(on:_:)``, for actions of both kinds.
  nonisolated(nonsending)
    mutating func runAsync(on box: AnyInstanceBox, _ resolver: Resolver) async throws
  {
    while let action = try advance(on: box, resolver) {
      try await action(resolver, box)
      next += 1
    }
  }

  /// Runs the remaining actions up to the first asynchronous one, and returns the latter.
  private mutating func advance(
    on box: AnyInstanceBox, _ resolver: Resolver
  ) throws -> Asynchronous? {
    while next < actions.count {
      switch actions[next] {
      case .synchronous(let action): try action(resolver, box)
      case .asynchronous(let action): return action
      }
      next += 1
    }
    return nil
  }
}
