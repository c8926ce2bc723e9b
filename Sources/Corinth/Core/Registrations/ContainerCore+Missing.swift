// SPDX-License-Identifier: MIT

/// The error of a missing key.
extension ContainerCore {
  @usableFromInline @inline(never)
  func missing(
    _ product: any Any.Type, name: Name?, arguments: (any Any.Type)? = nil
  ) -> ResolutionError {
    missing(RegistrationKey(product: product, name: name, arguments: arguments))
  }

  /// The error of a resolve without a registration. Reports the failed lookup to the behaviors.
  func notFound(_ key: RegistrationKey) -> ResolutionError {
    let error = missing(key)
    didNotFind(key, error)
    return error
  }

  /// Collects the facts of the error's text at once: errors are stored and logged after the end of
  /// the container, and must not keep the container alive.
  ///
  /// - Parameter purpose: why the key was looked up.
  func missing(
    _ key: RegistrationKey, for purpose: NearMisses.Purpose = .resolving
  ) -> ResolutionError {
    table.checkImage()
    if !hasOwner { return .containerGone(.init(refusing: key)) }
    if selfAndAncestors.contains(where: \.isRefused) { return .scopeRefused(.init(refusing: key)) }
    if let closed = firstClosed(lookingFor: key) {
      let hint = closed.hintOfClosed
      return .containerClosed(ResolutionError.Context(refusing: key, suggestions: { [hint] }))
    }
    let undeclared = hintAboutUndeclaredInput(key)
    let nearMisses = nearMisses(of: key, for: purpose)
    let hintAboutChildren =
      hasRegistrationsBelow && !nearMisses.hasCandidates && undeclared == nil
      ? "a child or scope may have it: what a container shares resolves where it is registered, and not in the child that asks."
      : nil
    var named: (@Sendable () -> [RegistrationKey])?
    if nearMisses.hasCandidates { named = { nearMisses.keys } }
    return .noRegistrationFound(
      ResolutionError.Context(refusing: key, naming: named) {
        Self.hints(undeclared, nearMisses) + (hintAboutChildren.map { [$0] } ?? [])
      })
  }

  /// The hint of a resolve after the end. Debug builds know the location of `close`.
  private var hintOfClosed: String {
    guard isScope, let made = scopeLocation else {
      return "resolve before close() or shutdown(); a container does not open again."
    }
    var closed: String?
    #if DEBUG
      closed = closeLocation.value.map { " at \($0)" }
    #endif
    return
      "its request scope, made at \(made), has been closed\(closed ?? ""): resolve before that, or make another scope."
  }

  /// Hints about a missing key.
  func suggestions(
    for key: RegistrationKey, _ purpose: NearMisses.Purpose = .resolving
  ) -> [String] {
    Self.hints(hintAboutUndeclaredInput(key), nearMisses(of: key, for: purpose))
  }

  private static func hints(_ undeclared: String?, _ nearMisses: NearMisses) -> [String] {
    guard let undeclared else { return nearMisses.hints }
    return [undeclared] + (nearMisses.hasCandidates ? nearMisses.hints : [])
  }

  /// The registrations similar to a missing key, from the container, the ancestors and the base of
  /// a fork, as visible here.
  private func nearMisses(of key: RegistrationKey, for purpose: NearMisses.Purpose) -> NearMisses {
    var nearMisses = NearMisses(of: key, for: purpose)
    for core in searched where !core.table.isEmpty {
      core.extras.similarSlots.forEachKey(like: key, in: core.table) { candidate, start in
        guard nearMisses.mayHave(candidate), core === self || !nearMisses.has(candidate),
          let record = visibleRegistration(of: candidate),
          // A forward that leads back to the missing key is no help.
          record.forwardedKey != key
        else { return false }
        nearMisses.add(
          candidate, sharing: start, at: record.location, position: record.position)
        return true
      }
    }
    return nearMisses
  }

  /// The registration a resolve from here would find, unless built by its caller. Adopts nothing.
  private func visibleRegistration(of key: RegistrationKey) -> RegistrationRecord? {
    withExtendedLifetime(key) { registration(of: KeyWords(key), at: .max)?.record }
  }
}
