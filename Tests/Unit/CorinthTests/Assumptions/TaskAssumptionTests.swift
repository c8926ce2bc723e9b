// SPDX-License-Identifier: MIT

import TestSupport
import XCTest

@testable import Corinth

/// The functions of the Swift runtime that tell the running task, and where its task-local values
/// are: design note 27. `TaskMembershipTests` has what Corinth makes of these.
final class TaskAssumptionTests: AsyncTestCase {
  @TaskLocal private static var value = 0

  private static var address: UInt? {
    unsafe TaskLocalStorage.address(ofValueDeclaredBy: $value).map { UInt(bitPattern: $0) }
  }

  func testOnlyATaskHasACurrentTask() async throws {
    XCTAssertTrue(TaskThread.isCurrent)
    let isInTask = try await withCheckedThrowingContinuation { continuation in
      Thread.detachNewThread { continuation.resume(returning: TaskThread.isCurrent) }
    }
    XCTAssertFalse(isInTask)
  }

  func testAValueIsAtTheAddressThatTheRuntimeTells() async {
    XCTAssertNil(Self.address)
    Self.$value.withValue(7) {
      let address = unsafe Self.address.flatMap { unsafe UnsafePointer<Int>(bitPattern: $0) }
      XCTAssertEqual(unsafe address?.pointee, 7)
    }
    XCTAssertNil(Self.address)
  }

  /// A context counts a child task as its part by the address, and an unstructured task not.
  func testAChildTaskSharesTheAddressAndAnotherTaskHasACopy() async {
    await Self.$value.withValue(7) {
      let own = Self.address
      XCTAssertNotNil(own)
      async let ofChild = Self.address
      let child = await ofChild
      XCTAssertEqual(child, own)
      let inGroup = await withTaskGroup(of: UInt?.self) { group in
        group.addTask { Self.address }
        return await group.next() ?? nil
      }
      XCTAssertEqual(inGroup, own)
      let ofTask = await Task { Self.address }.value
      XCTAssertNotNil(ofTask)
      XCTAssertNotEqual(ofTask, own)
      let ofDetached = await Task.detached { Self.address }.value
      XCTAssertNil(ofDetached)
    }
  }
}
