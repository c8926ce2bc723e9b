// SPDX-License-Identifier: MIT

import Corinth
import TestSupport
import XCTest

private final class Shard: Sendable {}
private class Animal: @unchecked Sendable {}
private final class Dog: Animal, @unchecked Sendable {}

private protocol Keyed<Key>: Sendable {
  associatedtype Key
}
private struct Texts: Keyed { typealias Key = String }

/// A name that says when its code runs.
private struct LoudName: Hashable, CustomStringConvertible {
  static let uses = AtomicCounter()
  let number: Int

  var description: String {
    Self.uses.add()
    return "loud \(number)"
  }
}

/// What an error says about the registrations that resemble the missing one.
final class NearMissTests: ContainerTestCase {
  private func register(_ name: Name?, line: UInt = 1, in container: Container? = nil) throws {
    try (container ?? self.container).register(
      Shard.self, name: name, file: "App/Main.swift", line: line
    ) { _ in Shard() }
  }

  /// The hints of the error of a resolve.
  private func hints(
    _ name: Name? = nil, in container: Container? = nil, line: UInt = #line
  ) -> [String] {
    var hints: [String] = []
    XCTAssertThrowsError(
      try (container ?? self.container).resolve(Shard.self, name: name), line: line
    ) { error in
      hints = "\(error)".split(separator: "\n").filter { $0.hasPrefix("  hint: ") }
        .map { String($0.dropFirst("  hint: ".count)) }
    }
    return hints
  }

  private func names(_ names: String..., isAll: Bool = true) -> [String] {
    names.map { "Shard is registered under the name \"\($0)\" (App/Main.swift:1)" }
      + (isAll ? [] : ["... and more like these"])
  }

  func testTheNearestOfManyNamesAreShown() throws {
    for number in (0..<1_000).shuffled() { try register(Name("shard-\(number)")) }
    XCTAssertEqual(hints("shard-99x").count, 6)
    XCTAssertTrue(hints("shard-99x").allSatisfy { $0.contains("shard-99") || $0.hasPrefix("...") })
    XCTAssertEqual(hints("shard-1000").first, names("shard-100").first)
    try register("zebra")
    XCTAssertEqual(hints("zebr").first, names("zebra").first)
  }

  func testWhatIsRegisteredAfterAMissIsFoundByTheNext() throws {
    try register("a")
    XCTAssertEqual(hints(), names("a"))
    try register("b")
    XCTAssertEqual(hints(), names("a", "b"))
    for name in ["c", "d", "e", "f"] { try register(Name(name)) }
    XCTAssertEqual(hints(), names("a", "b", "c", "d", "e", isAll: false))
  }

  func testHintsAreTheSameHoweverRegistrationsAndMissesAlternate() throws {
    let texts = (0..<200).map { Name("shard-\($0)") }
    let others = (0..<20).map { Name(LoudName(number: $0)) }
    let names = (texts + others).shuffled()
    let atOnce = Container()
    for name in names { try register(name, in: atOnce) }
    // Misses after one registration, after a few, and after many.
    for (index, name) in names.enumerated() {
      try register(name)
      if index < 40 || index < 100 && index % 5 == 0 || index % 30 == 0 { _ = hints("shard-17x") }
    }
    for name in [nil, "", "shard-", "shard-1x", "shard-19x", "zebra", Name(LoudName(number: 99))] {
      XCTAssertEqual(hints(name), hints(name, in: atOnce))
    }
  }

  func testTheNewestOfThousandsOfKeysAreCompared() throws {
    try register("shard")
    for number in 1..<4_096 {
      try container.register(Int.self, name: Name(number)) { _ in number }
    }
    XCTAssertEqual(hints("shar"), names("shard"))
    try container.register(Int.self) { _ in 0 }
    XCTAssertEqual(hints("shar"), ["register it in this container before it is resolved."])
  }

  func testWhatIsUnregisteredIsNotShown() throws {
    for name in ["a", "b", "c"] { try register(Name(name)) }
    XCTAssertEqual(hints(), names("a", "b", "c"))
    container.unregister(Shard.self, name: "b")
    XCTAssertEqual(hints(), names("a", "c"))
    container.removeAll()
    XCTAssertEqual(hints(), ["register it in this container before it is resolved."])
  }

  func testThePlaceOfAnOverrideIsShown() throws {
    try register("a", line: 1)
    _ = hints()
    try register("a", line: 7)
    XCTAssertEqual(hints(), ["Shard is registered under the name \"a\" (App/Main.swift:7)"])
  }

  func testAChildShowsWhatItSees() throws {
    let child = Container(parent: container)
    try register("a", line: 1)
    try register("b", line: 1)
    try register("a", line: 7, in: child)
    XCTAssertEqual(hints("c"), names("a", "b"))
    XCTAssertEqual(
      Set(hints("c", in: child)),
      ["Shard is registered under the name \"a\" (App/Main.swift:7)", names("b")[0]])
  }

