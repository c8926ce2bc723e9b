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
/// wait-free from a registration's second event on. As long as resolves are counted, resolves take
/// the slow path.
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
    /// The total time of all constructions, with the time of their dependencies; zero if times are
    /// not measured.
    public let constructionTime: Duration

    /// The mean time of a construction; zero without constructions, or if times are not measured.
    public var meanConstructionTime: Duration {
      constructions == 0 ? .zero : constructionTime / constructions
    }
  }

  public let events: BehaviorEvents
  public let measuresTimes: Bool
  private let tallies = ReplaceableReference<Shared<[RegistrationKey: KeyTally]>>()
  private let talliesOfRegistrations = ReplaceableReference<RegistrationTallies>()

  /// - Parameters:
  ///   - countsResolves: whether every resolve is counted, and takes the slow path to be counted.
  ///   - measuresTimes: whether construction times are added up, for which constructions read the
  ///     clock.
  public init(countsResolves: Bool = true, measuresTimes: Bool = true) {
    self.measuresTimes = measuresTimes
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
    tally(of: key).count(duration.wholeNanoseconds, measuresTimes)
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

extension MetricsBehavior: DirectBehavior {
  func didBuild(_ record: RegistrationRecord, _ nanoseconds: UInt64) {
    let isCounted = talliesOfRegistrations.inSection {
      $0.count(nanoseconds, of: record.serial, measuresTimes)
    }
    if isCounted != true { found(record).count(nanoseconds, measuresTimes) }
  }

  /// The tally of a key, from then on found by the number of the registration.
  @inline(never)
  private func found(_ record: RegistrationRecord) -> KeyTally {
    let found = tally(of: record.key)
    let former = talliesOfRegistrations.load() ?? RegistrationTallies()
    // A concurrent addition may be lost, and is then made again by a later construction.
    if let more = former.adding(found, of: record.serial) { talliesOfRegistrations.store(more) }
    return found
  }
}

/// Tallies by the numbers of registrations: a lookup hashes no key. Immutable.
private final class RegistrationTallies: Sendable {
  /// Each number has one place; 0 is nobody's. The count is a power of 2.
  private let serials: [UInt64]
  /// At the same places. A tuple of the two would be copied, and a reference be counted.
  private let tallies: [KeyTally]

  init() { (serials, tallies) = ([0], [KeyTally()]) }

  private init(_ serials: [UInt64], _ tallies: [KeyTally]) {
    self.serials = serials
    self.tallies = tallies
  }

  /// A limit keeps the copies of additions small. Registrations without a place are counted by key.
  private static let mostEntries = 1_024

  /// Counts a construction. Counts no reference, which would be a write to shared memory.
  ///
  /// - Returns: `false` without a tally of the number.
  @inline(__always)
  func count(_ nanoseconds: UInt64, of serial: UInt64, _ measuresTimes: Bool) -> Bool {
    let place = place(of: serial)
    guard serials[place] == serial else { return false }
    tallies[place].count(nanoseconds, measuresTimes)
    return true
  }

  private func place(of serial: UInt64) -> Int {
    Int(truncatingIfNeeded: serial) & (serials.count - 1)
  }

  /// - Returns: `nil` if a later registration has the place: of two, the earlier may be replaced
  ///   already.
  func adding(_ tally: KeyTally, of serial: UInt64) -> RegistrationTallies? {
    let place = place(of: serial)
    let present = serials[place]
    if present != 0, present != serial {
      if serials.count < Self.mostEntries { return doubled().adding(tally, of: serial) }
      if present > serial { return nil }
    }
    var (serials, tallies) = (serials, tallies)
    (serials[place], tallies[place]) = (serial, tally)
    return RegistrationTallies(serials, tallies)
  }

  private func doubled() -> RegistrationTallies {
    let count = 2 * serials.count
    let empty = RegistrationTallies([UInt64](repeating: 0, count: count), tallies + tallies)
    var (serials, tallies) = (empty.serials, empty.tallies)
    for (serial, tally) in zip(self.serials, self.tallies) where serial != 0 {
      let place = empty.place(of: serial)
      (serials[place], tallies[place]) = (serial, tally)
    }
    return RegistrationTallies(serials, tallies)
  }

  deinit { HeldLocks.assertNone(RegistrationTallies.self) }
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

  /// Counts a construction.
  @inline(__always)
  func count(_ nanoseconds: UInt64, _ measuresTimes: Bool) {
    add(1, to: .constructions)
    if measuresTimes { add(nanoseconds, to: .nanoseconds) }
  }

  func count(_ sum: Sum) -> Int {
    Int(clamping: tally.sum(sum.rawValue))
  }
}
