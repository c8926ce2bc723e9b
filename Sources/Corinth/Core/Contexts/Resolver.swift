// SPDX-License-Identifier: MIT

/// Resolves the dependencies of a factory, which receives the resolver.
///
/// ```swift
/// try container.register(Database.self) { resolver in
///   MySQL(log: try resolver.resolve(Logger.self))
/// }
/// ```
///
/// A resolve through the resolver takes part in the factory's resolution: a cycle through a shared
/// instance is found even if the factory hands the resolver to a second thread and waits for the
/// thread. Hand the resolver only to threads and tasks that the factory waits for: elsewhere a
/// resolve may throw a cycle error for a wait that would have ended, or the error that the
/// construction was abandoned or cancelled.
///
/// A construction is cancelled with the last resolve that waits for the construction. Every
/// `resolveAsync` through the resolver then throws a `CancellationError`, also in tasks that the
/// cancellation itself does not reach.
///
/// A stored resolver, used after the return of the factory, starts a resolution of its own. A
/// resolver does not keep the container alive.
///
/// ## Concurrency
/// Safe to use from any thread, and to store.
@frozen
public struct Resolver: Sendable {
  @usableFromInline let registry: ContainerCore

  /// The construction that the resolver was made for: the innermost shared instance being built.
  @usableFromInline let construction: ResolutionContext?

  @inlinable @inline(__always)
  init(registry: ContainerCore, construction: ResolutionContext?) {
    self.registry = registry
    self.construction = construction
  }
}

extension Resolver {
  /// Whether decorators or behaviors may apply to instances built in the container. Asked first by
  /// constructions: without any, nested constructions take less of the stack.
  var isComposed: Bool { Composition.isUsed ? registry.isComposed : false }
}

/// A resolver for the duration of a call, without reference counting.
///
/// A ``Resolver`` is two references. The optimizer passes a single reference at +0, but counts two
/// references combined in a value. The container's count is written by all threads.
@usableFromInline
@safe
// SAFETY: constant, and the objects are Sendable.
@frozen
struct UncountedResolver: @unchecked Sendable {
  @usableFromInline let registry: Unmanaged<ContainerCore>
  @usableFromInline let construction: Unmanaged<ResolutionContext>?

  @inlinable @_transparent
  init(registry: ContainerCore, construction: ResolutionContext?) {
    unsafe self.registry = .passUnretained(registry)
    if let construction {
      unsafe self.construction = .passUnretained(construction)
    } else {
      unsafe self.construction = nil
    }
  }

  @inlinable @_transparent
  init(_ resolver: Resolver) {
    // SAFETY: a resolver is these two words.
    unsafe self = unsafeBitCast(resolver, to: Self.self)
  }

  /// - Parameters:
  ///   - registry: kept alive by the caller, as is `construction`.
  @inline(__always)
  init(_ registry: Unmanaged<ContainerCore>, _ construction: Unmanaged<ResolutionContext>) {
    unsafe self.registry = registry
    unsafe self.construction = construction
  }

  /// As ``Resolver/isComposed``.
  @inline(__always)
  var isComposed: Bool {
    Composition.isUsed ? unsafe registry._withUnsafeGuaranteedRef { $0.isComposed } : false
  }

  /// The resolver.
  var counted: Resolver {
    // SAFETY: the two words of a resolver; the callee's caller keeps the objects alive.
    unsafe unsafeBitCast(self, to: Resolver.self)
  }
}
