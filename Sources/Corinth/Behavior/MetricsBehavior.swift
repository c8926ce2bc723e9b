// SPDX-License-Identifier: MIT

/// Counts resolves, failures and constructions of each key, and adds up the times of the latter.
///
/// ```swift
/// let metrics = MetricsBehavior()
/// container.add(metrics)
/// for entry in metrics.snapshot() { print(entry.key, entry.resolves, entry.meanConstructionTime) }
/// ```
///
/// ## Concurrency
/// Safe to use from any thread. An event writes to memory of its own thread only, and is wait-free from the key's second
/// one on. As long as resolves are counted, they take the slow path.
public final class MetricsBehavior: Behavior {
  /// The counts and times of one key.
  public struct Entry: Sendable {
    /// The key.
    public let key: RegistrationKey
    /// The number of resolves that returned an instance.
    public let resolves: Int
    /// The number of resolves that failed.
    public let failures: Int
    /// The number of instances that were built.
    public let constructions: Int
    /// The time of all constructions, that of their dependencies included.
    public let constructionTime: Duration

    /// The time of one construction; zero if there was none.
    public var meanConstructionTime: Duration {
      constructions == 0 ? .zero : constructionTime / constructions
    }
  }

  public let events: BehaviorEvents
  private let tallies = ReplaceableReference<Shared<[RegistrationKey: KeyTally]>>()

  /// - Parameter countsResolves: whether each resolve is counted, and takes the slow path for that.
  public init(countsResolves: Bool = true) {
    events = countsResolves ? [.resolution, .failure, .construction] : [.failure, .construction]
  }

  /// The counts so far, of the keys used, in no order.
  ///
  /// - Complexity: O(*n*) in the number of keys times that of threads.
  ///
  /// Lock-free. Counts on other threads during the call may be left out.
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
