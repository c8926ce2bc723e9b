// SPDX-License-Identifier: MIT

/// Resolutions that functions of one container share, wherever they call each other.
extension Container {
  /// Runs `body` in the resolution that this function runs around the call, for this container, or else in a new one.
  ///
  /// ```swift
  /// func page(_ number: Int) -> Page {
  ///   pages.withOwnResolution { resolution in
  ///     if let page = resolution.instance(of: Page.self, name: Name(number)) { return page }
  ///     let page = Page(number)
  ///     resolution.publish(page, name: Name(number))
  ///     page.links = links(of: number).map { self.page($0) }  // in the same resolution: cycles close
  ///     return page
  ///   }
  /// }
  /// ```
  ///
  /// It ends with the outermost call. Unlike ``Resolving/withResolution(_:)`` it does not join a resolution that other code
  /// has begun, and does join its own one from within any construction that has begun in it.
  ///
  /// - Parameter body: gets the resolution. It runs on the calling thread.
  /// - Returns: the result of `body`.
  /// - Complexity: O(*n*) in the number of constructions that the calling thread runs, plus the time of `body`.
  ///
  /// Lock-free.
  @usableFromInline
  package func withOwnResolution<Result>(
    _ body: (Resolution) throws -> Result
  ) rethrows -> Result {
    try registry.withOwnResolution { context in try body(Resolution(registry, context)) }
  }

  /// The resolution that ``withOwnResolution(_:)`` of this container runs around the call; `nil` outside of it.
  ///
  /// - Complexity: O(*n*) in the number of constructions that the calling thread runs.
  ///
  /// Lock-free.
  @usableFromInline
  package var ownResolution: Resolution? {
    registry.ownResolution.map { Resolution(registry, $0) }
  }
}
