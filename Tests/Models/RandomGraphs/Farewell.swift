// SPDX-License-Identifier: MIT

/// A use of containers in the deinit of a product.
public enum Farewell: Equatable, Sendable {
  /// A resolve of a service of the graph, which may be under construction: an instance or an error,
  /// never a hang.
  case service(Int)
  /// A deed with instances and keys that the oracle does not count.
  case deed(Deed)

  public enum Deed: String, CaseIterable, Sendable {
    /// A resolve of a shared instance, which may be under construction.
    case resolve
    /// A use of an injected property.
    case injected
    /// A registration, a resolve, an override and a removal of a key that nothing else uses.
    case register
    /// A request scope, from its making to its closing.
    case scope
    /// A release of a shared instance, whose deinit resolves another one.
    case release
    /// A child container that is dropped without having disposed of its instance.
    case child
    /// A resolve of an instance whose action fails, and whose deinit resolves another one.
    case failing
    /// A wait for a thread that registers and builds something.
    case join
  }
}

extension Farewell: CustomStringConvertible {
  /// Its word in the text of a graph.
  public var description: String {
    switch self {
    case .service(let index): "deinit:s\(index)"
    case .deed(let deed): "deinit:\(deed.rawValue)"
    }
  }

  /// Reads what follows `deinit:`.
  init?(_ word: Substring) {
    if let deed = Deed(rawValue: String(word)) {
      self = .deed(deed)
    } else if word.hasPrefix("s"), let index = Int(word.dropFirst()) {
      self = .service(index)
    } else {
      return nil
    }
  }

  /// The service of the graph that it resolves.
  var target: Int? {
    if case .service(let index) = self { index } else { nil }
  }

  /// The same in a graph without a service: `nil` if it is the target.
  func removing(_ removed: Int) -> Farewell? {
    guard case .service(let index) = self else { return self }
    if index == removed { return nil }
    return .service(index > removed ? index - 1 : index)
  }
}

extension GraphDescription {
  /// Whether a product may resolve services in its deinit, or a behavior. The product may die amid
  /// any construction, whose thread then needs its own end: an error of a cycle that no
  /// factory has.
  var mayResolveAtTheEnd: Bool { !resolvedAnywhere.isEmpty }

  /// The services that deinits and behaviors resolve, inside of any construction.
  var resolvedAnywhere: [Int] {
    services.flatMap { $0.farewells.compactMap(\.target) } + watchers.compactMap(\.target)
  }

  /// Removes what a deinit cannot resolve: services that the container of the product does not see,
  /// or that belong to request scopes.
  ///
  /// Nor services whose factories join threads or tasks: a product may die on one that is joined,
  /// past the resolve that it was begun for. Its deinit would wait for its own thread, and only the
  /// user could know. For the same reason no deinit joins threads if others resolve services: it
  /// may run inside of any of them, and others on the thread that it waits for.
  mutating func keepFarewellsPlain() {
    keepTargetsOrJoins()
    let all = self
    let areResolvable = areResolvableAnywhere
    for index in services.indices {
      let isForward = all.services[index].lifetime == .forward
      services[index].farewells.removeAll { farewell in
        guard let target = farewell.target else { return isForward }
        let lineage = all.lineage(of: all.services[index].container)
        return isForward || !lineage.contains(all.services[target].container)
          || !areResolvable[target]
      }
    }
  }

  /// For each service, whether a resolve inside of any construction may ask for the service.
  var areResolvableAnywhere: [Bool] {
    let joins = services.map { $0.needs.contains(where: \.route.isJoined) }
    let reach = GraphAnalysis.closure(of: services.map { $0.needs.map(\.target) })
    return services.indices.map { index in
      !reachesScoped(index) && !joins[index] && !reach[index].contains { joins[$0] }
    }
  }
}

extension GraphDescription {
  /// Keeps the deinits that resolve services, unless one that joins a thread comes first.
  private mutating func keepTargetsOrJoins() {
    let kinds = services.flatMap(\.farewells).filter { $0.target != nil || $0 == .deed(.join) }
    let watchersAsk = watchers.contains { $0.target != nil }
    guard watchersAsk || !kinds.isEmpty else { return }
    let joinFirst = !watchersAsk && kinds[0].target == nil
    for index in services.indices {
      services[index].farewells.removeAll {
        joinFirst ? $0.target != nil : $0 == .deed(.join)
      }
    }
  }
}

extension Need.Route {
  /// Whether the factory waits for another thread or task.
  fileprivate var isJoined: Bool {
    switch self {
    case .thread, .childTask, .task, .detachedTask: true
    default: false
    }
  }
}
