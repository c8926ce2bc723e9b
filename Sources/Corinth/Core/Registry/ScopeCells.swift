// SPDX-License-Identifier: MIT

internal import CCorinth
internal import Synchronization

/// The cells of a request scope or resolution, one word for each instance. Note 24 says who may
/// change a cell.
///
/// A thread that follows an address out of a cell (the owner, or the box in the word) is inside a
/// section, and was admitted before loading the address. Other addresses are only compared.
@safe
// SAFETY: the pointer belongs to the scope's table, which outlives this value, and is thread-safe
// by the contract of corinth_cells.h.
struct ScopeCells: @unchecked Sendable {
  private let pointer: UnsafeMutablePointer<corinth_cells>

  init(_ pointer: UnsafeMutablePointer<corinth_cells>) {
    unsafe self.pointer = pointer
  }

  /// New cells, with the calling thread as first user.
  fileprivate init() {
    unsafe pointer = corinth_cells_create()
  }

  fileprivate init?(address: UInt) {
    guard let pointer = unsafe UnsafeMutablePointer<corinth_cells>(bitPattern: address) else {
      return nil
    }
    unsafe self.pointer = pointer
  }

  fileprivate var address: UInt { unsafe UInt(bitPattern: pointer) }

  var first: ScopeCell { unsafe ScopeCell(corinth_cells_first(pointer).unsafelyUnwrapped) }

  /// The cell of an owner; `nil` without a cell.
  @inline(__always)
  func cell(ownedBy owner: Unmanaged<some AnyObject>) -> ScopeCell? {
    let search = unsafe search(for: owner)
    return search.isFound ? search.cell : nil
  }

  /// The end of a search for an owner's cell: the cell, or the first cell of the block that the
  /// owner may get, or the end of the block.
  @inline(__always)
  func search(for owner: Unmanaged<some AnyObject>) -> (cell: ScopeCell, isFound: Bool) {
    let search = unsafe corinth_cells_search(pointer, UInt(bitPattern: owner.toOpaque()))
    return unsafe (ScopeCell(search.cell.unsafelyUnwrapped), search.is_found)
  }

  /// The content of the owner's cell, until the section ends; `nil` if resolves may not have the
  /// content. Without a cell, the owner may get `firstFree`, if free.
  @inline(__always)
  func content(
    ofCellOwnedBy owner: Unmanaged<some AnyObject>, _ section: Section,
    orAfter firstFree: inout ScopeCell?
  ) -> PlaceWord? {
    let search = unsafe search(for: owner)
    guard search.isFound else {
      firstFree = search.cell
      return nil
    }
    // A closer that takes the content out looks at the section from here on.
    guard admit(section) else { return nil }
    let word = search.cell.load()
    return word.isBuilt ? word : nil
  }

  /// The cell for an owner's construction: `start`, if free, or else the owner's own.
  ///
  /// - Parameters:
  ///   - section: the section that found the owner in its slot.
  ///   - start: where a search without success has ended.
  /// - Returns: `nil` if the cells are closed.
  @inline(__always)
  func place(
    for owner: Unmanaged<some AnyObject>, foundIn section: Section, from start: ScopeCell?
  ) -> ScopeCell? {
    guard admit(section) else { return nil }
    if let start, start.owner == 0 { return start }
    let address = unsafe UInt(bitPattern: owner.toOpaque())
    return searchPlace(ownedBy: address, foundIn: section, from: start)
  }

  /// The cell of an owner, taken over on first use: the cell then has a reference to the owner.
  ///
  /// - Returns: `nil` if the cells are closed.
  func place(ownedBy owner: Unmanaged<some AnyObject>) -> ScopeCell? {
    let section = Section.enter()
    defer { section.leave() }
    guard admit(section) else { return nil }
    return searchPlace(
      ownedBy: unsafe UInt(bitPattern: owner.toOpaque()), foundIn: nil, from: nil)
  }

  @inline(never)
  private func searchPlace(
    ownedBy owner: UInt, foundIn section: Section?, from start: ScopeCell?
  ) -> ScopeCell? {
    let found = unsafe corinth_cells_place(pointer, start?.pointer, owner, section?.thread)
    return unsafe found.map { unsafe ScopeCell($0) }
  }

