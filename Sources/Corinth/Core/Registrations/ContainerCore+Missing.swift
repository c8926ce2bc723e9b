// SPDX-License-Identifier: MIT

/// The error of a key that nothing is registered under.
extension ContainerCore {
  @usableFromInline @inline(never)
  func missing(
    _ product: any Any.Type, name: Name?, arguments: (any Any.Type)? = nil
  ) -> ResolutionError {
    missing(RegistrationKey(product: product, name: name, arguments: arguments))
  }

  func missing(_ key: RegistrationKey) -> ResolutionError {
    // Errors are kept and logged: one must not keep a container alive.
    let context = ResolutionError.Context(missing: key) { [weak self] in
      self?.suggestions(for: key) ?? []
    }
    if owner == nil { return .containerGone(context) }
    return selfAndAncestors.contains(where: \.isClosed)
      ? .containerClosed(context) : .noRegistrationFound(context)
  }

  /// What to do about a missing key, found by a walk over all keys of the container and its ancestors.
  private func suggestions(for key: RegistrationKey) -> [String] {
    // The walk goes from the newest registration to the oldest.
    var nearMisses = NearMisses(of: key)
    forEachRegistrationOfSelfAndAncestors { nearMisses.consider($0.key, at: $0.location) }
    return nearMisses.hints
  }
}
