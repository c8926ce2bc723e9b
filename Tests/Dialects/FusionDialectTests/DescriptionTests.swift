// SPDX-License-Identifier: MIT

import FusionDialect
import TestSupport
import XCTest

final class DescriptionTests: FusionTestCase {
  @PerTest private var container = Container()

  func testAnEmptyContainerSaysSo() {
    XCTAssertEqual(container.debugDescription, "*Container Entries*\n<nothing registered>")
  }

  func testServicesAreListedInOrderWithTheirValues() {
    container.bind(.singleton, id: "b", value: "bar")
    container.bind(id: "a", value: "foo")
    container.bind(id: 7, value: 42)
    container.bind(value: true)
    XCTAssertEqual(
      container.debugDescription,
      """
      *Container Entries*
      - Bool: true (transient)
      - Int (7): 42 (transient)
      - String (a): foo (transient)
      - String (b): bar (singleton)
      """)
  }

  func testTheDescriptionRunsTheFactories() {
    let count = AtomicCounter()
    container.bind(.singleton, value: count.add())
    XCTAssertTrue(container.debugDescription.contains("- Int: 1 (singleton)"))
    XCTAssertTrue(container.debugDescription.contains("- Int: 1 (singleton)"))
    XCTAssertEqual(count.value, 1)
  }

  func testTheServicesOfTheParentAreNotListed() {
    container.bind(value: 1)
    XCTAssertTrue(Container(parent: container).debugDescription.contains("<nothing registered>"))
  }

  /// It ended the program: the listed key is missing by the time that it is resolved.
  func testWhatAFactoryUnbindsWhileItIsListedIsLeftOut() {
    container.bind(to: Int.self) { container in
      container.unbind(type: String.self)
      return 1
    }
    container.bind(to: String.self) { container in
      container.unbind(type: Int.self)
      return "text"
    }
    let lines = container.debugDescription.split(separator: "\n")
    XCTAssertEqual(lines.count, 2, "\(lines)")
  }
}
