// SPDX-License-Identifier: MIT

/// The place of an instance: a state, or a cell of a scope or resolution. The word of a cell may
/// also hold an instance without a box, see note 24.
enum Place: AtomicPlace, Sendable {
  case state(InstanceState)
  /// Instances in cells neither expire nor are released. The keeper holds the cell's memory.
  case cell(ScopeCell, of: any InstanceKeeper)

  var state: InstanceState? { if case .state(let state) = self { state } else { nil } }

  func load() -> PlaceWord {
    switch self {
    case .state(let state): state.load()
    case .cell(let cell, _): cell.load()
    }
  }

  func exchange(_ expected: PlaceWord, with word: PlaceWord) -> Bool {
    switch self {
    case .state(let state): state.exchange(expected, with: word)
    case .cell(let cell, _): cell.exchange(expected, with: word)
    }
  }

  /// The word, with a box from now on if there is an instance. The section keeps the box alive.
  func load(boxedBy record: RegistrationRecord, _ section: Section) -> PlaceWord {
    guard case .cell(let cell, let keeper) = self else { return load() }
    guard keeper.cells?.admit(section) ?? true else { return .sealed }
    return cell.load(boxedBy: record)
  }

  /// The box of a strong instance, also in a sealed cell; `nil` without an instance.
  func box(of record: RegistrationRecord) -> AnyInstanceBox? {
    // The section keeps the box alive until retained.
    let section = Section.enter()
    defer { section.leave() }
    return load(boxedBy: record, section).box
  }
}
