// SPDX-License-Identifier: MIT

internal import Corinth

/// One resolve of a container from outside of its factories, with all resolves nested in it, on one thread.
final class Run {
  static let limit = 200

  let container: Container
  /// The run of the same container that this is nested in, if it resumes a graph there. What is held until the outermost
  /// resolve ends is held by that.
  private let outermost: Run?
  /// That of the parent, which counts as asked, too.
  private let parent: Run?
  private let ownsParent: Bool
  private var begunGraph: GraphIdentifier?
  /// Graphs that have been resumed in it, whose objects are held until it ends.
  private var resumed: [GraphIdentifier] = []
  /// Storages of the user's that have got an instance.
  private var storages: [KeptInstance] = []
  private var depth: Int

  private init(_ container: Container, _ graph: GraphIdentifier?, in outer: Run?) {
    self.container = container
    outermost = outer?.outermost ?? outer
    depth = outer?.depth ?? 0
    begunGraph = graph
    graph?.resolution.beginRun()
    // Not the one of `outer`: the parent may have resumed a graph since then.
    let around = container.parent.flatMap { Run.current(of: $0) }
    ownsParent = around == nil
    parent = around ?? container.parent.map { Run($0, nil, in: nil) }
  }

  /// The graph that its objects belong to.
  var graph: GraphIdentifier {
    if let begunGraph { return begunGraph }
    let graph = GraphIdentifier()
    graph.resolution.beginRun()
    begunGraph = graph
    return graph
  }

  /// The graph, for somebody who may resume it on any thread.
  var sharedGraph: GraphIdentifier {
    let graph = graph
    graph.resolution.share()
    return graph
  }

  /// Has a storage of the user's told of the end.
  func noteStored(in kept: KeptInstance) {
    (outermost ?? self).storages.append(kept)
  }

  private func run(of container: Container) -> Run? {
    container === self.container ? self : parent?.run(of: container)
  }

  /// The run that the calling thread is in.
  static func current(of container: Container) -> Run? {
    let found = Corinth.Container.objectOfRun { ($0 as? Run)?.run(of: container) != nil }
    return (found as? Run)?.run(of: container)
  }

  /// Runs `body` one level deeper in the run that the calling thread is in, or else in a new one.
  static func nested<Result>(in container: Container, _ body: (Run) -> Result) -> Result {
    if let run = current(of: container) { return run.deeper(body) }
    return Run(container, nil, in: nil).perform(body)
  }

  /// Runs `body` in a graph.
  static func resuming<Result>(
    _ graph: GraphIdentifier, in container: Container, _ body: () throws -> Result
  ) rethrows -> Result {
    let outer = current(of: container)
    if let outer {
      graph.resolution.beginRun()
      (outer.outermost ?? outer).resumed.append(graph)
    }
    return try Run(container, graph, in: outer).perform { _ in try body() }
  }

  private func perform<Result>(_ body: (Run) throws -> Result) rethrows -> Result {
    defer { end() }
    return try Corinth.Container.withRun(of: self) { try deeper(body) }
  }

  private func deeper<Result>(_ body: (Run) throws -> Result) rethrows -> Result {
    guard depth < Run.limit else { fatalError(Run.depthMessage) }
    depth += 1
    defer { depth -= 1 }
    return try body(self)
  }

  private func end() {
    for storage in storages { storage.completeGraph() }
    for graph in resumed { graph.resolution.endRun() }
    begunGraph?.resolution.endRun()
    if ownsParent { parent?.end() }
  }

  private static let depthMessage =
    "Infinite recursive call for circular dependency has been detected. "
    + "To avoid the infinite call, 'initCompleted' handler should be used to inject circular dependency."
}
