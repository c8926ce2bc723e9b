// SPDX-License-Identifier: MIT

public import Corinth

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
    /// The index of the construction that has asked for it first; `nil` if none has, or that one had ended.
    public let requester: Int?
    /// When it began, since the timeline did.
    public let start: Duration
    /// How long it took; `nil` if it has not ended.
    public internal(set) var duration: Duration?
    /// Whether it has thrown an error.
    public internal(set) var hasFailed = false
    /// The indices of the constructions that it has waited for, its own dependencies and those that others were building.
    /// A parallel warm-up also waits before it begins one.
    public internal(set) var waitedFor: [Int] = []

    /// When it ended, since the timeline began.
    var end: Duration? { duration.map { start + $0 } }
  }

  private struct Content {
    var entries: [Entry] = []
    /// The latest construction of each key.
    var latest: [RegistrationKey: Int] = [:]
    /// What constructions have asked for, and got a new instance of.
    var own: Set<Request> = []
    var lanes: [Lane: Int] = [:]
    var omitted = 0
  }

  private struct Request: Hashable {
    let asker: Int
    let key: RegistrationKey
  }

  /// A construction, with its timeline: a task that a factory leaves behind may outlive both.
  private struct Running {
    let timeline: Timeline
    let entry: Int
  }

  /// The constructions that the calling task or thread is in the middle of, one of each timeline.
  @TaskLocal private static var running: [Running] = []

  private static var entriesAtMost: Int { 100_000 }

  private let begin = ContinuousClock.now
  private let content = ForkSafeMutex(Content())
  private let behaviors = ForkSafeMutex<TemporaryObservers?>(nil)

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
    let added = TemporaryObservers([tracing, ResolveBehavior(timeline: self)], of: container)
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

  private var current: Int? { Self.running.first { $0.timeline === self }?.entry }

  private func with(_ current: Int) -> [Running] {
    Self.running.filter { $0.timeline !== self } + [Running(timeline: self, entry: current)]
  }

  /// - Returns: the index of the construction that begins.
  fileprivate func began(_ key: RegistrationKey) -> Int? {
    let current = current
    let (lane, now) = (Lane.current, ContinuousClock.now)
    return content.withLock { content in
      guard content.entries.count < Self.entriesAtMost else {
        content.omitted += 1
        return nil
      }
      let number = content.lanes[lane] ?? content.lanes.count
      content.lanes[lane] = number
      let index = content.entries.count
      let requester = current.flatMap { content.entries[$0].duration == nil ? $0 : nil }
      content.entries.append(
        Entry(key: key, lane: number, requester: requester, start: begin.duration(to: now)))
      content.latest[key] = index
      return index
    }
  }

  fileprivate func ended(_ index: Int, hasFailed: Bool) {
    let now = ContinuousClock.now
    content.withLock { content in
      let start = content.entries[index].start
      content.entries[index].duration = begin.duration(to: now) - start
      content.entries[index].hasFailed = hasFailed
      guard !hasFailed, let asker = content.entries[index].requester,
        content.entries[asker].duration == nil
      else { return }
      content.entries[asker].waitedFor.append(index)
      content.own.insert(Request(asker: asker, key: content.entries[index].key))
    }
  }

  /// The construction that the caller is in the middle of has resolved a key: it has waited for what others built meanwhile.
  fileprivate func resolved(_ key: RegistrationKey) {
    guard let asker = current else { return }
    // A warm-up waits before it begins a construction.
    let warmUp = Container.beginOfWarmUp.map { begin.duration(to: $0) }
    content.withLock { content in
      let start = content.entries[asker].start
      guard content.entries[asker].duration == nil,
        !content.own.contains(Request(asker: asker, key: key)),
        let index = content.latest[key], index != asker,
        let end = content.entries[index].end, end > min(start, warmUp ?? start),
        !content.entries[asker].waitedFor.contains(index)
      else { return }
      content.entries[asker].waitedFor.append(index)
    }
  }

  fileprivate func recording(_ key: RegistrationKey, _ build: () throws -> Void) throws {
    guard let index = began(key) else { return try build() }
    var hasFailed = true
    defer { ended(index, hasFailed: hasFailed) }
    try Self.$running.withValue(with(index), operation: build)
    hasFailed = false
  }

  fileprivate func recording(_ key: RegistrationKey, _ build: () async throws -> Void) async throws
  {
    guard let index = began(key) else { return try await build() }
    var hasFailed = true
    defer { ended(index, hasFailed: hasFailed) }
    try await Self.$running.withValue(with(index), operation: build)
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