  /// Calls `body` with the cells that have an owner, the oldest first.
  @inline(__always)
  func forEachOwned(_ body: (_ owner: UInt, ScopeCell) -> Void) {
    var cell = first
    while true {
      let owner = cell.owner
      if owner == ScopeCell.endOfBlock { return forEachOwnedInTables(after: cell, body) }
      if owner <= ScopeCell.closedOwner { return }
      body(owner, cell)
      cell = cell.next
    }
  }

  @inline(never)
  private func forEachOwnedInTables(after end: ScopeCell, _ body: (UInt, ScopeCell) -> Void) {
    var count: UInt32 = 0
    let found = unsafe corinth_cells_of_tables(end.pointer, &count)
    guard let cells = unsafe found else { return }
    defer { unsafe corinth_cells_free_list(cells) }
    for index in 0..<Int(count) {
      let cell = unsafe ScopeCell(cells[index].unsafelyUnwrapped)
      let owner = cell.owner
      if owner > ScopeCell.endOfBlock { body(owner, cell) }
    }
  }

  // MARK: - Objects in place of instances

  /// The object that an owner's cell holds in place of an instance.
  ///
  /// - Parameter make: makes the object on first use, if given.
  /// - Returns: `nil` before the first use, and if the cells are closed.
  func object<Object: AnyObject>(
    ownedBy owner: Unmanaged<some AnyObject>, orMake make: (() -> Object)? = nil
  ) -> Object? {
    let section = Section.enter()
    defer { section.leave() }
    guard admit(section) else { return nil }
    if let cell = unsafe cell(ownedBy: owner), let found: Object = object(in: cell) {
      return found
    }
    guard let make, let cell = unsafe place(ownedBy: owner) else { return nil }
    let made = make()
    let reference = unsafe Unmanaged.passRetained(made)
    if unsafe cell.exchange(.empty, with: PlaceWord(reference, isInstance: false)) { return made }
    unsafe reference.release()
    return object(in: cell)
  }

  private func object<Object: AnyObject>(in cell: ScopeCell) -> Object? {
    let word = cell.load()
    // SAFETY: the section, until retained. The owner of the cell decides the class.
    return word.isSealed ? nil : unsafe word.content(as: Object.self)?.takeUnretainedValue()
  }

  // MARK: - Users

  /// Makes closers, which take the content of cells out, look at the section's thread.
  ///
  /// - Returns: `false` if the first user has closed the cells alone, and nobody may use a cell.
  @inline(__always)
  func admit(_ section: Section) -> Bool {
    unsafe know(section) || corinth_cells_admit(pointer)
  }

  /// Whether the calling thread has made the scope or resolution.
  var isFirstUser: Bool { unsafe corinth_cells_is_first_user(pointer) }

  /// Whether closers look at the section's thread already.
  @inline(__always)
  func know(_ section: Section) -> Bool { unsafe corinth_cells_know(pointer, section.thread) }

  // MARK: - The end

  /// Ends resolving in the cells: constructions under way are the last. Any number of closers may
  /// call this function.
  func seal() {
    unsafe corinth_cells_seal(pointer)
  }

  /// Lets go of the content of the cells, the newest first, except for constructions under way. No
  /// construction begins any more. No lock is held: deinits run in this call.
  func empty() {
    unsafe corinth_cells_empty(pointer)
  }

  /// Whether the calling thread can close the cells alone, as far as the cells tell.
  var areLone: Bool { unsafe corinth_cells_are_lone(pointer) }

  /// As ``seal()``, for lone cells, after ``ClosingState/claimAlone(_:)``.
  func sealAlone() {
    unsafe corinth_cells_seal_alone(pointer)
  }

  /// As ``empty()``, for lone cells, after ``ClosingState/closeAlone()`` or ``sealAlone()``.
  func emptyAlone() {
    unsafe corinth_cells_empty_alone(pointer)
  }

  /// As ``empty()``, for cells that only the caller, the maker, can reach. The cells can be reused.
  func emptyUnshared() {
    unsafe corinth_cells_empty_unshared(pointer)
  }

  fileprivate func free() {
    unsafe corinth_cells_free(pointer)
  }
}

