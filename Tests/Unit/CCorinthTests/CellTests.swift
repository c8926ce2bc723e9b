// SPDX-License-Identifier: MIT

import CCorinth
import TestSupport
import XCTest

/// Cells of one block, of several tables, and of one block again.
final class CellTests: XCTestCase {
  private let destroyed = AtomicCounter()

  /// Cells that the test has made, and frees.
  @safe
  private final class Cells {
    // SAFETY: of one thread, and freed with this.
    let pointer = unsafe corinth_cells_create().unsafelyUnwrapped
    /// Keep their addresses from being used again.
    private(set) var owners: [Retired] = []

    deinit { unsafe corinth_cells_free(pointer) }

    /// Gives a new owner a cell.
    ///
    /// - Returns: `false` if the cells are closed.
    func addOwner(countedBy destroyed: AtomicCounter) -> Bool {
      let owner = Retired(destroyed)
      XCTAssertFalse(unsafe corinth_cells_search(pointer, owner.address).is_found)
      let found = unsafe corinth_cells_place(pointer, nil, owner.address, nil)
      guard let cell = unsafe found else { return false }
      XCTAssertTrue(unsafe corinth_cells_place(pointer, nil, owner.address, nil) == cell)
      owners.append(owner)
      return true
    }

    /// Whether each of the owners is found in a cell of its own.
    var haveAllOwners: Bool {
      let found = unsafe owners.map { unsafe corinth_cells_search(pointer, $0.address) }
      return unsafe found.allSatisfy { unsafe $0.is_found }
        && Set(found.map { unsafe UInt(bitPattern: $0.cell) }).count == owners.count
    }

    func forgetOwners() { owners = [] }

    private var end: UnsafeMutablePointer<corinth_cell> {
      unsafe corinth_cells_first(pointer).unsafelyUnwrapped + Int(CORINTH_CELLS_OF_BLOCK)
    }

    var hasNoTables: Bool { unsafe corinth_cell_load(end) == 0 }

    /// The owners in tables, in the order in which they got their cells.
    var ownersInTables: [UInt] {
      var count: UInt32 = 0
      let found = unsafe corinth_cells_of_tables(end, &count)
      guard let cells = unsafe found else { return [] }
      defer { unsafe corinth_cells_free_list(cells) }
      return (0..<Int(count)).map { unsafe corinth_cell_owner(cells[$0]) }
    }

    func know(_ thread: UInt) -> Bool {
      unsafe corinth_cells_know(pointer, OpaquePointer(bitPattern: thread))
    }
  }

  private static let many = 1000

  func testOwnersAreFoundInAllTables() {
    let cells = Cells()
    for count in 1...Self.many {
      XCTAssertTrue(cells.addOwner(countedBy: destroyed), "owner \(count)")
      if count.isMultiple(of: 50) { XCTAssertTrue(cells.haveAllOwners, "after owner \(count)") }
    }
    let inTables = cells.ownersInTables
    XCTAssertEqual(inTables, cells.owners.dropFirst(16).map(\.address))
    unsafe corinth_cells_empty_unshared(cells.pointer)
  }

  /// Threads with one owner meet in one cell, and each owner has one.
  func testThreadsGetTheSameCellOfAnOwner() throws {
    let cells = Cells()
    let owners = (0..<200).map { _ in Retired(destroyed) }
    let threads = 4
    let address = unsafe UInt(bitPattern: cells.pointer)
    let barrier = Barrier(threads)
    let found = try onThreads(threads) { _ in
      barrier.wait()
      return owners.map { owner in
        unsafe UInt(
          bitPattern: corinth_cells_place(
            UnsafeMutablePointer(bitPattern: address), nil, owner.address, nil))
      }
    }
    XCTAssertTrue(found.allSatisfy { $0 == found[0] })
    XCTAssertEqual(Set(found[0]).count, owners.count)
    XCTAssertEqual(Set(cells.ownersInTables).count, owners.count - 16)
    unsafe corinth_cells_empty_unshared(cells.pointer)
  }

  /// A call site claims a free cell for the registration and the construction by one exchange.
  func testAFreeCellGetsAnOwnerAndItsConstructionTogether() throws {
    let (threads, ownersOfThread) = (4, 8)
    for _ in 0..<200 {
      let cells = Cells()
      let owners = (0..<threads * ownersOfThread).map { _ in Retired(destroyed) }
      let first = unsafe UInt(bitPattern: corinth_cells_first(cells.pointer))
      let barrier = Barrier(threads)
      let claims = try onThreads(threads) { number in
        barrier.wait()
        return owners[number * ownersOfThread..<(number + 1) * ownersOfThread].filter {
          Self.claim(for: $0.address, fromCellAt: first)
        }.count
      }
      XCTAssertEqual(claims.reduce(0, +), Int(CORINTH_CELLS_OF_BLOCK))
      let words = owners.compactMap { owner -> UInt? in
        let search = unsafe corinth_cells_search(cells.pointer, owner.address)
        guard unsafe search.is_found else { return nil }
        let word = unsafe corinth_cell_load(search.cell)
        XCTAssertEqual(word, owner.address | CORINTH_CELL_BUILDING)
        return word
      }
      XCTAssertEqual(Set(words).count, Int(CORINTH_CELLS_OF_BLOCK))
      unsafe Self.endConstructions(in: cells.pointer)
      unsafe corinth_cells_empty(cells.pointer)
    }
  }

