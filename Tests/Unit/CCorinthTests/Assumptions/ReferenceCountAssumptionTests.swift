// SPDX-License-Identifier: MIT

import CCorinth
import XCTest

/// The word of an object in which the Swift runtime counts references, which `corinth_object_is_*`
/// read: design note 27.
@safe
final class ReferenceCountAssumptionTests: XCTestCase {
  private final class Object {}

  private final class Observer {
    unowned var unowned: Object?
    weak var weak: Object?
  }

  // SAFETY: released after each test, and by no one else.
  private let object = unsafe Unmanaged.passRetained(Object())
  private let observer = Observer()

  override func tearDown() {
    unsafe object.release()
  }

  private var isUnique: Bool { unsafe corinth_object_is_unique(object.toOpaque()) }
  private var isReferencedOnce: Bool { unsafe corinth_object_is_referenced_once(object.toOpaque()) }
  private var isObserved: Bool { unsafe corinth_object_is_observed(object.toOpaque()) }

  func testASingleReferenceIsSeen() {
    XCTAssertTrue(isUnique)
    XCTAssertTrue(isReferencedOnce)
    XCTAssertFalse(isObserved)
  }

  func testEachFurtherReferenceIsSeen() {
    for count: UInt32 in [1, 2, 3, 1_000_000] {
      unsafe swift_retain_n(object.toOpaque(), count)
      XCTAssertFalse(isUnique, "\(count)")
      XCTAssertFalse(isReferencedOnce, "\(count)")
      XCTAssertFalse(isObserved, "\(count)")
      unsafe swift_release_n(object.toOpaque(), count)
      XCTAssertTrue(isReferencedOnce, "\(count)")
    }
  }

  func testAnUnownedReferenceIsSeenWhileItIsThere() {
    unsafe observer.unowned = object.takeUnretainedValue()
    XCTAssertTrue(isObserved)
    XCTAssertTrue(isUnique)
    XCTAssertFalse(isReferencedOnce)
    observer.unowned = nil
    XCTAssertFalse(isObserved)
    XCTAssertTrue(isReferencedOnce)
  }

  /// The counts move to a table of the runtime with the first weak reference, and stay there.
  func testAWeakReferenceIsSeenFromThenOn() {
    unsafe observer.weak = object.takeUnretainedValue()
    XCTAssertTrue(isObserved)
    XCTAssertFalse(isReferencedOnce)
    observer.weak = nil
    XCTAssertTrue(isObserved)
    XCTAssertTrue(isUnique)
    unsafe swift_retain_n(object.toOpaque(), 1)
    XCTAssertFalse(isUnique)
    unsafe swift_release_n(object.toOpaque(), 1)
  }
}
