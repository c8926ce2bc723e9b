// SPDX-License-Identifier: MIT

import Foundation
import XCTest

@testable import Corinth

private protocol Plain {}
private protocol Second {}
private protocol WithPrimary<Element> { associatedtype Element }
private class Base {}
private final class Derived: Base, Plain, Second {}
private class Generic<Value> {}
private struct Structure: Plain {}
private struct GenericStructure<Value> {}
private enum Enumeration { case only }

@MainActor private protocol OnMain {}
private struct Isolated: @MainActor OnMain {}

/// The layout of the metadata of types, and the functions of the Swift runtime that are looked up
/// by name: design note 27.
final class MetadataAssumptionTests: XCTestCase {
  func testTheAddressOfATypeIsTheTypeBitByBit() {
    for type: any Any.Type in [Int.self, Base.self, (any Plain).self, (Int, Bool).self] {
      XCTAssertEqual(unsafe unsafeBitCast(type, to: UInt.self), identity(of: type))
    }
    XCTAssertEqual(unsafe unsafeBitCast(Optional<any Any.Type>.none, to: UInt.self), 0)
    XCTAssertEqual(MemoryLayout<any Any.Type>.size, MemoryLayout<UInt>.size)
    XCTAssertEqual(MemoryLayout<Base.Type>.size, MemoryLayout<UInt>.size)
  }

  func testTheFirstWordSaysTheKind() {
    XCTAssertEqual(kindWord(of: Structure.self), 0x200)
    XCTAssertEqual(kindWord(of: Enumeration.self), 0x201)
    XCTAssertEqual(kindWord(of: Int?.self), 0x202)
    XCTAssertEqual(kindWord(of: (Int, Bool).self), 0x301)
    XCTAssertEqual(kindWord(of: (() -> Void).self), 0x302)
    XCTAssertEqual(kindWord(of: (any Plain).self), 0x303)
    XCTAssertEqual(kindWord(of: Any.self), 0x303)
    XCTAssertEqual(kindWord(of: (any WithPrimary<Int>).self), 0x307)
    for type: any Any.Type in [Base.self, Derived.self, Generic<Int>.self] {
      XCTAssertTrue(kindWord(of: type) == 0 || kindWord(of: type) > 0x7ff, "\(type)")
    }
  }

  func testTheDescriptorSaysWhetherATypeIsGeneric() {
    XCTAssertTrue(isGenericValue(GenericStructure<Int>.self))
    XCTAssertTrue(isGenericValue([Int].self))
    XCTAssertFalse(isGenericValue(Structure.self))
    XCTAssertFalse(isGenericValue(Enumeration.self))
    XCTAssertTrue(isGenericClass(Generic<Int>.self))
    XCTAssertFalse(isGenericClass(Base.self))
    XCTAssertFalse(isGenericClass(Derived.self))
  }

  func testAnExistentialListsItsProtocols() {
    XCTAssertTrue(isExistential((any Plain).self))
    XCTAssertTrue(isExistential((any Plain & Second).self))
    XCTAssertTrue(isExistential((any Base & Plain).self))
    XCTAssertFalse(isExistential(Any.self))
    XCTAssertFalse(isExistential(AnyObject.self))
    XCTAssertFalse(isExistential(Structure.self))
  }

  func testTheRuntimeFindsConformancesByTheListedProtocols() {
    XCTAssertTrue(isSubtype(Structure.self, of: (any Plain).self))
    XCTAssertFalse(isSubtype(Structure.self, of: (any Plain & Second).self))
    XCTAssertTrue(isSubtype(Derived.self, of: (any Plain & Second).self))
    XCTAssertFalse(isSubtype(Base.self, of: (any Plain).self))
  }

  func testTheRuntimeNamesTheActorOfAConformance() {
    let actor = actor(ofConformanceOf: Isolated.self, to: (any OnMain).self)
    XCTAssertTrue(actor == MainActor.self, "\(String(describing: actor))")
    XCTAssertNil(Corinth.actor(ofConformanceOf: Structure.self, to: (any Plain).self))
  }

  /// The address behind the kind, of a class three words further on, lies in the file that declares
  /// the type.
  func testADescriptorLiesInTheImageThatDeclaresTheType() throws {
    let ofTests = try XCTUnwrap(image(of: Structure.self))
    for type: any Any.Type in [
      Enumeration.self, GenericStructure<Int>.self, Base.self, Derived.self, Generic<Int>.self,
      (any Plain).self, [Structure].self, (any WithPrimary<Int>).self,
    ] {
      XCTAssertEqual(image(of: type), ofTests, "\(type)")
    }
    XCTAssertNotEqual(image(of: Int.self), ofTests)
  }
}
