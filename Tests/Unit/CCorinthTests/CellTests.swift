// SPDX-License-Identifier: MIT

import CCorinth
import TestSupport
import XCTest

/// Cells of one block, of several, and of one again.
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

    /// Gives a new owner the cell at which the search for it ends.
    ///
    /// - Returns: `false` if there is no place for it.
    func addOwner(countedBy destroyed: AtomicCounter) -> Bool {
      let owner = Retired(destroyed)
      let search = unsafe corinth_cells_search(pointer, owner.address)
      XCTAssertFalse(unsafe search.is_found)
      var cell = unsafe search.cell.unsafelyUnwrapped
      if unsafe corinth_cell_owner(cell) == UInt(CORINTH_CELL_END) {
        guard let next = unsafe corinth_cell_extend(cell) else { return false }
        unsafe cell = next
      }
      unsafe _ = Unmanaged.passRetained(owner)
      XCTAssertTrue(unsafe corinth_cell_claim_owner(cell, owner.address))
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

    var hasOneBlock: Bool { unsafe pointer.pointee.first.end.word == 0 }

    var users: [UInt] {
      let users = unsafe pointer.pointee.users
      return [users.0, users.1, users.2, users.3]
    }
  }

  private static let most = Int(CORINTH_CELLS_OF_BLOCK * CORINTH_CELL_BLOCKS)

  func testOwnersAreFoundInAllBlocks() {
    let cells = Cells()
    for count in 1...Self.most {
      XCTAssertTrue(cells.addOwner(countedBy: destroyed), "owner \(count)")
      XCTAssertTrue(cells.haveAllOwners, "after owner \(count)")
    }
    XCTAssertFalse(cells.addOwner(countedBy: destroyed), "all blocks are full")
    unsafe corinth_cells_empty_unshared(cells.pointer)
  }

  func testEmptiedCellsAreAsTheyWereWhenTheyWereMade() throws {
    let cells = Cells()
    let counts = [1, 15, 16, 17, 33, Self.most, 1, Self.most, 16]
    for (round, count) in counts.enumerated() {
      for _ in 0..<count { XCTAssertTrue(cells.addOwner(countedBy: destroyed)) }
      XCTAssertTrue(cells.haveAllOwners)
      XCTAssertEqual(cells.hasOneBlock, count <= 16, "\(count) owners")
      let former = cells.owners.map(\.address)
      unsafe corinth_cells_empty_unshared(cells.pointer)
      cells.forgetOwners()
      XCTAssertTrue(cells.hasOneBlock, "round \(round)")
      for address in former {
        XCTAssertFalse(unsafe corinth_cells_search(cells.pointer, address).is_found)
      }
    }
  }

  func testClosedCellsMayBeUsedAgain() throws {
    let cells = Cells()
    for count in [3, 16, 40, Self.most, 2] {
      for _ in 0..<count { XCTAssertTrue(cells.addOwner(countedBy: destroyed)) }
      unsafe corinth_cells_empty(cells.pointer)
      XCTAssertFalse(cells.haveAllOwners, "they are taken out")
      cells.forgetOwners()
      unsafe corinth_cells_reset(cells.pointer)
      XCTAssertTrue(cells.hasOneBlock, "after \(count) owners")
      XCTAssertTrue(cells.addOwner(countedBy: destroyed), "they are open again")
      unsafe corinth_cells_empty_unshared(cells.pointer)
      cells.forgetOwners()
    }
  }

  func testOtherUsersAreForgotten() throws {
    let cells = Cells()
    // As long as all of them are there, each has a record of its own.
    let all = Barrier(Int(CORINTH_CELL_USERS))
    let others = try onThreads(Int(CORINTH_CELL_USERS)) { _ in
      defer { all.wait() }
      return unsafe UInt(bitPattern: corinth_thread_current())
    }
    for other in others {
      unsafe corinth_cells_admit(cells.pointer, OpaquePointer(bitPattern: other))
    }
    XCTAssertFalse(cells.users.contains(0))
    let first = cells.users[0]
    unsafe corinth_cells_empty_unshared(cells.pointer)
    XCTAssertEqual(cells.users, [first, 0, 0, 0])
  }
}
