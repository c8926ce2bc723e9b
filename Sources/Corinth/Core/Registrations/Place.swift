// SPDX-License-Identifier: MIT

/// Where an instance is, or will be: a state, or a cell of a scope or resolution. See
/// ``InstanceState`` for the protocol of the word there; a cell's word may also hold an instance
/// without a box, see note 24.
enum Place: Sendable {
  case state(InstanceState)
  /// Instances in cells neither expire nor are released.
  case cell(CellPlace)

  var state: InstanceState? { if case .state(let state) = self { state } else { nil } }

  /// Whether a resolve may get an instance here.
  var isBuilt: Bool {
    switch self {
    case .state(let state): state.isBuilt
    case .cell(let cell): cell.word.isBuilt
    }
  }

  var isBuilding: Bool {
    switch self {
    case .state(let state): state.isBuilding
    case .cell(let cell): cell.word.isBuilding
    }
  }

  var isSealed: Bool {
    switch self {
    case .state(let state): state.isSealed
    case .cell(let cell): cell.word.isSealed
    }
  }

  /// Whether nothing is here, or will be for further resolves.
  var isVacant: Bool {
    switch self {
    case .state(let state): if case .empty = state.current { true } else { false }
    case .cell(let cell): cell.word.isEmpty || cell.word.isSealed
    }
  }

  /// In a section, which keeps the box alive.
  func current(of record: RegistrationRecord, _ section: Section) -> InstanceState.Current {
    switch self {
    case .state(let state): state.current
    case .cell(let cell): cell.current(of: record, section)
    }
  }

  /// - Parameter owner: the construction.
  func claim(_ owner: Unmanaged<some AnyObject>, replacing box: Unmanaged<AnyObject>?) -> Bool {
    switch self {
    case .state(let state): unsafe state.claim(owner, replacing: box)
    case .cell(let cell): unsafe cell.claim(owner)
    }
  }

  /// - Parameter former: gets an object, if any, to be retired after the end of the construction.
  func exchange(with box: AnyObject?, givingUp former: inout Unmanaged<AnyObject>?) -> Bool {
    switch self {
    case .state(let state): state.exchange(with: box)
    case .cell(let cell): unsafe cell.exchange(with: box, givingUp: &former)
    }
  }

  /// The box of a strong instance that is built, and not sealed.
  func builtBox(of record: RegistrationRecord) -> AnyInstanceBox? {
    // The section keeps the box alive until retained.
    let section = Section.enter()
    defer { section.leave() }
    guard case .built(let built) = current(of: record, section) else { return nil }
    // SAFETY: only weak instances have boxes of a different class.
    return unsafe Unmanaged<AnyInstanceBox>.fromOpaque(built.toOpaque()).takeUnretainedValue()
  }

  /// The box of a strong instance, also in a sealed cell.
  func endingBox(of record: RegistrationRecord) -> AnyInstanceBox? {
    if case .cell(let cell) = self { cell.endingBox(of: record) } else { builtBox(of: record) }
  }

  /// Claims the end of the instance, see ``InstanceState/claimEnd()``.
  func claimEnd(of record: RegistrationRecord) -> Bool {
    switch self {
    case .state(let state): state.claimEnd()
    case .cell(let cell): cell.endingBox(of: record)?.claimEnd() ?? false
    }
  }

  func joinAssumingWaitsLockHeld() -> AnyObject? {
    switch self {
    case .state(let state): state.joinAssumingWaitsLockHeld()
    case .cell(let cell): cell.joinAssumingWaitsLockHeld()
    }
  }

  func abandonAssumingWaitsLockHeld() {
    switch self {
    case .state(let state): state.abandonAssumingWaitsLockHeld()
    case .cell(let cell): cell.abandonAssumingWaitsLockHeld()
    }
  }
}

extension InstanceState {
  final var isBuilt: Bool { if case .built = current { true } else { false } }
}

/// A cell, whose memory the keeper holds.
struct CellPlace: Sendable {
  private let cell: ScopeCell
  private let keeper: any InstanceKeeper

  init(_ cell: ScopeCell, of keeper: some InstanceKeeper) {
    (self.cell, self.keeper) = (cell, keeper)
  }

  fileprivate var word: CellWord { cell.load() }

  fileprivate func current(
    of record: RegistrationRecord, _ section: Section
  ) -> InstanceState.Current {
    keeper.cells?.admit(section)
    while true {
      let word = cell.load()
      if word.isEmpty { return .empty }
      if word.isBuilding { return .building }
      if word.isSealed { return .sealed }
      if let box = cell.box(by: record) { return unsafe .built(.passUnretained(box)) }
    }
  }

  fileprivate func claim(_ owner: Unmanaged<some AnyObject>) -> Bool {
    cell.exchange(.empty, with: unsafe CellWord(builtBy: owner))
  }

  fileprivate func exchange(
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

  fileprivate func endingBox(of record: RegistrationRecord) -> AnyInstanceBox? {
    let section = Section.enter()
    defer { section.leave() }
    keeper.cells?.admit(section)
    return cell.box(by: record)
  }

  fileprivate func joinAssumingWaitsLockHeld() -> AnyObject? {
    while true {
      let word = cell.load()
      if !word.isBuilding { return nil }
      if word.isContended || cell.exchange(word, with: word.contended) {
        return unsafe word.content(as: AnyObject.self)?.takeUnretainedValue()
      }
    }
  }

  fileprivate func abandonAssumingWaitsLockHeld() {
    while true {
      let word = cell.load()
      if unsafe cell.exchange(word, with: word.replaced(by: nil)) { return }
    }
  }
}
