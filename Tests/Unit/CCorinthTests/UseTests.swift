// SPDX-License-Identifier: MIT

import CCorinth
import TestSupport
import XCTest

/// Sections that have become uses: user code runs, which needs one object.
final class UseTests: XCTestCase {
  private let destroyed = AtomicCounter()

  /// Begins a use of `object` on the calling thread, in a section of its own.
  private static func begin(using object: UInt, isShallow: Bool = false) -> OpaquePointer {
    let thread = unsafe corinth_thread_current().unsafelyUnwrapped
    unsafe _ = corinth_section_enter()
    unsafe corinth_use_begin(thread, object, isShallow)
    return unsafe thread
  }

  private static func end(_ thread: OpaquePointer, isShallow: Bool = false) {
    unsafe corinth_use_end(thread, isShallow)
  }

  /// An object whose address is known before it is retired.
  private func makeObject() -> Retired { Retired(destroyed) }

  /// Waits until as many objects are destroyed, the only ones that are not in use.
  private func waitUntilDestroyed(_ count: Int, line: UInt = #line) throws {
    // Where no use is open: a thread destroys nothing inside of one.
    try onThreads(1) { [destroyed] _ in
      blockUntil {
        reclaimWhatIsFree()
        return destroyed.value >= count
      }
    }
    XCTAssertEqual(destroyed.value, count, line: line)
  }

  func testAUseDelaysTheDestructionOfItsObjectAlone() throws {
    let object = makeObject()
    let thread = unsafe Self.begin(using: object.address)
    for _ in 0..<10 { Retired.retire(countedBy: destroyed) }
    object.retire()
    try waitUntilDestroyed(10)
    unsafe Self.end(thread)
    settleReclamation()
    XCTAssertEqual(destroyed.value, 11)
  }

  func testAUseOfAnotherThreadDelaysTheDestructionOfItsObjectAlone() throws {
    let (object, destroyed) = (makeObject(), destroyed)
    let (begun, mayEnd) = (Barrier(2), Barrier(2))
    let other = JoinableThread { [address = object.address] in
      let thread = unsafe Self.begin(using: address, isShallow: true)
      begun.wait()
      mayEnd.wait()
      unsafe Self.end(thread, isShallow: true)
    }
    begun.wait()
    object.retire()
    for _ in 0..<1_000 { Retired.retire(countedBy: destroyed, lazily: true) }
    try waitUntilDestroyed(1_000)
    mayEnd.wait()
    try other.join().get()
    settleReclamation()
    XCTAssertEqual(destroyed.value, 1_001)
  }

  func testEachLevelKeepsItsObject() throws {
    let objects = (0..<10).map { _ in makeObject() }
    let threads = unsafe objects.map { unsafe Self.begin(using: $0.address) }
    for object in objects { object.retire() }
    for count in unsafe (1...threads.count) {
      try waitUntilDestroyed(count - 1)
      unsafe Self.end(threads[threads.count - count])
    }
    settleReclamation()
    XCTAssertEqual(destroyed.value, 10)
  }

  /// With more uses than were looked at, all that was retired waited, and each poll walked it.
  func testManyUsesDelayTheDestructionOfTheirObjectsAlone() throws {
    let (threads, levels) = (8, Int(CORINTH_USES))
    let objects = (0..<threads * levels).map { _ in makeObject() }
    let (begun, mayEnd) = (Barrier(threads + 1), Barrier(threads + 1))
    let others = (0..<threads).map { thread in
      let addresses = objects[thread * levels..<(thread + 1) * levels].map(\.address)
      return JoinableThread {
        let uses = unsafe addresses.map { unsafe Self.begin(using: $0) }
        begun.wait()
        mayEnd.wait()
        for level in unsafe uses.indices { unsafe Self.end(uses[level]) }
      }
    }
    begun.wait()
    for object in objects { object.retire(lazily: true) }
    for _ in 0..<1_000 { Retired.retire(countedBy: destroyed, lazily: true) }
    try waitUntilDestroyed(1_000)
    mayEnd.wait()
    for other in others { try other.join().get() }
    settleReclamation()
    XCTAssertEqual(destroyed.value, 1_000 + objects.count)
  }

  func testTheSectionsOfLevelsWithoutAnEntryStayOpen() throws {
    let levels = Int(CORINTH_USES) + 2
    let threads = unsafe (0..<levels).map { _ in unsafe Self.begin(using: 0) }
    Retired.retire(countedBy: destroyed)
    try waitUntilDestroyed(0)
    XCTAssertEqual(unsafe corinth_section_depth(threads[0]), UInt32(levels))
    for level in unsafe threads.indices.suffix(2) { unsafe Self.end(threads[level]) }
    try waitUntilDestroyed(1)
    for level in unsafe threads.indices.dropLast(2) { unsafe Self.end(threads[level]) }
    XCTAssertEqual(unsafe corinth_section_depth(threads[0]), 0)
  }

  func testAUseThatAnExitedThreadLeftOpenDelaysNothing() throws {
    let object = makeObject()
    try onThreads(1) { [address = object.address] _ in unsafe _ = Self.begin(using: address) }
    object.retire()
    settleReclamation()
    XCTAssertEqual(destroyed.value, 1)
  }

  func testAThreadDestroysNothingInsideOfAUse() {
    let thread = unsafe Self.begin(using: 0)
    Retired.retire(countedBy: destroyed)
    XCTAssertEqual(destroyed.value, 0)
    unsafe Self.end(thread)
    settleReclamation()
    XCTAssertEqual(destroyed.value, 1)
  }
}
