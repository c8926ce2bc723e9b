// SPDX-License-Identifier: MIT

public import Corinth
import Foundation
import Synchronization

/// Instances that refer to each other in a circle, by their factories or by afterInit actions.
public struct Loop: Sendable {
  public typealias Need = @Sendable (Resolver) throws -> Companion
  public typealias AsyncNeed = @Sendable (Resolver) async throws -> Companion

  private let tracker: LifetimeTracker
  private let scope: AnyScope
  private let failure: Failure?

  /// Makes the afterInit action of one member throw for as long as it is set.
  public final class Failure: Error {
    private let member: any Any.Type
    private let isOver = Atomic<Bool>(false)

    public init(of member: any Any.Type) {
      self.member = member
    }

    /// From here on the action does not throw.
    public func end() { isOver.store(true, ordering: .sequentiallyConsistent) }

    fileprivate func throwUnlessOver(for member: any Any.Type) throws {
      if member == self.member, !isOver.load(ordering: .sequentiallyConsistent) { throw self }
    }
  }

  public enum A {}
  public enum B {}
  public enum C {}

  public init(_ tracker: LifetimeTracker, _ scope: AnyScope, failing failure: Failure? = nil) {
    self.tracker = tracker
    self.scope = scope
    self.failure = failure
  }

  /// Long enough for others to come in between.
  private static var delay: UInt32 { 100 }

  public func add<Tag>(
    _ tag: Tag.Type, to container: Container, factoryNeeds: Need? = nil, afterInitNeeds: Need? = nil
  ) throws {
    try container.register(CompanionOf<Tag>.self, scope: scope) { [tracker] resolver in
      let other = try factoryNeeds?(resolver)
      usleep(Self.delay)
      return CompanionOf(tracker, other)
    }.afterInit { [failure] resolver, companion in
      if let afterInitNeeds { companion.other = try afterInitNeeds(resolver) }
      usleep(Self.delay)
      try failure?.throwUnlessOver(for: tag)
      companion.complete()
    }
  }

  public func addAsync<Tag>(
    _ tag: Tag.Type, to container: Container, factoryNeeds: AsyncNeed? = nil,
    afterInitNeeds: AsyncNeed? = nil
  ) throws {
    try container.registerAsync(CompanionOf<Tag>.self, scope: scope) { [tracker] resolver in
      let other = try await factoryNeeds?(resolver)
      try await Task.sleep(for: .microseconds(Self.delay))
      return CompanionOf(tracker, other)
    }.afterInit { [failure] resolver, companion in
      if let afterInitNeeds { companion.other = try await afterInitNeeds(resolver) }
      try await Task.sleep(for: .microseconds(Self.delay))
      try failure?.throwUnlessOver(for: tag)
      companion.complete()
    }
  }

  /// Resolves the member of an index.
  @Sendable public static func resolve(
    _ index: Int, from container: Container
  ) throws -> Companion {
    switch index {
    case 0: try container.resolve(CompanionOf<A>.self)
    case 1: try container.resolve(CompanionOf<B>.self)
    default: try container.resolve(CompanionOf<C>.self)
    }
  }

  @Sendable public static func resolveAsync(
    _ index: Int, from container: Container
  ) async throws -> Companion {
    switch index {
    case 0: try await container.resolveAsync(CompanionOf<A>.self)
    case 1: try await container.resolveAsync(CompanionOf<B>.self)
    default: try await container.resolveAsync(CompanionOf<C>.self)
    }
  }

  /// Checks an instance just handed out: whether the circle is complete, as far as a thread can
  /// see.
  public static func isWhole(_ companion: Companion, of count: Int) -> Bool {
    let circle = companion.circle
    return circle.count == count && circle.allSatisfy(\.isComplete)
  }
}
