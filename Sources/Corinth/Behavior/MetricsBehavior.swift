// SPDX-License-Identifier: MIT

/// Counts resolves, failures and constructions per key, and adds up construction times.
///
/// ```swift
/// let metrics = MetricsBehavior()
/// container.add(metrics)
/// for entry in metrics.snapshot() { print(entry.key, entry.resolves, entry.meanConstructionTime) }
/// ```
///
/// ## Concurrency
/// Safe to use from any thread. An event writes only to memory of the event's thread, and is
/// wait-free from a key's second event on. As long as resolves are counted, resolves take the slow
/// path.
public final class MetricsBehavior: Behavior {
  /// The counts and times of a key.
  public struct Entry: Sendable {
    /// The key.
    public let key: RegistrationKey
    /// The number of resolves that returned an instance.
    public let resolves: Int
    /// The number of resolves that failed.
    public let failures: Int
    /// The number of instances that were built.
    public let constructions: Int
    /// The total time of all constructions, with the time of their dependencies.
    public let constructionTime: Duration

    /// The mean time of a construction; zero without constructions.
    public var meanConstructionTime: Duration {
      constructions == 0 ? .zero : constructionTime / constructions
    }
  }

  public let events: BehaviorEvents
  private let tallies = ReplaceableReference<Shared<[RegistrationKey: KeyTally]>>()

  /// - Parameter countsResolves: whether every resolve is counted, and takes the slow path to be
  ///   counted.
  public init(countsResolves: Bool = true) {
    events = countsResolves ? [.resolution, .failure, .construction] : [.failure, .construction]
  }

  /// The counts so far, of the used keys, in no order.
  ///
  /// - Complexity: O(*n*) in the number of keys times the number of threads.
  ///
  /// Lock-free. Concurrent counts on other threads may be left out.
  public func snapshot() -> [Entry] {
    (tallies.load()?.value ?? [:]).map { key, tally in
      Entry(
        key: key, resolves: tally.count(.resolves), failures: tally.count(.failures),
        constructions: tally.count(.constructions),
        constructionTime: .nanoseconds(tally.count(.nanoseconds)))
    }
  }

  public func didResolve(_ key: RegistrationKey, as instance: Any, in container: Container) {
    tally(of: key).add(1, to: .resolves)
  }

  public func didFail(
    _ key: RegistrationKey, with error: ResolutionError, in container: Container
  ) {
    tally(of: key).add(1, to: .failures)
  }

  public func didBuild(_ key: RegistrationKey, in duration: Duration, container: Container) {
    let tally = tally(of: key)
    tally.add(1, to: .constructions)
    tally.add(duration.wholeNanoseconds, to: .nanoseconds)
  }

  private func tally(of key: RegistrationKey) -> KeyTally {
    if let tally = tallies.load()?.value[key] { return tally }
    let made = KeyTally()
    var tally = made
    tallies.update { former in
      var ofKeys = former?.value ?? [:]
      tally = ofKeys[key] ?? made
      ofKeys[key] = tally
      return Shared(ofKeys)
    }
    return tally
  }
}

private final class KeyTally: Sendable {
  enum Sum: Int {
    case resolves
    case failures
    case constructions
    case nanoseconds
  }

  private let tally = StripedTally()

  func add(_ amount: UInt64, to sum: Sum) {
    tally.add(amount, to: sum.rawValue)
  }

  func count(_ sum: Sum) -> Int {
    Int(clamping: tally.sum(sum.rawValue))
  }
}
