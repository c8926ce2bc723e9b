// SPDX-License-Identifier: MIT

import CCorinth
import TestSupport
import XCTest

final class SectionTests: XCTestCase {
  func testSectionsNest() {
    let outer = unsafe corinth_section_enter()
    XCTAssertEqual(unsafe corinth_section_depth(outer), 1)
    for depth: UInt32 in 2...100 {
      XCTAssertTrue(unsafe corinth_section_enter() == outer)
      XCTAssertEqual(unsafe corinth_section_depth(outer), depth)
    }
    for depth: UInt32 in (0..<100).reversed() {
      unsafe corinth_section_leave(outer)
      XCTAssertEqual(unsafe corinth_section_depth(outer), depth)
    }
  }

  func testThreadsHaveRecordsOfTheirOwn() throws {
    let all = Barrier(4)
    let records = try onThreads(4) { _ in
      let thread = unsafe corinth_section_enter()
      defer { unsafe corinth_section_leave(thread) }
      XCTAssertEqual(unsafe corinth_section_depth(thread), 1)
      all.wait()
      return UInt(bitPattern: thread)
    }
    XCTAssertEqual(Set(records).count, 4)
  }

  func testOnlyAnAttachedThreadEntersASectionWithoutBeingAttached() throws {
    try onThreads(1) { _ in
      XCTAssertNil(unsafe corinth_section_enter_attached())
      let thread = unsafe corinth_thread_current()
      XCTAssertEqual(unsafe corinth_section_depth(thread), 0)
      XCTAssertTrue(unsafe corinth_section_enter_attached() == thread)
      XCTAssertEqual(unsafe corinth_section_depth(thread), 1)
      unsafe corinth_section_leave(thread)
    }
  }

  func testAThreadKeepsItsRecord() {
    XCTAssertTrue(unsafe corinth_thread_current() == corinth_thread_current())
  }

  func testTheRecordOfAnExitedThreadIsUsedAgain() throws {
    try onThreads(1) { _ in unsafe _ = corinth_thread_current() }
    let records = corinth_thread_records()
    for _ in 0..<100 {
      try onThreads(1) { _ in
        unsafe corinth_section_leave(corinth_section_enter())
      }
    }
    XCTAssertEqual(corinth_thread_records(), records)
  }

  func testARecordUsedAgainIsClean() throws {
    try onThreads(1) { _ in
      let thread = unsafe corinth_section_enter()
      let anything = unsafe UnsafeMutableRawPointer(bitPattern: 16)
      unsafe corinth_thread_set_construction(thread, anything)
      unsafe corinth_thread_set_path(thread, anything?.assumingMemoryBound(to: corinth_frame.self))
    }
    try onThreads(1) { _ in
      let thread = unsafe corinth_thread_current()
      XCTAssertEqual(unsafe corinth_section_depth(thread), 0)
      XCTAssertNil(unsafe corinth_thread_construction(thread))
      XCTAssertNil(unsafe corinth_thread_path(thread))
    }
  }

  func testAThreadCarriesItsConstructionAndPath() throws {
    try onThreads(1) { _ in
      let thread = unsafe corinth_thread_current()
      var frame = unsafe corinth_frame(outer: nil, slot: nil)
      unsafe withUnsafeMutablePointer(to: &frame) { frame in
        unsafe corinth_thread_set_path(thread, frame)
        XCTAssertTrue(unsafe corinth_thread_path(thread) == frame)
        unsafe corinth_thread_set_path(thread, nil)
        unsafe corinth_thread_set_construction(thread, frame)
        XCTAssertNotNil(unsafe corinth_thread_construction(thread))
        unsafe corinth_thread_set_construction(thread, nil)
      }
      XCTAssertNil(unsafe corinth_thread_construction(thread))
    }
  }
}
