// SPDX-License-Identifier: MIT

internal import Corinth

/// One resolve of a container from outside of its factories, with all resolves nested in it, on one thread.
final class Run {
  let container: Container
  /// The one that the thread is in beside it.
  private let around: Run?
  /// The run of the same container that this is nested in, if it resumes a graph there.
  private let outermost: Run?
  /// That of the parent, which counts as asked, too.
  private let parent: Run?
  private let ownsParent: Bool
  /// The graph that its objects belong to, if there has been one.
  private(set) var ownGraph: GraphIdentifier?
  /// Made if there is something to do: most runs have nothing.
  private var madeEnding: Ending?
  private var depth: Int

  /// - Parameter outer: the run that the calling thread is in, if it resumes a graph there.
  init(_ container: Container, _ graph: GraphIdentifier? = nil, in outer: Run? = nil) {
    self.container = container
    around = Run.innermost
    outermost = outer?.outermost ?? outer
    depth = outer?.depth ?? 0
    if let parent = container.parent {
      // Not the one of `outer`: the parent may have resumed a graph since then.
      let around = Run.current(of: parent)
      ownsParent = around == nil
      self.parent = around ?? Run(parent)
    } else {
      (parent, ownsParent) = (nil, false)
    }
    if let graph { hold(graph) }
  }

  /// The same, made if there is none.
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

  /// Has a storage of the user's told of the end.
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

  /// The run that the calling thread is in.
  static func current(of container: Container) -> Run? {
    var next = innermost
    while let run = next {
      if let found = run.run(of: container) { return found }
      next = run.around
    }
    return nil
  }

  /// The graph that the calling thread is in, for somebody who may resume it on any thread.
  static func currentGraph(of container: Container) -> GraphIdentifier? {
    let graph = current(of: container)?.graph
    graph?.resolution.share()
    return graph
  }

  /// Runs `body` one level deeper in the run that the calling thread is in, or else in a new one.
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

/// What the outermost run does at its end.
private final class Ending {
  /// More graphs whose objects are held until then.
  var held: [GraphIdentifier] = []
  /// Storages of the user's that are told.
  var storages: [KeptInstance] = []

  func perform() {
    for storage in storages { storage.completeGraph() }
    for graph in held { graph.resolution.endRun() }
  }
}
