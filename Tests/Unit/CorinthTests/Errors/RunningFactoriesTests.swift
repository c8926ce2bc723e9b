// SPDX-License-Identifier: MIT

import Corinth
import TestSupport
import XCTest

private final class Parent {}
private final class Child {}

/// Errors that are looked at where they are thrown, before they have passed through the factories
/// around.
final class RunningFactoriesTests: ContainerTestCase {
  func testThePathOfAnErrorHasTheFactoriesThatRun() throws {
    let path = Guarded<[RegistrationKey]>()
    let text = Guarded<String>()
    try container.register(Parent.self) { resolver in
      _ = try resolver.resolve(Child.self)
      return Parent()
    }.as(.unchecked(.singleton))
    try container.register(Child.self) { resolver in
      do {
        _ = try resolver.resolve(Parent.self)
      } catch let error as ResolutionError {
        path.value = error.throughRunningFactories.path
        text.value = "\(error.throughRunningFactories)"
      }
      return Child()
    }.as(.unchecked(.singleton))
    _ = try container.resolve(Parent.self)
    XCTAssertEqual(path.value?.map(\.description), ["Parent", "Child", "Parent"])
    XCTAssertEqual(text.value?.contains("Parent is registered at CorinthTests/"), true)
    XCTAssertEqual(text.value?.contains("Child is registered at CorinthTests/"), true)
  }

  func testAMissingKeyIsShownBehindTheFactoriesThatRun() throws {
    let path = Guarded<[RegistrationKey]>()
    try container.register(Parent.self) { resolver in
      do {
        _ = try resolver.resolve(Child.self)
      } catch let error as ResolutionError {
        path.value = error.throughRunningFactories.path
      }
      return Parent()
    }.as(.unchecked(.singleton))
    _ = try container.resolve(Parent.self)
    XCTAssertEqual(path.value?.map(\.description), ["Parent", "Child"])
  }

  func testOutsideOfFactoriesNothingIsAdded() throws {
    XCTAssertThrowsError(try container.resolve(Child.self)) { error in
      let whole = (error as? ResolutionError)?.throughRunningFactories
      XCTAssertEqual(whole?.path.map(\.description), ["Child"])
    }
  }
}
