// SPDX-License-Identifier: MIT

/// The progress of a construction. Only the owner changes the phase, except from held to ended.
///
///     building ----> initializing <----> postponed
///        |             |      |             |
///        |             |      v             |
///        |             |     held --------------> publishing
///        v             v      v             v         |
///      ended <---------+------+-------------+---------+
///
/// A construction without actions and links goes from building to ended, unknown to the graph.
/// Legal states, besides the arrows:
///  1. From initializing to held, a resolve gets the instance early if its wait would deadlock.
///  2. Postponed: the remaining actions wait for an enclosing construction, which is building.
///  3. Held: the own work is done, the lenders' work is not. All lenders are building, initializing
///     or postponed: when a lender's work ends, the lender's own lenders replace it. A held
///     construction waits for no resolve, and gets further lenders by such replacements only.
///  4. A doomed construction has no lenders and no borrowers, is not held or postponed, and gives
///     no early reference; no wait lists it. It is dropped when its own work ends.
///  5. Publishing: the instance is complete, without lenders or borrowers, and waits for the one
///     published before, perhaps in a slow ``CustomStorage``. Resolves that would deadlock get it.
///  6. Ended: published or dropped. No wait and no list leads to the construction.
///
/// A construction may be cancelled and doomed at once: either way, the instance will be dropped.
/// The caller then retries, as after a cancellation, and does not get the failed lender's error.
enum ConstructionPhase {
  /// The factory runs.
  case building
  /// The factory has returned, and actions run: those postponed until now, then the own.
  case initializing(UnpublishedInstance)
  /// The rest of the actions runs as soon as the factory of `until` has returned.
  case postponed(UnpublishedInstance, until: Construction)
  /// The own work is done. Published together with the last instance to which it may refer.
  case held(UnpublishedInstance)
  /// The instance is complete, and is published after the instance of `after`.
  case publishing(UnpublishedInstance, after: Construction?)
  case ended

  /// The instance, from the end of its factory until publication. A resolve whose wait would
  /// deadlock gets the instance early.
  var instance: UnpublishedInstance? {
    switch self {
    case .initializing(let instance), .postponed(let instance, _), .held(let instance),
      .publishing(let instance, _):
      instance
    case .building, .ended: nil
    }
  }

  var isHeld: Bool {
    if case .held = self { true } else { false }
  }

  var isEnded: Bool {
    if case .ended = self { true } else { false }
  }

  /// Whether the end is final, whatever happens to further constructions.
  var isComplete: Bool {
    switch self {
    case .publishing, .ended: true
    case .building, .initializing, .postponed, .held: false
    }
  }

  func canBecome(_ next: ConstructionPhase) -> Bool {
    switch (self, next) {
    case (.building, .initializing), (.building, .ended): true
    case (.initializing, .postponed), (.initializing, .held), (.initializing, .ended): true
    case (.postponed, .initializing), (.postponed, .postponed), (.postponed, .ended): true
    case (.held, .publishing), (.held, .ended), (.publishing, .ended): true
    default: false
    }
  }
}
