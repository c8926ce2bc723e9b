// SPDX-License-Identifier: MIT

/// Runs of a block in turn, like constructions of one instance, without leaving an instance.
extension Construction {
  /// Runs `body` inside a construction of a registration. Concurrent callers wait for the end, and
  /// then run theirs.
  ///
  /// - Returns: `nil` if the wait for a turn would never end, and the turn lets such waits go.
  static func takeTurn<Result>(
    of record: RegistrationRecord, _ body: (Construction) throws -> Result
  ) throws -> Result? {
    guard let construction = try claimTurn(of: record) else { return nil }
    _ = unsafe enter(.passUnretained(construction))
    defer {
      construction.leave()
      construction.drop()
      construction.release()
    }
    return try body(construction)
  }

  private static func claimTurn(
    of record: RegistrationRecord
  ) throws(ResolutionError) -> Construction? {
    var earlier = EarlierAttempts()
    // Resolves in the block stay in the resolution around.
    let requester = ResolutionContext.unfinished(.current)
    while true {
      guard record.load().isEmpty else {
        let outcome = WaitForGraph.wait(for: .state(record), requestedBy: requester, after: earlier)
        if try record.box(after: outcome, &earlier) != nil { return nil }
        continue
      }
      // Not shared: the construction has no instance to lend early.
      let construction = unsafe begin(
        of: record, in: record.owner, requestedBy: requester, isShared: false)
      guard unsafe record.claim(construction, replacing: .empty) else {
        unsafe construction.release()
        continue
      }
      // SAFETY: the reference of the state.
      unsafe construction._withUnsafeGuaranteedRef {
        $0.takeReferences()
        unsafe $0.own(.state(record))
      }
      return unsafe construction.takeUnretainedValue()
    }
  }

  /// The box that ends waits for a turn.
  private static let pass = InstanceBox<Void>(())

  /// Ends waits for this turn that would never end, from now on: for these waits, the turn is over.
  func openTurn() {
    WaitForGraph.withLock { _ in links.pass = Self.pass }
  }
}
