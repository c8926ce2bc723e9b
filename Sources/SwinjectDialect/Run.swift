// SPDX-License-Identifier: MIT

internal import Corinth
internal import DialectSupport

/// A resolve of a container from outside of the container's factories, with all nested resolves, on
/// a single thread.
final class Run {
  let container: Container
  /// The run that the thread was in when this run began, of any container.
  private let around: Run?
  /// The outermost run of this container around this run, if this run resumes a graph there.
  private let outermost: Run?
  /// The run of the parent container, which counts as resolving too.
  private let parent: Run?
  private let ownsParent: Bool
  /// The graph of the run's objects, if the run has needed a graph.
  private(set) var ownGraph: GraphIdentifier?
  /// Created on demand: most runs have nothing to do at the end.
  private var madeEnding: Ending?
  private var depth: Int

  /// - Parameter outer: the run of the calling thread, if the new run resumes a graph there.
  init(_ container: Container, _ graph: GraphIdentifier? = nil, in outer: Run? = nil) {
    self.container = container
    around = Run.innermost
    outermost = outer?.outermost ?? outer
    depth = outer?.depth ?? 0
    if let parent = container.parent {
      // The run of `outer` may be stale: the parent may have resumed a graph since then.
      let around = Run.current(of: parent)
      ownsParent = around == nil
      self.parent = around ?? Run(parent)
    } else {
      (parent, ownsParent) = (nil, false)
    }
    if let graph { hold(graph) }
  }

  /// The graph of the run's objects, made on demand.
  var graph: GraphIdentifier {
    if let ownGraph { return ownGraph }
    let graph = GraphIdentifier()
    hold(graph)
    return graph
  }

  private func hold(_ graph: GraphIdentifier) {
    graph.resolution.beginRun()
    ownGraph = graph
    outermost?.ending.held.append(graph)
  }

  /// Has a custom storage told of the end.
  func noteStored(in kept: KeptInstance) { (outermost ?? self).ending.storages.append(kept) }

  private var ending: Ending {
    if let madeEnding { return madeEnding }
    let ending = Ending()
    madeEnding = ending
    return ending
  }

  private func run(of container: Container) -> Run? {
    container === self.container ? self : parent?.run(of: container)
  }

  private static var innermost: Run? { Corinth.Container.objectOfRun as? Run }

  /// The calling thread's run of a container.
  static func current(of container: Container) -> Run? {
    var next = innermost
    while let run = next {
      if let found = run.run(of: container) { return found }
      next = run.around
    }
    return nil
  }

  /// The calling thread's graph, for a caller who may resume the graph on any thread.
  static func currentGraph(of container: Container) -> GraphIdentifier? {
    let graph = current(of: container)?.graph
    graph?.resolution.share()
    return graph
  }

  /// Runs `body` one level deeper in the calling thread's run, or else in a new run.
  static func nested(in container: Container, _ body: (Run) -> Any) -> Any {
    if let run = current(of: container) { return run.deeper(body) }
    return Run(container).perform(body)
  }

  func perform<Result>(_ body: (Run) throws -> Result) rethrows -> Result {
    defer { end() }
    return try Corinth.Container.withRun(of: self) { try deeper(body) }
  }

  private func deeper<Result>(_ body: (Run) throws -> Result) rethrows -> Result {
    guard depth < 200 else {
      fatalError(
        "Infinite recursive call for circular dependency has been detected. To avoid the infinite call, "
          + "'initCompleted' handler should be used to inject circular dependency.")
    }
    depth += 1
    defer { depth -= 1 }
    return try body(self)
  }

  private func end() {
    if let ending = madeEnding { ending.perform() }
    if outermost == nil { ownGraph?.resolution.endRun() }
    if ownsParent { parent?.end() }
  }
}

/// The work of the outermost run at the end.
private final class Ending {
  /// Further graphs whose objects are held until the end.
  var held: [GraphIdentifier] = []
  /// Custom storages to tell of the end.
  var storages: [KeptInstance] = []

  func perform() {
    for storage in storages { storage.completeGraph() }
    for graph in held { graph.resolution.endRun() }
  }
}
