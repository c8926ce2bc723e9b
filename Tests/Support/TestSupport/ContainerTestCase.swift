// SPDX-License-Identifier: MIT

public import Corinth
public import XCTest

/// A test case with a container, which is released when the test ends. Test runners keep the test
/// cases themselves until the process ends, where they would hide leaks.
open class ContainerTestCase: XCTestCase {
  private var current: Container?

  /// Empty when the test begins.
  public var container: Container {
    if let current { return current }
    let container = Container()
    current = container
    return container
  }

  /// Most tests drop their instances.
  open override func setUp() {
    super.setUp()
    Container.onUndisposed = nil
  }

  open override func tearDown() {
    current = nil
    super.tearDown()
  }
}
