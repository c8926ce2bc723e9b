// SPDX-License-Identifier: MIT

/// An instance, and the registration that has served it, which may be another one by now; `nil` if it was derived.
typealias Served = (box: AnyInstanceBox, record: RegistrationRecord?)

/// How a resolve goes on that builds nothing itself: with other keys, whose instances make its own.
///
/// Forwards, derived products, optionals, collections and lazy values tell a task this. A thread goes on at once, by the
/// types that it knows.
struct Redirect {
  enum Goal {
    /// The instance of each key. One that is missing is an error.
    case each
    /// That of the first key that is not missing, if there is one.
    case first
    /// Those that are not missing, all in one resolution.
    case all
  }

  let goal: Goal
  let keys: [RegistrationKey]
  var arguments: AnyArguments?
  /// What its resolves run in, if that is observed.
  var observation: Observation?
  let finish: ([Served]) throws -> AnyInstanceBox
}

extension ContainerCore {
  /// Follows a redirection in a task. Asynchronous registrations are built one after the other.
  nonisolated(nonsending)
    func boxAsync(
      of redirect: Redirect, within context: ResolutionContext?
    ) async throws -> AnyInstanceBox
  {
    var own: ResolutionContext?
    if redirect.goal == .all, tracksResolutions, ResolutionContext.unfinished(context) == nil {
      own = GraphContext(in: self)
    }
    defer { own?.finish() }
    let observation = redirect.goal == .each ? redirect.observation : observationOfOptional
    var served: [Served] = []
    for key in redirect.keys where redirect.goal != .first || served.isEmpty {
      if redirect.goal != .each, registeredSlot(of: key) == nil {
        try throwIfClosed(lookingFor: key)
        continue
      }
      do {
        served.append(
          try await observation.aroundAsync {
            try await servedBoxAsync(
              of: key, arguments: redirect.arguments, within: own ?? context)
          })
      } catch {
        // One that has been removed meanwhile is left out.
        if redirect.goal == .each || !error.isMissing(key) { throw error }
      }
    }
    return try redirect.finish(served)
  }
}

/// A registration whose factory resolves other keys, and builds nothing else.
// SAFETY: see the superclass.
class RedirectingRecord: RegistrationRecord, @unchecked Sendable {
  func redirect(_ resolver: Resolver, _ arguments: AnyArguments?) throws -> Redirect {
    preconditionFailure("RedirectingRecord.redirect: must be overridden")
  }

  nonisolated(nonsending)
    final override func buildAsync(
      _ resolver: Resolver, _ arguments: AnyArguments?
    ) async throws -> AnyInstanceBox
  {
    try await resolver.registry.boxAsync(
      of: redirect(resolver, arguments), within: resolver.construction)
  }
}

extension AnyInstanceBox {
  /// The instance of a box that holds one of a type, or its optional.
  func optional<Product>(of product: Product.Type) -> Product? {
    (self as? InstanceBox<Product?>)?.instance ?? instance(of: product)
  }
}
