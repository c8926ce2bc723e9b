// SPDX-License-Identifier: MIT

extension Registration {
  /// Serves the same instances under another type too, for as long as nothing is registered under that.
  ///
  /// ```swift
  /// try container.register(Mailer.self) { _ in Mailer() }.implying(Mailer?.self)
  /// let mailer: Mailer? = try container.resolve(Mailer?.self)
  /// ```
  ///
  /// A registration of the other type, here or in a parent, always wins, whichever comes first. The implied one ends
  /// with this registration: when that is removed, or overridden by one that does not imply the same. When several
  /// imply one type, the last one serves it. It is found by resolves in this container, not by those in its children:
  /// use ``implements(_:)`` for these.
  ///
  /// - Parameter other: the optional of the product, a protocol or a superclass of it. This is checked when it is
  ///   resolved: the underlying error of its ``ResolutionError`` says so.
  /// - Complexity: O(1) amortised. Resolves of registered keys take no longer because of it.
  ///
  /// Takes the container's writer lock.
  @discardableResult
  public func implying<Other>(_ other: Other.Type) -> Self {
    let core = container.registry
    core.implicitRegistrations().imply(other, by: key, at: location, in: core)
    modify { attributes in
      let type = ObjectIdentifier(other)
      if !attributes.implied.contains(type) { attributes.implied.append(type) }
    }
    return self
  }
}
