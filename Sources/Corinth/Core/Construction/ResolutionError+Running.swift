// SPDX-License-Identifier: MIT

extension ResolutionError {
  /// The error as thrown through the factories running on the calling thread or task.
  ///
  /// ```swift
  /// do {
  ///   return try container.resolve(Mailer.self)
  /// } catch let error as ResolutionError {
  ///   fatalError("\(error.throughRunningFactories)")
  /// }
  /// ```
  ///
  /// For a factory that cannot throw: the program ends where the error is found, and the path says
  /// how it came there. The path has the shared instances under construction, no transients.
  ///
  /// - Complexity: O(*n*) in the number of instances under construction.
  package var throughRunningFactories: ResolutionError {
    let running = ResolutionContext.current?.unfinishedChain ?? []
    return running.compactMap(\.asConstruction).reduce(self) { error, construction in
      let slot = construction.container.ownSlot(of: construction.key)
      return slot?.withRegistration { ResolutionError(error, thrownBy: $0) } ?? error
    }
  }
}
