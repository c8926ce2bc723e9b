// SPDX-License-Identifier: MIT

/// The error of a missing key.
extension ContainerCore {
  @usableFromInline @inline(never)
  func missing(
    _ product: any Any.Type, name: Name?, arguments: (any Any.Type)? = nil
  ) -> ResolutionError {
    missing(RegistrationKey(product: product, name: name, arguments: arguments))
  }

  /// The error of a resolve that has found no registration, of which the behaviours are told.
  func notFound(_ key: RegistrationKey) -> ResolutionError {
    let error = missing(key)
    didNotFind(key, error)
    return error
  }

  /// - Parameter purpose: what the key was looked up for.
  func missing(
    _ key: RegistrationKey, for purpose: NearMisses.Purpose = .resolving
  ) -> ResolutionError {
    // Errors are stored and logged: they must not keep a container alive.
    let context = ResolutionError.Context(missing: key) { [weak self] in
      self?.suggestions(for: key, purpose)
        ?? ["print the error while its container lives: it names similar registrations then."]
    }
    if owner == nil { return .containerGone(context) }
    if selfAndAncestors.contains(where: \.isRefused) { return .scopeRefused(context) }
    guard let closed = searched.first(where: \.isClosed) else {
      if purpose == .overriding {
        // Looked for at once: the container is often a fork that ends with the error.
        let hints = suggestions(for: key, purpose)
        return .noRegistrationFound(ResolutionError.Context(missing: key) { hints })
      }
      return .noRegistrationFound(context)
    }
    let hint =
      closed.isScope
      ? "its request scope has been closed: resolve before that, or make another scope."
      : "resolve before close() or shutdown(); a container does not open again."
    return .containerClosed(ResolutionError.Context(missing: key) { [hint] })
  }

  /// Hints about a missing key, found by a walk over all keys of the container and its ancestors.
  private func suggestions(for key: RegistrationKey, _ purpose: NearMisses.Purpose) -> [String] {
    // The walk goes from the newest registration to the oldest.
    var nearMisses = NearMisses(of: key, for: purpose)
    forEachRegistrationOfSelfAndAncestors {
      // What a caller has built is of the container that it was asked in: forks are not told of it.
      if !$0.isBuiltByItsCaller { nearMisses.consider($0.key, at: $0.location) }
    }
    return (hintAboutUndeclaredInput(key).map { [$0] } ?? []) + nearMisses.hints
  }
}
