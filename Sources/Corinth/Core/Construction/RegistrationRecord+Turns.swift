// SPDX-License-Identifier: MIT

/// Runs of a block in turn, like constructions of one instance, without leaving an instance.
extension RegistrationRecord {
  /// Runs `body` inside a construction. Concurrent callers wait for the end, and then run theirs.
  ///
  /// - Returns: `nil` if the wait for a turn would never end, and the turn lets such waits go.
  final func takeTurn<Result>(_ body: (Construction) throws -> Result) throws -> Result? {
    guard let construction = try claimTurn() else { return nil }
    construction.enterForBuilding(in: owner)
    defer {
      construction.leave()
      construction.drop()
      construction.release()
    }
    return try body(construction)
  }

  private func claimTurn() throws(ResolutionError) -> Construction? {
    var earlier = EarlierAttempts()
    // Resolves in the block stay in the resolution around.
    let requester = ResolutionContext.unfinished(.current)
    while true {
      guard load().isEmpty else {
        let outcome = WaitForGraph.wait(for: .state(self), requestedBy: requester, after: earlier)
        if try box(after: outcome, &earlier) != nil { return nil }
        continue
      }
      // Not shared: the construction has no instance to lend early.
      let construction = unsafe Construction.begin(
        of: self, in: owner, requestedBy: requester, isShared: false)
      guard unsafe claim(construction, replacing: .empty) else {
        unsafe construction.release()
        continue
      }
      // SAFETY: the reference of the state.
      unsafe construction._withUnsafeGuaranteedRef {
        $0.takeReferences()
        unsafe $0.own(.state(self))
      }
      return unsafe construction.takeUnretainedValue()
    }
  }
}

extension Construction {
  /// The box that ends waits for a turn.
  private static let pass = InstanceBox<Void>(())

  /// Ends waits for this turn that would never end, from now on: for these waits, the turn is over.
  func openTurn() {
    WaitForGraph.withLock { _ in links.pass = Self.pass }
  }
}
