// SPDX-License-Identifier: MIT

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

  /// The resolver.
  var counted: Resolver {
    // SAFETY: the two words of a resolver; the callee's caller keeps the objects alive.
    unsafe unsafeBitCast(self, to: Resolver.self)
  }
}
