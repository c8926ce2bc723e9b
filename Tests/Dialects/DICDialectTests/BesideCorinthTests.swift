// SPDX-License-Identifier: MIT

import Corinth
import DICDialect
import TestSupport
import XCTest

/// A program that moves to Corinth step by step.
final class BesideCorinthTests: XCTestCase {
  @PerTest private var container = DependencyInjectionContainer()
  @PerTest private var application = Container()

  func testAnErrorOfCorinthsThatABuilderThrowsIsTheBuildersOwn() {
    container.registerThrowable { [application] in try application.resolve(Int.self) }
    XCTAssertNil(container.loadOrNil(Int.self))
    XCTAssertThrowsError(try container.loadOrThrow(Int.self)) {
      XCTAssertEqual(($0 as? ResolutionError)?.path.count, 1, "\($0)")
    }
  }

  func testTheSameOfAnAsynchronousBuilder() async {
    let container = AsyncDependencyInjectionContainer()
    container.registerAsync { [application] in try await application.resolveAsync(Int.self) }
    let found = await container.loadAsyncOrNil(Int.self)
    XCTAssertNil(found)
    do {
      _ = try await container.loadAsyncOrThrow(Int.self)
      XCTFail("must throw")
    } catch {
      XCTAssertEqual((error as? ResolutionError)?.path.count, 1, "\(error)")
    }
  }
}
