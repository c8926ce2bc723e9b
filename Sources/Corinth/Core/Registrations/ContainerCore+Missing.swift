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
    // Errors are stored and logged: they must not keep a container alive. One is often printed when its scope or its
    // fork is gone: the nearest container that is left is asked then.
    let undeclared = hintAboutUndeclaredInput(key).map { [$0] } ?? []
    let outer = hasParent || fork != nil ? searched.dropFirst().map(WeakCore.init) : []
    let context = ResolutionError.Context(missing: key) { [weak self] in
      if let self { return undeclared + similar(to: key, for: purpose) }
      for case let core? in outer.lazy.map(\.core) {
        return undeclared + core.similar(to: key, for: purpose, asSeenFromInner: true)
      }
      return undeclared
        + ["print the error while its container lives: it names similar registrations then."]
    }
    if owner == nil { return .containerGone(context) }
    if selfAndAncestors.contains(where: \.isRefused) { return .scopeRefused(context) }
    guard let closed = firstClosed(lookingFor: key) else {
      return .noRegistrationFound(context)
    }
    let hint =
      closed.isScope
      ? "its request scope has been closed: resolve before that, or make another scope."
      : "resolve before close() or shutdown(); a container does not open again."
    return .containerClosed(ResolutionError.Context(missing: key) { [hint] })
  }

  /// Hints about a missing key.
  func suggestions(for key: RegistrationKey) -> [String] {
    (hintAboutUndeclaredInput(key).map { [$0] } ?? []) + similar(to: key, for: .resolving)
  }

  /// Hints about registrations that resemble a missing key, found by a walk over all keys of the container and its
  /// ancestors.
  ///
  /// - Parameter asSeenFromInner: whether the key is missing in a child, a scope or a fork of this container.
  private func similar(
    to key: RegistrationKey, for purpose: NearMisses.Purpose, asSeenFromInner: Bool = false
  ) -> [String] {
    // The walk goes from the newest registration to the oldest.
    var nearMisses = NearMisses(of: key, for: purpose)
    forEachRegistrationOfSelfAndAncestors {
      // What a caller has built is of the container that it was asked in: forks are not told of it.
      if $0.isBuiltByItsCaller { return }
      // It leads back to the missing key.
      if $0.forwardedKey == key { return }
      // A fork has removed it.
      if asSeenFromInner, purpose == .resolving, $0.key == key { return }
      nearMisses.consider($0.key, at: $0.location)
    }
    return nearMisses.hints
  }
}

private struct WeakCore: Sendable {
  weak var core: ContainerCore?

  init(_ core: ContainerCore) {
    self.core = core
  }
}
