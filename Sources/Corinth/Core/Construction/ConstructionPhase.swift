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
/// A construction without actions whose end concerns no other one goes from building to ended, and never tells
/// the graph of it. Legal states, besides the arrows:
///  1. From initializing to held, resolves that would deadlock waiting for the instance get it early.
///  2. Postponed: the remaining actions wait for the instance of an enclosing construction, which is building.
///  3. Held: its own work is done, and that of its lenders is not. All lenders are building, initializing or
///     postponed; a construction whose own work ends is eliminated from the lists of others. It waits for no resolve,
///     and gets no further lenders but those of its own ones.
///  4. A doomed construction has neither lenders nor borrowers, is neither held nor postponed, gives no early
///     reference, and no wait in the graph has it in its list. It is dropped when its own work ends.
///  5. Publishing: the instance is complete, and has neither lenders nor borrowers. It waits for the one that is published
///     before it, which may take as long as a user's ``CustomStorage`` takes to store that. Resolves that would deadlock get it.
///  6. Ended: published, or dropped. No wait and no list leads to it.
///
/// A construction may be cancelled and doomed together: both say that it will be dropped. Its caller then retries, as
/// after a cancellation, and does not get the error of the failed lender.
enum ConstructionPhase {
  /// The factory runs.
  case building
  /// The factory has returned, and actions run: those postponed until then, and the instance's own.
  case initializing(UnpublishedInstance)
  /// The rest of the actions runs as soon as the factory of `until` has returned.
  case postponed(UnpublishedInstance, until: Construction)
  /// The own work is done. The instance is published together with the last of those that it may refer to.
  case held(UnpublishedInstance)
  /// The instance is complete, and is published after that of `after`.
  case publishing(UnpublishedInstance, after: Construction?)
  case ended

  /// The instance, from the end of its factory until publication. A resolve that would deadlock waiting for it
  /// gets it early.
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

  /// Whether nothing that happens to others changes its end.
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
