// SPDX-License-Identifier: MIT

/// Runs of a block that take place one at a time, as constructions of one instance do, and leave no instance.
extension RegistrationRecord {
  /// Runs `body` inside of a construction. Others wait for its end, and run theirs then.
  ///
  /// - Returns: `nil` if the wait for another one would never end, and that one has been opened to such.
  final func takeTurn<Result>(_ body: (Construction) throws -> Result) throws -> Result? {
    guard let construction = try claimTurn() else { return nil }
    construction.enterForBuilding()
    defer {
      construction.leave()
      construction.drop()
      construction.release()
    }
    return try body(construction)
  }

  private func claimTurn() throws(ResolutionError) -> Construction? {
    var earlier = EarlierAttempts()
    // The block's resolves stay a part of the resolution around it.
    let requester = ResolutionContext.unfinished(.current)
    while true {
      guard case .empty = current else {
        let outcome = WaitForGraph.wait(for: self, requestedBy: requester, after: earlier)
        if try box(after: outcome, &earlier) != nil { return nil }
        continue
      }
      // Not shared: it has no instance that others could get early.
      let construction = unsafe Construction.begin(
        of: self, in: owner, requestedBy: requester, isShared: false)
      guard unsafe claim(construction, replacing: nil) else {
        unsafe construction.release()
        continue
      }
      // SAFETY: the reference of the state.
      unsafe construction._withUnsafeGuaranteedRef {
        $0.takeReferences()
        unsafe $0.own(self, replacing: nil)
      }
      return unsafe construction.takeUnretainedValue()
    }
  }
}

extension Construction {
  /// The box that waits for a turn end with.
  private static let pass = InstanceBox<Void>(())

  /// Ends the waits for this turn that would never end, from now on: for those it is over.
  func openTurn() {
    WaitForGraph.withLock { _ in links.pass = Self.pass }
  }
}
