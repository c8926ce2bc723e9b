// SPDX-License-Identifier: MIT

extension WaitForGraph {
  /// A state that gets the instance under construction in a sealed cell too, for a closing,
  /// whatever becomes of the cell; `nil` without a construction.
  static func keptState(of place: Place) -> InstanceState? {
    WaitsMutex.withLock {
      guard let construction = join(place) else { return nil }
      if let kept = construction.links.kept { return kept }
      let state = InstanceState()
      _ = unsafe state.claim(Unmanaged.passRetained(construction), replacing: .empty)
      construction.links.kept = state
      return state
    }
  }
}
