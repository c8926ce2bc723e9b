// SPDX-License-Identifier: MIT

import Corinth
import Foundation
import XCTest

/// Instances whose addresses the words of cells cannot hold.
final class StaticInstanceTests: StressTestCase {
  private final class Settings: Sendable {
    let number: Int
    init(_ number: Int) { self.number = number }
  }

  /// As the optimizer makes of `static let settings = Settings(7)`: the object lies in the data of
  /// the program, where its address is a multiple of 8 only.
  private static let settings: Settings = {
    let memory = UnsafeMutableRawPointer.allocate(byteCount: 64, alignment: 16)
    unsafe memory.initializeMemory(as: UInt8.self, repeating: 0, count: 64)
    // Behind the header.
    unsafe (memory + 24).storeBytes(of: 7, as: Int.self)
    typealias Initialize =
      @convention(c) (UnsafeRawPointer, UnsafeMutableRawPointer) ->
      UnsafeMutableRawPointer
    let symbol = unsafe dlsym(nil, "swift_initStaticObject")
    let initialize = unsafe unsafeBitCast(symbol, to: Initialize.self)
    let object = unsafe initialize(
      unsafeBitCast(Settings.self, to: UnsafeRawPointer.self), memory + 8)
    return unsafe Unmanaged<Settings>.fromOpaque(object).takeUnretainedValue()
  }()

  func testAnInstanceInTheDataOfTheProgramIsServedAsAnyOther() throws {
    XCTAssertEqual(Self.settings.number, 7)
    let container = Container()
    try container.register(Settings.self, scope: .graph) { _ in Self.settings }
    try container.register(Settings.self, name: "scoped", scope: .scoped) { _ in Self.settings }
    try container.register(Int.self) {
      try $0.resolve(Settings.self).number + $0.resolve(Settings.self).number
    }
    XCTAssertEqual(try container.resolve(Int.self), 14)
    XCTAssertTrue(try container.resolve(Settings.self) === Self.settings)
    let scope = container.makeScope()
    for _ in 0..<2 {
      XCTAssertTrue(try scope.resolve(Settings.self, name: "scoped") === Self.settings)
    }
    try scope.syncClose()
  }
}
