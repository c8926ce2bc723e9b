// SPDX-License-Identifier: MIT

/// The edges of a key, looked up as a resolve looks keys up, derived products included.
extension RegistrationGraph {
  /// The edges of a wired parameter. An optional is `nil` if the wrapped type is missing.
  mutating func edges(
    toParameter key: RegistrationKey, in container: ContainerCore, from origin: Int
  ) -> [Edge] {
    guard !isRegistered(key, in: container),
      let wrapped = wrappedType(ofOptional: key.product)
    else { return edges(to: key, in: container, .factory, from: origin) }
    let content = RegistrationKey(product: wrapped, name: key.name, arguments: key.arguments)
    let found = edges(to: content, in: container, .factory, from: origin)
    return found.contains(where: \.isMissing) ? [] : found
  }

  /// The edges of a recorded dependency.
  ///
  /// - Parameter isWired: whether the parameters are all that the factory requires.
  mutating func edges(
    to dependency: RecordedDependency, in container: ContainerCore, ofWired isWired: Bool,
    from origin: Int
  ) -> [Edge] {
    let found = edges(to: dependency.key, in: container, dependency.timing, from: origin)
    // The factory has failed, and may need the key later only: a registration proves no need.
    if dependency.wasMissing { return found.filter(\.isMissing) }
    // An element, or an optional parameter's target, may have been removed since the recording.
    let mayBeMissing =
      dependency.key.isContribution || isWired
      || dependency.timing == .elsewhere || dependency.isOptional
    return mayBeMissing ? found.filter { !$0.isMissing } : found
  }

  /// The edges of a resolve of a key.
  mutating func edges(
    to key: RegistrationKey, in container: ContainerCore, _ timing: RecordedDependency.Timing,
    from origin: Int?
  ) -> [Edge] {
    if let ending {
      let records = ending.registrations(of: key, from: container)
      if !records.isEmpty {
        return records.map { edge(to: $0, in: container, timing, from: origin) }
      }
    } else if let record = container.registeredSlot(of: key)?.registration {
      return [edge(to: record, in: container, timing, from: origin)]
    }
    guard let derived = key.derived else {
      return [Edge(target: .missing(key), timing: timing, kind: .direct)]
    }
    let content = RegistrationKey(product: derived.content, name: derived.contentName(key.name))
    switch derived.dependencyKind {
    case .lazy, .provider:
      var found = edges(to: content, in: container, timing.ofLaterResolve, from: origin)
      let kind: DependencyKind = derived.dependencyKind == .lazy ? .lazy : .provider
      for index in found.indices { found[index].kind = kind }
      return found
    case .collection where key.name == nil:
      return edges(toElementsOf: key, derived.content, in: container, timing, from: origin)
    case .required where key.name == nil:
      return edges(to: content, in: container, timing, from: origin)
    case .container where key.name == nil:
      return []
    case .required, .optional, .collection, .argument, .container:
      // The product has no name of its own: a key with a name leads nowhere.
      return [Edge(target: .missing(key), timing: timing, kind: .direct)]
    }
  }

  private mutating func edges(
    toElementsOf array: RegistrationKey, _ element: any Any.Type, in container: ContainerCore,
    _ timing: RecordedDependency.Timing, from origin: Int?
  ) -> [Edge] {
    let registered = registrations(of: element, in: container)
    if !registered.isEmpty {
      return registered.map { edge(to: $0, in: container, timing, .collection, from: origin) }
    }
    // Deferred elements: an edge per registration of the content, resolved later.
    var content = element
    while let derived = derivedProduct(content), derived.isDerivedPerRegistration {
      content = derived.content
    }
    let records = content == element ? [] : registrations(of: content, in: container)
    if records.isEmpty {
      return [Edge(target: .missing(array), timing: timing, kind: .collection)]
    }
    return records.map {
      edge(to: $0, in: container, timing.ofLaterResolve, .collection, from: origin)
    }
  }

  private mutating func edge(
    to record: RegistrationRecord, in container: ContainerCore,
    _ timing: RecordedDependency.Timing, _ kind: DependencyKind? = nil, from origin: Int?
  ) -> Edge {
    Edge(
      target: .node(node(of: record, askedIn: container, from: origin)), timing: timing,
      kind: kind ?? (record.isInput ? .input : .direct))
  }

  private func isRegistered(_ key: RegistrationKey, in container: ContainerCore) -> Bool {
    guard let ending else { return container.registeredSlot(of: key) != nil }
    return !ending.registrations(of: key, from: container).isEmpty
  }

  private func registrations(
    of product: any Any.Type, in container: ContainerCore
  ) -> [RegistrationRecord] {
    if let ending { return ending.registrations(of: product, from: container) }
    let slots = try? container.collectedSlots(of: product)
    return (slots ?? []).compactMap(\.registration)
  }
}

extension RecordedDependency.Timing {
  fileprivate var ofLaterResolve: Self { self == .elsewhere ? .elsewhere : .later }
}

extension RegistrationGraph.Edge {
  var isMissing: Bool {
    if case .missing = target { true } else { false }
  }
}
