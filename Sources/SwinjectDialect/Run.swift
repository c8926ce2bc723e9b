// SPDX-License-Identifier: MIT

internal import Corinth

/// One resolve of a container from outside of its factories, with all resolves nested in it, on one thread.
final class Run {
  let container: Container
  /// The run of the same container that this is nested in, if it resumes a graph there.
  private let outermost: Run?
  /// That of the parent, which counts as asked, too.
  private let parent: Run?
  private let ownsParent: Bool
  /// The graph that its objects belong to.
  private(set) lazy var graph = hold(GraphIdentifier())
  /// Of the outermost run: graphs whose objects are held until it ends, and storages of the user's that are told then.
  private var held: [GraphIdentifier] = []
  private var storages: [KeptInstance] = []
  private var depth: Int

  /// - Parameter outer: the run that the calling thread is in, if it resumes a graph there.
  init(_ container: Container, _ graph: GraphIdentifier? = nil, in outer: Run? = nil) {
    self.container = container
    outermost = outer?.outermost ?? outer
    depth = outer?.depth ?? 0
    // Not the one of `outer`: the parent may have resumed a graph since then.
    let around = container.parent.flatMap { Run.current(of: $0) }
    ownsParent = around == nil
    parent = around ?? container.parent.map { Run($0) }
    if let graph { self.graph = hold(graph) }
  }

  private func hold(_ graph: GraphIdentifier) -> GraphIdentifier {
    graph.resolution.beginRun()
    (outermost ?? self).held.append(graph)
    return graph
  }

  /// Has a storage of the user's told of the end.
  func noteStored(in kept: KeptInstance) { (outermost ?? self).storages.append(kept) }

  private func run(of container: Container) -> Run? {
    container === self.container ? self : parent?.run(of: container)
  }

  /// The run that the calling thread is in.
  static func current(of container: Container) -> Run? {
    Corinth.Container.objectOfRun { ($0 as? Run)?.run(of: container) } as? Run
  }

  /// The graph that the calling thread is in, for somebody who may resume it on any thread.
  static func currentGraph(of container: Container) -> GraphIdentifier? {
    let graph = current(of: container)?.graph
    graph?.resolution.share()
    return graph
  }

  /// Runs `body` one level deeper in the run that the calling thread is in, or else in a new one.
  static func nested<Result>(in container: Container, _ body: (Run) -> Result) -> Result {
    current(of: container)?.deeper(body) ?? Run(container).perform(body)
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
    for storage in storages { storage.completeGraph() }
    for graph in held { graph.resolution.endRun() }
    if ownsParent { parent?.end() }
  }
}
