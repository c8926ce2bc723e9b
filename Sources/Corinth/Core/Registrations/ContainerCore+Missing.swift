// SPDX-License-Identifier: MIT

/// The errors of missing keys and of closed containers.
extension ContainerCore {
  func missing(_ product: any Any.Type, name: Name?) -> ResolutionError {
    missing(RegistrationKey(product: product, name: name))
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
    if let refusal = refusal(of: key, before: "resolve") { return refusal }
    let undeclared = hintAboutUndeclaredInput(key)
    let nearMisses = nearMisses(of: key, for: purpose)
    let hintAboutChildren =
      hasRegistrationsBelow && !nearMisses.hasCandidates && undeclared == nil
      ? "a child or scope may have it: what a container shares resolves where it is registered, and not in the child that asks."
      : nil
    var named: (@Sendable () -> [RegistrationKey])?
    if nearMisses.hasCandidates { named = { nearMisses.keys } }
    let isOfScope = scope != nil
    return .noRegistrationFound(
      ResolutionError.Context(refusing: key, naming: named) {
        Self.hints(undeclared, nearMisses, isOfScope: isOfScope)
          + (hintAboutChildren.map { [$0] } ?? [])
      })
  }

  /// The error of a container that is closed, or looks up the key in a closed container, or is a
  /// refused scope; `nil` for an open container.
  ///
  /// - Parameters:
  ///   - action: what the caller was to do before the end.
  ///   - note: whether the error is of an instance or of the container as a whole.
  func refusal(
    of key: RegistrationKey, before action: String, _ note: ResolutionError.Note? = nil
  ) -> ResolutionError? {
    if selfAndAncestors.contains(where: \.isRefused) {
      return .scopeRefused(.init(refusing: key, note))
    }
    guard let closed = firstClosed(lookingFor: key) else { return nil }
    let hint = closed.hintOfClosed(action)
    return .containerClosed(.init(refusing: key, note, suggestions: { [hint] }))
  }

  /// The hint after the end of this container. Debug builds know the call that closed it.
  private func hintOfClosed(_ action: String) -> String {
    // A version that ends with its container has no locations of its own.
    let base = baseOfLayer
    let container = base?.isClosed == true ? base ?? self : self
    var closed: String?
    #if DEBUG
      closed = container.closeLocation.value.map { " at \($0)" }
    #endif
    guard let made = container.location else {
      return "\(action) before close() or shutdown(); a container does not open again."
    }
    if container.isScope {
      return
        "its request scope, made at \(made), has been closed\(closed ?? ""): \(action) before that, or make another scope."
    }
    return
      "the container, made at \(made), has been closed\(closed ?? ""): \(action) before that; a container does not open again."
  }

  /// Hints about a missing key.
  ///
  /// - Parameter isOfScope: whether only request scopes ask for the key.
  func suggestions(
    for key: RegistrationKey, _ purpose: NearMisses.Purpose = .resolving, isOfScope: Bool = false
  ) -> [String] {
    Self.hints(
      hintAboutUndeclaredInput(key), nearMisses(of: key, for: purpose), isOfScope: isOfScope)
  }

  /// A hint for a missing key whose value was passed to the request scope.
  private func hintAboutUndeclaredInput(_ key: RegistrationKey) -> String? {
    guard key.name == nil, key.arguments == nil,
      visibleInputTypes.contains(where: { $0 == key.product })
    else { return nil }
    return
      "the request scope was made with \(key) as an input: declare it with `registerInput(\(expression(of: key.product)))` in the "
      + "container that scopes are made from."
  }

  private static func hints(
    _ undeclared: String?, _ nearMisses: NearMisses, isOfScope: Bool
  ) -> [String] {
    guard let undeclared else {
      return nearMisses.hints + (isOfScope ? nearMisses.hintAboutInput.map { [$0] } ?? [] : [])
    }
    return [undeclared] + (nearMisses.hasCandidates ? nearMisses.hints : [])
  }

  /// The registrations similar to a missing key, from the container, the ancestors and the base of
  /// a fork, as visible here.
  private func nearMisses(of key: RegistrationKey, for purpose: NearMisses.Purpose) -> NearMisses {
    var nearMisses = NearMisses(of: key, for: purpose)
    for core in searched where !core.table.isEmpty {
      for (candidate, start) in SimilarKeys(like: key, in: core.table).all {
        guard nearMisses.mayHave(candidate), core === self || !nearMisses.has(candidate),
          let record = visibleRegistration(of: candidate),
          // A forward that leads back to the missing key is no help.
          record.forwardedKey != key
        else { continue }
        nearMisses.add(
          candidate, sharing: start, at: record.location, position: record.position)
      }
    }
    return nearMisses
  }

  /// The registration a resolve from here would find. Adopts nothing.
  private func visibleRegistration(of key: RegistrationKey) -> RegistrationRecord? {
    withExtendedLifetime(key) { registration(of: KeyWords(key), at: .max)?.record }
  }
}

extension RegistrationKey {
  /// A key with arguments names no instance.
  func refuseArguments() throws(ResolutionError) {
    guard let arguments = argumentList else { return }
    throw .noRegistrationFound(
      ResolutionError.Context(
        refusing: RegistrationKey(product: product, name: name),
        suggestions: {
          [
            "the key that was asked for has arguments \(arguments): resolve(_:arguments:) takes them."
          ]
        }))
  }
}
