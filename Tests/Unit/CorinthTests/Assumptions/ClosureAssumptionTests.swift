// SPDX-License-Identifier: MIT

import XCTest

@testable import Corinth

/// The calling convention of closures, by which a factory gets a resolver whose references are not
/// counted: design note 27.
final class ClosureAssumptionTests: XCTestCase {
  private final class Object {
    let ended: () -> Void
    init(_ ended: @escaping () -> Void) { self.ended = ended }
    deinit { ended() }
  }

  private struct Pair {
    let first: Object
    let second: Object?
  }

  @safe
  // SAFETY: for a call during which both objects are alive.
  private struct UncountedPair {
    let first: Unmanaged<Object>
    let second: Unmanaged<Object>?
  }

  private struct Counted<Result> {
    let call: (Pair) throws -> Result
  }

  private struct Uncounted<Result> {
    let call: (UncountedPair) throws -> Result
  }

  private struct OfInstance<Instance> {
    let call: (Instance) throws -> Int
  }

  @safe
  private struct OfAddress {
    let call: (UnsafeRawPointer) throws -> Int
  }

  private func addressed<Instance>(_ call: @escaping (Instance) throws -> Int) -> OfAddress {
    unsafe unsafeBitCast(OfInstance(call: call), to: OfAddress.self)
  }

  /// Disposers get their instances so.
  func testAParameterOfAGenericTypeIsPassedByItsAddress() throws {
    let (number, text) = (7, "a text that is too long for two words")
    let ofNumber = addressed { (number: Int) in number }
    let ofText = addressed { (text: String) in text.count }
    XCTAssertEqual(try unsafe withUnsafePointer(to: number) { unsafe try ofNumber.call($0) }, 7)
    XCTAssertEqual(
      try unsafe withUnsafePointer(to: text) { unsafe try ofText.call($0) }, text.count)
    var ends = 0
    var object: Object? = Object { ends += 1 }
    let ofObject = addressed { (object: Object) in
      object.ended()
      return 0
    }
    _ = try unsafe withUnsafePointer(to: object) { unsafe try ofObject.call($0) }
    XCTAssertEqual(ends, 1, "called once, and not ended")
    object = nil
    XCTAssertEqual(ends, 2)
  }

  func testAResolverIsTwoWords() {
    XCTAssertEqual(MemoryLayout<Resolver>.size, 2 * MemoryLayout<UInt>.size)
    XCTAssertEqual(MemoryLayout<UncountedResolver>.size, MemoryLayout<Resolver>.size)
  }

  /// A parameter that the callee owned would be released once too often: the objects would end in
  /// the first call.
  func testAClosureGetsItsParameterAtPlusZero() throws {
    var ends = 0
    var kept: [Object] = []
    do {
      let objects = [Object { ends += 1 }, Object { ends += 1 }]
      let call = unsafe unsafeBitCast(
        Counted {
          kept.append($0.first)
          return $0.second.map { ObjectIdentifier($0) }
        }, to: Uncounted<ObjectIdentifier?>.self
      ).call
      let pair = unsafe UncountedPair(
        first: .passUnretained(objects[0]), second: .passUnretained(objects[1]))
      for _ in 0..<10 { XCTAssertEqual(try call(pair), ObjectIdentifier(objects[1])) }
      XCTAssertEqual(ends, 0)
      XCTAssertNil(try call(unsafe UncountedPair(first: .passUnretained(objects[0]), second: nil)))
    }
    XCTAssertEqual(ends, 1, "the other one is kept")
    XCTAssertEqual(kept.count, 11)
    kept = []
    XCTAssertEqual(ends, 2)
  }
}
