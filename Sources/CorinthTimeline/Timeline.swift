// SPDX-License-Identifier: MIT

public import Corinth
internal import Synchronization

/// Which registrations were built when, by whom, for how long, and what that waited for.
///
/// ```swift
/// let timeline = Timeline(of: container)
/// try await container.warmUp(maximumConcurrency: 8)
/// timeline.stop()
/// print(timeline.table())
/// ```
///
/// It records the constructions of the container's registrations, and of its parents', until it is stopped. Meanwhile all their
/// resolves take the slow path; before and after that they are as fast as ever.
///
/// ## Concurrency
/// Safe to use from any thread. Each construction takes the timeline's lock for a moment, twice.
public final class Timeline: Sendable {
  /// One construction: a run of a factory, with the decorators of its product.
  public struct Entry: Sendable {
    /// The key of the registration.
    public let key: RegistrationKey
    /// The number of the task or thread that has built it, counted from 0.
    public let lane: Int
    /// The index of the construction that has asked for it first; `nil` if none has.
    public let requester: Int?
    /// When it began, since the timeline did.
    public let start: Duration
    /// How long it took; `nil` if it has not ended.
    public internal(set) var duration: Duration?
    /// Whether it has thrown an error.
    public internal(set) var hasFailed = false
    /// The indices of the constructions that it has waited for, its own dependencies and those that others were building.
    public internal(set) var waitedFor: [Int] = []

    /// When it ended, since the timeline began.
    var end: Duration? { duration.map { start + $0 } }
  }

  private struct Content {
    var entries: [Entry] = []
    /// The latest construction of each key.
    var latest: [RegistrationKey: Int] = [:]
    var lanes: [Lane: Int] = [:]
    var omitted = 0
  }

  /// The construction that the calling task or thread is in the middle of.
  @TaskLocal private static var current: (timeline: ObjectIdentifier, entry: Int)?

  private static var entriesAtMost: Int { 100_000 }

  private let begin = ContinuousClock.now
  private let content = Mutex(Content())
  private let behaviors = Mutex<TemporaryBehaviors?>(nil)

  /// Begins to record.
  ///
  /// - Complexity: O(*n*) in the number of keys ever registered.
  ///
  /// Takes the writer locks of the container and its parents, for a moment each.
  public init(of container: Container) {
    let tracing = TracingBehavior { key, build in
      try self.recording(key, build)
    } async: { key, build in
      try await self.recording(key, build)
    }
    let added = TemporaryBehaviors([tracing, ResolveBehavior(timeline: self)], of: container)
    behaviors.withLock { $0 = added }
  }

  /// Ends the recording.
  ///
  /// - Complexity: O(*n*) in the number of keys ever registered.
  ///
  /// Takes the writer locks of the containers, for a moment each.
  public func stop() {
    behaviors.withLock { $0.take() }?.remove()
  }

  /// The constructions so far, in the order in which they began.
  ///
  /// - Complexity: O(*n*) in their number.
  ///
  /// Takes the timeline's lock for a moment.
  public var entries: [Entry] { content.withLock { $0.entries } }

  /// How many constructions were not recorded, beyond the first 100,000.
  public var omittedEntries: Int { content.withLock { $0.omitted } }

  // MARK: - Recording

  /// - Returns: the index of the construction that begins.
  fileprivate func began(_ key: RegistrationKey) -> Int? {
    let requester = Self.current.flatMap { $0.timeline == ObjectIdentifier(self) ? $0.entry : nil }
    let (lane, now) = (Lane.current, ContinuousClock.now)
    return content.withLock { content in
      guard content.entries.count < Self.entriesAtMost else {
        content.omitted += 1
        return nil
      }
      let number = content.lanes[lane] ?? content.lanes.count
      content.lanes[lane] = number
      let index = content.entries.count
      content.entries.append(
        Entry(key: key, lane: number, requester: requester, start: begin.duration(to: now)))
      content.latest[key] = index
      return index
    }
  }

  fileprivate func ended(_ index: Int, hasFailed: Bool) {
    let now = ContinuousClock.now
    content.withLock {
      $0.entries[index].duration = begin.duration(to: now) - $0.entries[index].start
      $0.entries[index].hasFailed = hasFailed
    }
  }

  /// The construction that the caller is in the middle of has resolved a key: it has waited for what was built meanwhile.
  fileprivate func resolved(_ key: RegistrationKey) {
    guard let current = Self.current, current.timeline == ObjectIdentifier(self) else { return }
    content.withLock { content in
      let asker = content.entries[current.entry]
      guard let index = content.latest[key], index != current.entry,
        let end = content.entries[index].end, end > asker.start, !asker.waitedFor.contains(index)
      else { return }
      content.entries[current.entry].waitedFor.append(index)
    }
  }

  fileprivate func recording(_ key: RegistrationKey, _ build: () throws -> Void) throws {
    guard let index = began(key) else { return try build() }
    var hasFailed = true
    defer { ended(index, hasFailed: hasFailed) }
    try Self.$current.withValue((ObjectIdentifier(self), index), operation: build)
    hasFailed = false
  }

  fileprivate func recording(_ key: RegistrationKey, _ build: () async throws -> Void) async throws
  {
    guard let index = began(key) else { return try await build() }
    var hasFailed = true
    defer { ended(index, hasFailed: hasFailed) }
    try await Self.$current.withValue((ObjectIdentifier(self), index), operation: build)
    hasFailed = false
  }
}

/// Tells a timeline what constructions resolve.
private struct ResolveBehavior: Behavior {
  let timeline: Timeline

  var events: BehaviorEvents { .resolution }

  func didResolve(_ key: RegistrationKey, as instance: Any, in container: Container) {
    timeline.resolved(key)
  }
}