  /// The hint said to register it in the container, which the child had done.
  func testASharedInstanceOfAParentDoesNotSeeWhatAChildRegisters() throws {
    try container.register(Int.self, scope: .singleton) { resolver in
      _ = try resolver.resolve(Shard.self)
      return 1
    }
    let child = Container(parent: container)
    try register(nil, in: child)
    XCTAssertThrowsError(try child.resolve(Int.self)) {
      XCTAssertTrue("\($0)".contains("hint: a child or scope may have it"), "\($0)")
    }
    XCTAssertThrowsError(try Container().resolve(Shard.self)) {
      XCTAssertFalse("\($0)".contains("child"), "\($0)")
    }
  }

  func testAForkShowsWhatItsBaseHadThen() throws {
    try register("a")
    try register("b")
    let fork = container.fork()
    container.unregister(Shard.self, name: "a")
    try register("c")
    XCTAssertEqual(hints(in: fork), names("a", "b"))
    XCTAssertEqual(hints(), names("b", "c"))
    fork.unregister(Shard.self, name: "b")
    XCTAssertEqual(hints(in: fork), names("a"))
  }

  func testRelatedTypesAreFoundWheneverTheyAreRegistered() throws {
    func text() -> String {
      do { return "\(try container.resolve(Animal.self))" } catch { return "\(error)" }
    }
    XCTAssertTrue(text().contains("register it in this container"), text())
    try container.register(Animal?.self) { _ in nil }
    XCTAssertTrue(text().contains("Animal? is registered: resolve that"), text())
    try container.register(Dog.self) { _ in Dog() }
    XCTAssertTrue(text().contains("Dog is registered, which is Animal"), text())
    container.unregister(Dog.self)
    XCTAssertFalse(text().contains("Dog"), text())
  }

  private func hint<Product>(
    missing _: Product.Type, registered register: () throws -> Void, line: UInt = #line
  ) rethrows -> String {
    try register()
    defer { container.removeAll() }
    var text = ""
    XCTAssertThrowsError(try container.resolve(Product.self), line: line) { text = "\($0)" }
    return text
  }

  // Nothing was said of a type that is taken for the missing one: the hint was to register that.
  func testTypesThatLookAlikeAreShown() throws {
    let sendable = try hint(missing: (() -> Int).self) {
      try container.register((@Sendable () -> Int).self) { _ in { 1 } }
    }
    XCTAssertTrue(
      sendable.contains(
        "@Sendable () -> Int is registered, another type: resolve that, or register () -> Int"),
      sendable)
    let labels = try hint(missing: (host: String, port: Int).self) {
      try container.register((String, Int).self) { _ in ("", 0) }
    }
    XCTAssertTrue(
      labels.contains("(String, Int) is registered, another type: resolve that, or register (host"),
      labels)
    let associated = try hint(missing: (any Keyed<Int>).self) {
      try container.register((any Keyed<String>).self) { _ in Texts() }
    }
    XCTAssertTrue(associated.contains("is registered, another type: resolve that"), associated)
    let constrained = try hint(missing: (any Keyed<String>).self) {
      try container.register((any Keyed).self) { _ in Texts() }
    }
    XCTAssertTrue(constrained.contains("any Keyed is registered, another type"), constrained)
  }

  func testNamesakesOfElementsAndOfOptionalsAreShown() throws {
    let wanted = "Summer.Tyre is registered, another type of that name: resolve that, or register "
    let ofElement = try hint(missing: [Winter.Tyre].self, registered: registerSummer)
    XCTAssertTrue(ofElement.contains(wanted + "[CorinthTests.Winter.Tyre]"), ofElement)
    let ofOptional = try hint(missing: Winter.Tyre?.self, registered: registerSummer)
    XCTAssertTrue(ofOptional.contains(wanted + "CorinthTests.Winter.Tyre?"), ofOptional)
  }

  private func registerSummer() throws {
    try container.register(Summer.Tyre.self) { _ in Summer.Tyre() }
  }

  func testOneOfManyContributionsIsShownBesideNames() throws {
    for _ in 0..<50 { try container.contribute(to: Shard.self) { _ in Shard() } }
    try register("a")
    let hints = hints()
    XCTAssertEqual(hints.count, 2, "\(hints)")
    XCTAssertTrue(hints.contains { $0.contains("is contributed to [Shard]") }, "\(hints)")
    XCTAssertTrue(hints.contains(names("a")[0]), "\(hints)")
  }

  func testTheCodeOfNamesRunsWhenTheErrorIsPrinted() throws {
    for number in 0..<20 { try register(Name(LoudName(number: number))) }
    let uses = LoudName.uses.value
    var errors: [any Error] = []
    XCTAssertThrowsError(try container.resolve(Shard.self, name: "a")) { errors.append($0) }
    // XCTest prints nothing of an error that is expected.
    XCTAssertEqual(LoudName.uses.value, uses)
    XCTAssertTrue("\(errors[0])".contains("under the name loud"), "\(errors[0])")
  }

  func testThreadsThatMissWhileOthersRegisterFindWhatIsThere() throws {
    let container = container
    try onThreads(4) { thread in
      for number in 0..<200 {
        if thread < 2 {
          try container.register(Shard.self, name: Name("\(thread)-\(number)")) { _ in Shard() }
        } else {
          do { _ = try container.resolve(Shard.self, name: "0-") } catch { _ = "\(error)" }
        }
      }
    }
    XCTAssertEqual(hints("0-").count, 6)
    XCTAssertTrue(hints("0-").dropLast().allSatisfy { $0.contains("\"0-") })
  }
}
