// SPDX-License-Identifier: MIT

/// A resolver for the time of one call, whose references are not counted.
///
/// A ``Resolver`` is two references. The optimizer passes one reference at +0, but counts both of two that become one value. All
/// threads write the container's count.
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
    // SAFETY: the same two words.
    unsafe self = unsafeBitCast(resolver, to: Self.self)
  }

  /// The resolver.
  var counted: Resolver {
    // SAFETY: the same; alive during the call that this is for.
    unsafe unsafeBitCast(self, to: Resolver.self)
  }
}
