// SPDX-License-Identifier: MIT

/// Where an instance is, or will be: a state, or a cell of a scope or resolution. See
/// ``InstanceState`` for the protocol of the word there; a cell's word may also hold an instance
/// without a box, see note 24.
protocol Place: Sendable {
  /// The place, if a state; `nil` for a cell, whose instances neither expire nor are released.
  var state: InstanceState? { get }
  /// Whether a resolve may get an instance here.
  var isBuilt: Bool { get }
  var isBuilding: Bool { get }
  /// Whether nothing is here, or will be for further resolves.
  var isVacant: Bool { get }
  var isSealed: Bool { get }
  /// In a section, which keeps the box alive.
  func current(of record: RegistrationRecord, _ section: Section) -> InstanceState.Current
  /// - Parameter owner: the construction.
  func claim(_ owner: Unmanaged<AnyObject>, replacing box: Unmanaged<AnyObject>?) -> Bool
  /// - Parameter former: gets an object, if any, to be retired after the end of the construction.
  func exchange(with box: AnyObject?, givingUp former: inout Unmanaged<AnyObject>?) -> Bool
  /// The box of a strong instance, also in a sealed cell.
  func endingBox(of record: RegistrationRecord) -> AnyInstanceBox?
  /// Claims the end of the instance, see ``InstanceState/claimEnd()``.
  func claimEnd(of record: RegistrationRecord) -> Bool
  func joinAssumingWaitsLockHeld() -> AnyObject?
  func abandonAssumingWaitsLockHeld()
}

extension InstanceState: Place {
  final var state: InstanceState? { self }

  final var isBuilt: Bool { if case .built = current { true } else { false } }

  final var isVacant: Bool { if case .empty = current { true } else { false } }

  final func current(of record: RegistrationRecord, _ section: Section) -> Current { current }

  final func exchange(
    with box: AnyObject?, givingUp former: inout Unmanaged<AnyObject>?
  ) -> Bool {
    exchange(with: box)
  }

  final func endingBox(of record: RegistrationRecord) -> AnyInstanceBox? { builtBox(of: record) }

  final func claimEnd(of record: RegistrationRecord) -> Bool { claimEnd() }
}

/// A cell, whose memory the keeper holds.
struct CellPlace: Place {
  private let cell: ScopeCell
  private let keeper: any InstanceKeeper

  init(_ cell: ScopeCell, of keeper: some InstanceKeeper) {
    (self.cell, self.keeper) = (cell, keeper)
  }

  var state: InstanceState? { nil }
  var isBuilt: Bool { cell.load().isBuilt }
  var isBuilding: Bool { cell.load().isBuilding }
  var isVacant: Bool { cell.load().isEmpty || isSealed }
  var isSealed: Bool { cell.load().isSealed }

  func current(of record: RegistrationRecord, _ section: Section) -> InstanceState.Current {
    keeper.cells?.admit(section)
    while true {
      let word = cell.load()
      if word.isEmpty { return .empty }
      if word.isBuilding { return .building }
      if word.isSealed { return .sealed }
      if let box = cell.box(by: record) { return unsafe .built(.passUnretained(box)) }
    }
  }

  func claim(_ owner: Unmanaged<AnyObject>, replacing box: Unmanaged<AnyObject>?) -> Bool {
    cell.exchange(.empty, with: unsafe CellWord(builtBy: owner))
  }

  func exchange(
    with box: AnyObject?, givingUp former: inout Unmanaged<AnyObject>?
  ) -> Bool {
    if let box = unsafe box.map({ unsafe Unmanaged.passUnretained($0) }) {
      // SAFETY: the boxes in cells have this class.
      cell.completion = unsafe Unmanaged<AnyInstanceBox>.fromOpaque(box.toOpaque())
        ._withUnsafeGuaranteedRef(\.completion)
    }
    while true {
      let word = cell.load()
      let kept = unsafe word.isLeft ? nil : box.map { unsafe Unmanaged.passRetained($0) }
      if unsafe cell.exchange(word, with: word.replaced(by: kept)) {
        if word.isLeft { unsafe former = cell.takeOwner() }
        return word.isContended
      }
      unsafe kept?.release()
    }
  }

  func endingBox(of record: RegistrationRecord) -> AnyInstanceBox? {
    let section = Section.enter()
    defer { section.leave() }
    keeper.cells?.admit(section)
    return cell.box(by: record)
  }

  func claimEnd(of record: RegistrationRecord) -> Bool {
    endingBox(of: record)?.claimEnd() ?? false
  }

  func joinAssumingWaitsLockHeld() -> AnyObject? {
    while true {
      let word = cell.load()
      if !word.isBuilding { return nil }
      if word.isContended || cell.exchange(word, with: word.contended) {
        return unsafe word.content(as: AnyObject.self)?.takeUnretainedValue()
      }
    }
  }

  func abandonAssumingWaitsLockHeld() {
    while true {
      let word = cell.load()
      if unsafe cell.exchange(word, with: word.replaced(by: nil)) { return }
    }
  }
}

extension Place {
  /// The box of a strong instance that is built, and not sealed.
  func builtBox(of record: RegistrationRecord) -> AnyInstanceBox? {
    // The section keeps the box alive until retained.
    let section = Section.enter()
    defer { section.leave() }
    guard case .built(let built) = current(of: record, section) else { return nil }
    // SAFETY: only weak instances have boxes of a different class.
    return unsafe Unmanaged<AnyInstanceBox>.fromOpaque(built.toOpaque()).takeUnretainedValue()
  }
}
