// SPDX-License-Identifier: MIT

/// The instances that a closing takes out of a sealed container.
extension ContainerCore {
  /// Takes all that the container and its versions keep out, for a closing that disposes of it.
  ///
  /// - Parameter isSequential: whether only the order of disposers is asked for.
  func handKeptStates(to closing: Closing, isSequential: Bool = true) {
    if !isSequential || mayHaveDeferredDependencies {
      closing.registrations = EndingRegistrations(of: self)
    }
    // A container with versions has slots.
    if hasSlots {
      closing.versions = EndingVersions(of: self, endingBy: closing, isSequential: isSequential)
    }
    closing.kept = takeKeptStates()
    closing.versions?.takeKeptStates()
  }

  /// Takes all registrations and kept instances out, and keeps further ones from being built.
  func takeKeptStates() -> [KeptState] {
    var kept: [KeptState] = []
    instances.forEachEntry { kept.append(KeptState($0.record, $0)) }
    // One that was being handed over when its cell was sealed may be in both places. Now that the states are sealed, too, none
    // comes into them any more.
    let stored = kept
    forEachDisposableCell { record, cell, word in
      if stored.contains(where: { $0.record === record && $0.disposable != nil }) { return }
      kept.append(KeptState(record, cell.box(of: word, by: record)))
    }
    if hasSlots {
      for record in takeRegistrations() + takeOverridden() { kept += record.takeKeptStates() }
    }
    return kept
  }
}