/// A cell of a request scope or resolution: the owner and the word; or the end of the block.
@safe
// SAFETY: as above.
struct ScopeCell: AtomicPlace, @unchecked Sendable {
  fileprivate let pointer: UnsafeMutablePointer<corinth_cell>

  fileprivate init(_ pointer: UnsafeMutablePointer<corinth_cell>) {
    unsafe self.pointer = pointer
  }

  /// In place of an owner: the scope has been closed.
  static var closedOwner: UInt { CORINTH_CELL_CLOSED }
  /// In place of an owner: the cell is the end of the block.
  static var endOfBlock: UInt { CORINTH_CELL_END }

  /// The address of the owner, 0 for none, or a constant above.
  var owner: UInt { unsafe corinth_cell_owner(pointer) }

  /// Claims an empty cell of the owner's, or a free cell together with the owner, in the section
  /// that found the owner in its slot.
  @inline(__always)
  func claim(
    _ construction: Unmanaged<some AnyObject>, for owner: Unmanaged<some AnyObject>,
    foundIn section: Section
  ) -> Bool {
    unsafe corinth_cell_begin(
      pointer, UInt(bitPattern: owner.toOpaque()), section.thread,
      PlaceWord(builtBy: construction).bits)
  }

  /// The owner of a cell left to the calling builder, to be retired; `nil` if already taken out.
  func takeOwner() -> Unmanaged<AnyObject>? {
    let owner = unsafe corinth_cell_take_owner(pointer)
    if owner == Self.closedOwner { return nil }
    // SAFETY: the cell's reference.
    return unsafe UnsafeRawPointer(bitPattern: owner).map { unsafe Unmanaged.fromOpaque($0) }
  }

  /// The number of the cell, as a bit; `nil` in a table.
  func bit(in cells: ScopeCells) -> UInt32? {
    let index = unsafe pointer - cells.first.pointer
    return 0..<Int(CORINTH_CELLS_OF_BLOCK) ~= index ? 1 << index : nil
  }

  /// The next cell; not for the end of a block.
  var next: ScopeCell { unsafe ScopeCell(pointer + 1) }

  @inline(__always)
  func load() -> PlaceWord { unsafe PlaceWord(bits: corinth_cell_load(pointer)) }

  @inline(__always)
  func exchange(_ expected: PlaceWord, with word: PlaceWord) -> Bool {
    unsafe corinth_cell_exchange(pointer, expected.bits, word.bits)
  }

  /// The number of an instance without a box, in the order of completion; 0 if the instance had no
  /// disposers then. Set by the building thread, before the publication.
  var completion: UInt64 {
    get { unsafe corinth_cell_completion(pointer) }
    nonmutating set { unsafe corinth_cell_set_completion(pointer, newValue) }
  }
}

/// Cells made on first use, and freed with the holder.
struct MadeCells: ~Copyable, Sendable {
  private let address = Atomic<UInt>(0)

  /// Instead of an address: cells will never be made.
  private static var closed: UInt { CORINTH_CELL_CLOSED }

  /// `nil` before cells are made.
  var cells: ScopeCells? {
    // Pairs with the exchange below.
    let found = address.load(ordering: .acquiring)
    return found == Self.closed ? nil : ScopeCells(address: found)
  }

  /// `nil` once closed.
  @inline(__always)
  func orMake() -> ScopeCells? { cells ?? make() }

  @inline(never)
  private func make() -> ScopeCells? {
    let made = ScopeCells()
    let (isFirst, found) = address.compareExchange(
      expected: 0, desired: made.address, ordering: .acquiringAndReleasing)
    if isFirst { return made }
    made.free()
    return found == Self.closed ? nil : ScopeCells(address: found)
  }

  /// Keeps cells from being made, and lets the instances of cells made before go.
  @inline(__always)
  func close() {
    let (isClosed, _) = address.compareExchange(
      expected: 0, desired: Self.closed, ordering: .acquiringAndReleasing)
    if !isClosed { closeMade() }
  }

  @inline(never)
  private func closeMade() {
    guard let cells else { return }
    cells.seal()
    cells.empty()
  }

  deinit {
    guard let cells else { return }
    cells.empty()
    cells.free()
  }
}
