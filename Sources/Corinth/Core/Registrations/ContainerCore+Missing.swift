// SPDX-License-Identifier: MIT

/// The error of a missing key.
extension ContainerCore {
  @usableFromInline @inline(never)
  func missing(
    _ product: any Any.Type, name: Name?, arguments: (any Any.Type)? = nil
  ) -> ResolutionError {
    missing(RegistrationKey(product: product, name: name, arguments: arguments))
  }

  func missing(_ key: RegistrationKey) -> ResolutionError {
    // Errors are stored and logged: they must not keep a container alive.
    let context = ResolutionError.Context(missing: key) { [weak self] in
      self?.suggestions(for: key) ?? []
    }
    if owner == nil { return .containerGone(context) }
    if selfAndAncestors.contains(where: \.isRefused) { return .scopeRefused(context) }
    return selfAndAncestors.contains(where: \.isClosed)
      ? .containerClosed(context) : .noRegistrationFound(context)
  }

  /// Hints about a missing key, found by a walk over all keys of the container and its ancestors.
  private func suggestions(for key: RegistrationKey) -> [String] {
    // The walk goes from the newest registration to the oldest.
    var nearMisses = NearMisses(of: key)
    forEachRegistrationOfSelfAndAncestors { nearMisses.consider($0.key, at: $0.location) }
    return nearMisses.hints
  }
}
