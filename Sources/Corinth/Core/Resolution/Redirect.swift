// SPDX-License-Identifier: MIT

/// An instance and the registration that served, overridden or not since; `nil` if derived.
typealias Served = (box: AnyInstanceBox, record: RegistrationRecord?)

/// How a resolve that builds nothing goes on: with further keys, whose instances make its own.
///
/// Redirections tell a task how to resolve forwards, derived products, optionals, collections and
/// lazy values. A thread goes on at once, by static types.
struct Redirect {
  enum Goal {
    /// The instance of every key. A missing key is an error.
    case each
    /// The instance of the first registered key, if any.
    case first
    /// The instances of all registered keys, in a single resolution.
    case all
  }

  let goal: Goal
  let keys: [RegistrationKey]
  var arguments: AnyArguments?
  /// The observation in which the keys are resolved, if observed.
  var observation: Observation?
  let finish: ([Served]) throws -> AnyInstanceBox
}

/// A registration whose factory resolves further keys, and builds nothing else.
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
  /// The instance of a box that holds an instance of a type, or of the type's optional.
  func optional<Product>(of product: Product.Type) -> Product? {
    (self as? InstanceBox<Product?>)?.instance ?? instance(of: product)
  }
}
