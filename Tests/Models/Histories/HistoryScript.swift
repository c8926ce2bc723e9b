// SPDX-License-Identifier: MIT

import Corinth

/// What the threads of one history are going to do, each one operation after the other, on few
/// keys.
public struct HistoryScript: Sendable {
  /// How many keys there are. Each is an object of its own: operations on one say nothing of the
  /// other.
  public static let keys = 2

  /// Operations that have been done before the threads start.
  public var prelude: [Operation]
  public var threads: [[Operation]]
  /// Whether almost all keys collide in the container's table.
  public var collides: Bool

  /// Operations of one key in the order of the script.
  public var operations: [Operation] { prelude + threads.flatMap { $0 } }

  public struct Operation: Sendable {
    public var kind: Kind
    public var key: Int
    /// Where a thread lets others go ahead, before it begins and inside the factory that it
    /// registers.
    public var pauses = Pauses()

    public init(_ kind: Kind, key: Int) {
      self.kind = kind
      self.key = key
    }
  }

  public enum Kind: Sendable, Equatable {
    /// Refused when there is a registration; refuses to be overridden.
    case register(Registration)
    /// Refused when there is a registration that `register` has made.
    case override(Registration)
    case unregister
    case resolve(Resolve)
    case contains(View)
    case release
  }

  /// A registration is known by its number, which is different for each that a script makes.
  public struct Registration: Sendable, Equatable {
    public var number: Int
    public var lifetime: Lifetime

    public init(_ number: Int, _ lifetime: Lifetime) {
      self.number = number
      self.lifetime = lifetime
    }
  }

  /// Which scope a registration has. All but `transient` have one instance that all resolves share:
  /// those of a history keep what they get until its end, and its end comes before that of a
  /// time-limited instance.
  public enum Lifetime: Sendable, CaseIterable {
    case singleton
    case transient
    case weak
    case cached

    var isShared: Bool { self != .transient }

    var scope: AnyScope {
      switch self {
      case .singleton: .singleton
      case .transient: .transient
      case .weak: .weak
      case .cached: .cached(for: .seconds(3600))
      }
    }
  }

  /// Ways to resolve that take different paths through the container.
  public enum Resolve: Sendable, CaseIterable {
    case plain
    case ifRegistered
    case borrowed
    case provider
    case inChild
  }

  /// Which container is asked.
  public enum View: Sendable, CaseIterable {
    case own
    case child
  }

  public struct Pauses: Sendable {
    public var before = Pause.none
    public var inside = Pause.none

    public init() {}
  }

  public enum Pause: Sendable {
    case none
    case spin(Int)
    case yield
  }
}