  /// - Returns: `false` if no cell of the block was free.
  private static func claim(for owner: UInt, fromCellAt address: UInt) -> Bool {
    let thread = unsafe corinth_section_enter()
    defer { unsafe corinth_section_leave(thread) }
    var cell = unsafe UnsafeMutablePointer<corinth_cell>(bitPattern: address).unsafelyUnwrapped
    while unsafe corinth_cell_owner(cell) != CORINTH_CELL_END {
      if unsafe corinth_cell_begin(cell, owner, thread, owner | CORINTH_CELL_BUILDING) {
        return true
      }
      unsafe cell += 1
    }
    return false
  }

  private static func endConstructions(in cells: UnsafeMutablePointer<corinth_cells>) {
    var cell = unsafe corinth_cells_first(cells).unsafelyUnwrapped
    while unsafe corinth_cell_owner(cell) != CORINTH_CELL_END {
      let word = unsafe corinth_cell_load(cell)
      XCTAssertTrue(unsafe corinth_cell_exchange(cell, word, 0))
      unsafe cell += 1
    }
  }

  func testClosedTablesTakeNoFurtherOwners() {
    let cells = Cells()
    for _ in 0..<40 { XCTAssertTrue(cells.addOwner(countedBy: destroyed)) }
    unsafe corinth_cells_seal(cells.pointer)
    XCTAssertEqual(cells.ownersInTables.count, 24)
    for _ in 0..<40 { XCTAssertFalse(cells.addOwner(countedBy: destroyed)) }
    XCTAssertTrue(cells.haveAllOwners)
    unsafe corinth_cells_empty(cells.pointer)
    XCTAssertEqual(cells.ownersInTables, [])
  }

  func testEmptiedCellsAreAsTheyWereWhenTheyWereMade() throws {
    let cells = Cells()
    let counts = [1, 15, 16, 17, 33, Self.many, 1, 200, 16]
    for (round, count) in counts.enumerated() {
      for _ in 0..<count { XCTAssertTrue(cells.addOwner(countedBy: destroyed)) }
      XCTAssertTrue(cells.haveAllOwners)
      XCTAssertEqual(cells.hasNoTables, count <= 16, "\(count) owners")
      let former = cells.owners.map(\.address)
      unsafe corinth_cells_empty_unshared(cells.pointer)
      cells.forgetOwners()
      XCTAssertTrue(cells.hasNoTables, "round \(round)")
      for address in former {
        XCTAssertFalse(unsafe corinth_cells_search(cells.pointer, address).is_found)
      }
    }
  }

  func testClosedCellsMayBeUsedAgain() throws {
    let cells = Cells()
    for count in [3, 16, 40, Self.many, 2] {
      for _ in 0..<count { XCTAssertTrue(cells.addOwner(countedBy: destroyed)) }
      unsafe corinth_cells_empty(cells.pointer)
      XCTAssertFalse(cells.haveAllOwners, "they are taken out")
      cells.forgetOwners()
      unsafe corinth_cells_reset(cells.pointer)
      XCTAssertTrue(cells.hasNoTables, "after \(count) owners")
      XCTAssertTrue(cells.addOwner(countedBy: destroyed), "they are open again")
      unsafe corinth_cells_empty_unshared(cells.pointer)
      cells.forgetOwners()
    }
  }

  func testOtherUsersAreForgotten() throws {
    let cells = Cells()
    let own = unsafe UInt(bitPattern: corinth_thread_current())
    let other = own + 64
    XCTAssertTrue(cells.know(own))
    XCTAssertFalse(cells.know(other))
    XCTAssertTrue(unsafe corinth_cells_are_lone(cells.pointer))
    XCTAssertTrue(unsafe corinth_cells_admit(cells.pointer))
    XCTAssertTrue(cells.know(other))
    XCTAssertFalse(unsafe corinth_cells_are_lone(cells.pointer))
    unsafe corinth_cells_empty_unshared(cells.pointer)
    XCTAssertTrue(cells.know(own))
    XCTAssertFalse(cells.know(other))
  }
}
