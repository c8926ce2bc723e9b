// SPDX-License-Identifier: MIT

import Corinth
import TestSupport

/// An application of steps, which are decorated, collected, overridden and forwarded, and of what
/// is wired to them.
struct ComposedApplication: Sendable {
  /// Something that decorators wrap, each with its label.
  protocol Step: AnyObject, Sendable {
    /// Tells the registrations apart: 0 is the original, those below have overridden it, those
    /// above are the elements of the collection, in the order in which they were registered.
    var id: Int { get }
    /// The labels of its decorators, the innermost first.
    var labels: [Int] { get }
    var base: any Step { get }
  }

  final class Plain: Tracked, Step, @unchecked Sendable {
    // SAFETY: constant.
    let id: Int

    init(_ id: Int, _ tracker: LifetimeTracker) {
      self.id = id
      super.init(tracker)
    }

    var labels: [Int] { [] }
    var base: any Step { self }
  }

  final class Decorated: Tracked, Step, @unchecked Sendable {
    // SAFETY: constant.
    private let inner: any Step
    private let label: Int
    // Weak: the container may hold the step.
    private weak let container: Container?

    init(_ inner: any Step, _ label: Int, _ tracker: LifetimeTracker, _ container: Container?) {
      self.inner = inner
      self.label = label
      self.container = container
      super.init(tracker)
    }

    // A step goes with its override or its decorator, wherever the container lets go of that, and
    // may use it then.
    deinit { _ = try? container?.resolve(Hammer.self) }

    var id: Int { inner.id }
    var labels: [Int] { inner.labels + [label] }
    var base: any Step { inner.base }
  }

  /// A step under another type.
  protocol Tool: Step {}

  final class Hammer: Tracked, Tool, @unchecked Sendable {
    var id: Int { 0 }
    var labels: [Int] { [] }
    var base: any Step { self }
  }

  final class DecoratedTool: Tracked, Tool, @unchecked Sendable {
    // SAFETY: constant.
    private let inner: any Tool

    init(_ inner: any Tool, _ tracker: LifetimeTracker) {
      self.inner = inner
      super.init(tracker)
    }

    var id: Int { inner.id }
    var labels: [Int] { inner.labels + [0] }
    var base: any Step { inner.base }
  }

  /// What is wired.
  struct Machine: Sendable {
    let step: any Step
    let steps: [any Step]
    let lazy: Lazy<any Step>
    let provider: Provider<any Step>
    let tool: (any Tool)?
    let missing: Int?
  }

  /// An instance of a request scope.
  final class Visit: Tracked, @unchecked Sendable {
    // SAFETY: constant.
    let step: any Step

    init(_ step: any Step, _ tracker: LifetimeTracker) {
      self.step = step
      super.init(tracker)
    }
  }

  let tracker: LifetimeTracker
  let container: Container

  init(_ container: Container, _ tracker: LifetimeTracker) throws {
    self.container = container
    self.tracker = tracker
    try container.register((any Step).self, scope: .singleton) { [tracker] _ in Plain(0, tracker) }
    try container.register(Hammer.self, scope: .singleton) { [tracker] _ in Hammer(tracker) }
    try container.forward((any Tool).self, to: Hammer.self)
    try container.wire(Machine.self, using: Machine.init)
    try container.register(Visit.self, scope: .scoped) { [tracker] resolver in
      Visit(try resolver.resolve(), tracker)
    }
    try decorate(container, label: 0)
    try container.decorate((any Tool).self) { [tracker] tool, _ in DecoratedTool(tool, tracker) }
    for id in 1...Self.elements { try add(id) }
  }

  /// The elements of the collection that stay.
  static var elements: Int { 4 }

  /// The element that is a transient, and has a name.
  static var transient: Int { 3 }

  /// Adds an element to the collection.
  @discardableResult
  func add(_ id: Int) throws -> Registration<any Step> {
    if id == Self.transient {
      return try container.register((any Step).self, name: "transient", scope: .transient) {
        [tracker] _ in Plain(id, tracker)
      }
    }
    return try container.contribute(to: (any Step).self, scope: .singleton) { [tracker] _ in
      Plain(id, tracker)
    }
  }

  /// Adds a decorator that resolves something itself.
  @discardableResult
  func decorate(_ container: Container, label: Int) throws -> Decoration {
    // Weak: the container holds the decorator.
    weak let used = container
    return try container.decorate((any Step).self) { [tracker] step, resolver in
      let hammer = try resolver.resolve(Hammer.self)
      return withExtendedLifetime(hammer) { Decorated(step, label, tracker, used) }
    }
  }

  @discardableResult
  func override(_ container: Container, by id: Int) throws -> Registration<any Step> {
    try container.register((any Step).self, onDuplicate: .require) { [tracker] _ in
      Plain(id, tracker)
    }
  }
}
