// SPDX-License-Identifier: MIT

public import Corinth

/// A record of constructions: when, by whom, for how long, and after which waits every registration
/// was built.
///
/// ```swift
/// let timeline = Timeline(of: container)
/// try await container.warmUp(maximumConcurrency: 8)
/// timeline.stop()
/// print(timeline.table())
/// ```
///
/// A timeline records the constructions of the container's registrations, and of the parents'
/// registrations, until the timeline is stopped. Meanwhile all resolves of these containers take
/// the slow path; before and after the recording, resolves are as fast as ever.
///
/// ## Concurrency
/// Safe to use from any thread. A construction takes the timeline's lock for a moment, twice.
public final class Timeline: Sendable {
  /// A construction: a run of a factory, with the decorators of the product.
  public struct Entry: Sendable {
    /// The key of the registration.
    public let key: RegistrationKey
    /// The number of the building task or thread, counted from 0.
    public let lane: Int
    /// The index of the construction that first asked for this construction; `nil` if no
    /// construction has asked, or the asking construction had ended.
    public let requester: Int?
    /// The time from the begin of the timeline to the begin of the construction.
    public let start: Duration
    /// The time that the construction took; `nil` if the construction has not ended.
    public internal(set) var duration: Duration?
    /// Whether the construction has thrown an error.
    public internal(set) var hasFailed = false
    /// The indices of the constructions that this construction has waited for: its own
    /// dependencies, and dependencies that other tasks or threads were building. A parallel warm-up
    /// also waits before the begin of a construction.
    public internal(set) var waitedFor: [Int] = []

    /// The time from the begin of the timeline to the end of the construction.
    var end: Duration? { duration.map { start + $0 } }
  }

  private struct Content {
    var entries: [Entry] = []
    /// The latest construction of every key.
    var latest: [RegistrationKey: Int] = [:]
    /// The requests of constructions that were answered with a new instance.
    var own: Set<Request> = []
    var lanes: [Lane: Int] = [:]
    var omitted = 0
  }

  private struct Request: Hashable {
    let asker: Int
    let key: RegistrationKey
  }

  /// A construction, with its timeline: a task that a factory leaves behind may outlive the
  /// construction and the timeline.
  private struct Running {
    let timeline: Timeline
    let entry: Int
  }

  /// The constructions under way in the calling task or thread, at most one of every timeline.
  @TaskLocal private static var running: [Running] = []

  private static var entriesAtMost: Int { 100_000 }

  private let begin = ContinuousClock.now
  private let content = ForkSafeMutex(Content())
  private let behaviors = ForkSafeMutex<TemporaryObservers?>(nil)

  /// Begins to record.
  ///
  /// - Complexity: O(*n*) in the number of keys ever registered.
  ///
  /// Takes the writer locks of the container and of the parents, for a moment each.
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

  /// The constructions so far, in the order of their begin.
  ///
  /// - Complexity: O(*n*) in the number of the constructions.
  ///
  /// Takes the timeline's lock for a moment.
  public var entries: [Entry] { content.withLock { $0.entries } }

  /// The number of constructions beyond the first 100,000, which are not recorded.
  public var omittedEntries: Int { content.withLock { $0.omitted } }

  // MARK: - Recording

  private var current: Int? { Self.running.first { $0.timeline === self }?.entry }

  private func with(_ current: Int) -> [Running] {
    Self.running.filter { $0.timeline !== self } + [Running(timeline: self, entry: current)]
  }

  /// - Returns: the index of the new construction.
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

  /// Called when the caller's construction under way has resolved a key: the construction has
  /// waited for constructions that other tasks or threads ran meanwhile.
  fileprivate func resolved(_ key: RegistrationKey) {
    guard let asker = current else { return }
    // A warm-up waits before the begin of a construction.
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

/// Tells a timeline about the resolves of constructions.
private struct ResolveBehavior: Behavior {
  let timeline: Timeline

  var events: BehaviorEvents { .resolution }

  func didResolve(_ key: RegistrationKey, as instance: Any, in container: Container) {
    timeline.resolved(key)
  }
}
