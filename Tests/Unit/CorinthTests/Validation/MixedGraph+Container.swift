// SPDX-License-Identifier: MIT

import Corinth

extension MixedGraph.Need {
  /// The type of a parameter that is given this.
  var type: any Resolvable.Type {
    func type<L: PieceLabel>(_: L.Type) -> any Resolvable.Type {
      switch form {
      case .plain, .argument: Named<Piece<L.Side>, L>.self
      case .optional: Named<Piece<L.Side>, L>?.self
      case .lazy: Lazy<Named<Piece<L.Side>, L>>.self
      case .provider: Provider<Named<Piece<L.Side>, L>>.self
      case .lazyOptional, .optionalLazy: Lazy<Named<Piece<L.Side>, L>>?.self
      case .optionalProvider: Provider<Named<Piece<L.Side>, L>>?.self
      case .optionalNamed: Named<Piece<L.Side>, L>?.self
      case .all: [Piece<L.Side>].self
      case .input: Request.self
      }
    }
    return type(PieceLabels.all[target])
  }

  var key: RegistrationKey {
    func withArgument<L: PieceLabel>(_: L.Type) -> RegistrationKey {
      RegistrationKey(Piece<L.Side>.self, name: L.name, arguments: Int.self)
    }
    return form == .argument ? withArgument(PieceLabels.all[target]) : type.key
  }

  func resolve(_ resolver: Resolver) throws -> any Resolvable {
    func special<L: PieceLabel>(_: L.Type) throws -> any Resolvable {
      form == .argument
        ? try resolver.resolve(Piece<L.Side>.self, name: L.name, arguments: 7)
        : try resolver.resolveIfRegistered(Piece<L.Side>.self, name: L.name)
    }
    switch form {
    case .argument, .optional: return try special(PieceLabels.all[target])
    case .optionalLazy, .optionalProvider, .optionalNamed:
      return try type.resolveIfRegistered(by: resolver)
    case .lazyOptional:
      return (try? Self(form: .lazy, target: target).resolve(resolver)) ?? Request?.none
    default: return try type.resolve(by: resolver)
    }
  }

  func resolveAsync(_ resolver: Resolver) async throws -> any Resolvable {
    func special<L: PieceLabel>(_: L.Type) async throws -> any Resolvable {
      form == .argument
        ? try await resolver.resolveAsync(Piece<L.Side>.self, name: L.name, arguments: 7)
        : try await resolver.resolveAsyncIfRegistered(Piece<L.Side>.self, name: L.name)
    }
    switch form {
    case .argument, .optional: return try await special(PieceLabels.all[target])
    case .optionalLazy, .optionalProvider, .optionalNamed:
      return try await type.resolveAsyncIfRegistered(by: resolver)
    case .lazyOptional: return try resolve(resolver)
    default: return try await type.resolveAsync(by: resolver)
    }
  }
}

extension MixedGraph {
  /// The container that is asked, and the one around it.
  func makeContainer() throws -> (asked: Container, outer: Container) {
    let outer = Container()
    if hasInput { try outer.registerInput(Request.self) }
    for node in nodes where !node.isInner { try node.register(in: outer) }
    let asked =
      switch relation {
      case .alone: outer
      case .child: Container(parent: outer)
      case .fork: outer.fork()
      }
    for node in nodes where node.isInner { try node.register(in: asked) }
    return (asked, outer)
  }
}

extension MixedGraph.Node {
  fileprivate func register(in container: Container) throws {
    try register(PieceLabels.all[number], in: container)
  }

  private func register<L: PieceLabel>(_: L.Type, in container: Container) throws {
    let needs = needs
    let type = Piece<L.Side>.self
    let isWired = knowledge == .wired && !needs.isEmpty
    let throwsError = throwsError
    let make: @Sendable (Resolver) throws -> Piece<L.Side> = { r in
      let held = try needs.map { try $0.resolve(r) }
      if throwsError { throw BrokenPiece() }
      return Piece(held)
    }
    func wire<A: Resolvable>(_: A.Type) throws -> Registration<Piece<L.Side>> {
      if case .asynchronous = kind {
        return try container.wireAsync(type, name: L.name, using: { (a: A) in Piece([a]) })
      }
      return try container.wire(type, name: L.name, using: { (a: A) in Piece([a]) })
    }
    func forward<M: PieceLabel>(to _: M.Type) throws {
      try container.forward(type, name: L.name, to: Piece<M.Side>.self, targetName: M.name)
    }
    switch kind {
    case .forward(let target): try forward(to: PieceLabels.all[target])
    case .value: try container.register(value: Piece([]), as: type, name: L.name)
    case .decorator:
      try container.decorate(type) { piece, r in
        let decorated = try make(r)
        decorated.add([piece])
        return decorated
      }
    case .withArgument:
      modify(try container.register(type, name: L.name) { (r, _: Int) in try make(r) })
    case .synchronous where isWired, .asynchronous where isWired:
      modify(try wire(needs[0].type))
    case .synchronous: modify(try container.register(type, name: L.name, factory: make))
    case .asynchronous:
      modify(
        try container.registerAsync(type, name: L.name) { r in
          var held: [any Resolvable] = []
          for need in needs { held.append(try await need.resolveAsync(r)) }
          if throwsError { throw BrokenPiece() }
          return Piece(held)
        })
    }
  }

  private func modify<Side>(_ registration: Registration<Piece<Side>>) {
    let actions = needsOfAction
    if !actions.isEmpty, awaitsInAction {
      registration.afterInit { r, piece async throws in
        for need in actions { piece.add([try await need.resolveAsync(r)]) }
      }
    } else if !actions.isEmpty {
      registration.afterInit { r, piece in piece.add(try actions.map { try $0.resolve(r) }) }
    }
    if knowledge == .declared { registration.dependsOn(keys: (needs + actions).map(\.key)) }
    switch lifetime {
    case .transient: break
    case .graph: registration.as(.graph)
    case .singleton: registration.as(.singleton)
    case .weak: registration.as(.weak)
    case .cached: registration.as(.cached(for: .seconds(3_600)))
    case .scoped: registration.as(.scoped)
    }
    if isEager { registration.eager() }
  }
}

extension MixedGraph {
  /// Resolves a key with or without an argument.
  static func resolve(_ key: RegistrationKey, in container: Container) async throws -> AnyPiece {
    func resolve<L: PieceLabel>(_: L.Type) async throws -> AnyPiece? {
      if L.name != key.name { return nil }
      return key.arguments == nil
        ? try await container.resolveAsync(Piece<L.Side>.self, name: L.name)
        : try await container.resolveAsync(Piece<L.Side>.self, name: L.name, arguments: 7)
    }
    for label in PieceLabels.all {
      if let piece = try await resolve(label) { return piece }
    }
    preconditionFailure("MixedGraph.resolve: \(key) is none of a graph")
  }
}
