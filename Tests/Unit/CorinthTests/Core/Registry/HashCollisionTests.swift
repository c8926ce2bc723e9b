// SPDX-License-Identifier: MIT

import Foundation
import TestSupport
import XCTest

@testable import Corinth

extension Name {
  fileprivate static let one: Name = "1"
}

/// A lookup finds its key alone, though hashes lead to the entry of a neighbor.
///
/// Little is left to chance: the tests search for keys of one entry, and choose hashes. A hit that
/// leaves out the hashes of names, the bits, the arguments, or whether a key has a name fails at
/// the first pair of a family. A comparison of half the bits differs for no names that a test can
/// find: see `CacheTests`, where keys in C are looked up with the hashes of others.
final class HashCollisionTests: XCTestCase {
  private enum Digit: String, Hashable { case one = "1" }

  /// Names which differ in type, length, storage, or not at all.
  private static let names: [NameOfValue] = {
    let texts = [
      "", "\0", "\0\0", "0", "1", "01", "1\0", "+1", "-1", "1.0", "255", "true", "nil", "a", "A",
      "a\0", "\0a", "abcdefg", "abcdefg\0", "abcdefgh", "abcdefgh\0", "abcdefghi", "abcdefgi",
      "abcdefghijklmno", "abcdefghijklmnop", "abcdefghijklmnoP", "Abcdefghijklmnop", "é",
      "e\u{301}",
      "e", "\u{212A}", "K", "k", "\u{FB01}", "fi", "K\u{301}", "\u{1E30}", "-9223372036854775808",
      "18446744073709551615", "a text of more than sixteen bytes, é",
      "a text of more than sixteen bytes, e",
      "a text of more than sixteen bytes, e\u{301}",
    ]
    let values: [any Hashable & Sendable] = [
      0, 1, -1, 255, Int.min, Int.max, UInt64.max, UInt8(1), Int8(-1), UInt8.max, UInt(1), 1 << 62,
      true, false, 0.0, -0.0, 1.0, 0.5, Float(1), Int?.none, String?.none, Int?(1),
      Digit.one, Character("1"), Character("a"), [1], [1, 1], [Int](), ["1"],
      UUID(), UUID(), Role.admin, Role.guest(visits: 1),
      Alike(id: 1), Alike(id: 2), Chosen(hash: 0, id: 1), Chosen(hash: 2, id: 1),
      Chosen(hash: 2, id: 2),
      Chosen(hash: Name(1).hash, id: 1), Chosen(hash: Name(true).hash, id: 1),
      Chosen(hash: Name(Alike(id: 1)).hash, id: 1), Chosen(hash: Name("1").hash & ~1, id: 1),
    ]
    func name(_ value: some Hashable & Sendable) -> NameOfValue { NameOfValue(value) }
    return texts.map { NameOfValue(text: $0) } + values.map { name($0) } + [
      NameOfValue(String?("a"), asOf: "a"), NameOfValue(Substring("1"), asOf: "1"),
      NameOfValue(Name(1), asOf: 1), NameOfValue(Name("1"), asOf: "1"),
      NameOfValue(text: "1", kept: "1"), NameOfValue(text: "1", kept: .one),
      NameOfValue(text: "a", kept: Name("bab".dropFirst().dropLast())),
    ]
  }()

  // MARK: - Pairs

  /// Every key is looked up with the hash of every other key.
  func testOneHashOfAllKeysWouldNotMixThemUp() {
    let keys = [KeyFamily.plain, KeyFamily.other].flatMap { shape in
      Self.names.map { CollidingKey(shape, $0) }
    }
    for registered in keys {
      let table = SlotTable()
      let slot = table.slotMade(for: registered.key)
      let hash = KeyWords(registered.key).hash
      for key in keys {
        let isEqual = key.identity == registered.identity
        for name in [key.name.kept, key.name.make()] {
          guard let name else { continue }
          let words = KeyWords(
            product: KeyWords(key.key).product, name: NameBits(name), hash: hash)
          let cached = withExtendedLifetime(name) { table.cachedSlot(of: words) }
          let found = withExtendedLifetime(name) { table.find(words) }
          XCTAssertEqual(found, isEqual ? slot : nil, "\(key.key), beside \(registered.key)")
          XCTAssert(cached == nil || isEqual, "\(key.key), beside \(registered.key)")
          XCTAssert(!isEqual || !table.lacks(words), "\(key.key)")
        }
      }
    }
  }

  /// Each container registers, and the second container, perhaps the same, is asked.
  private static let pairsOfContainers: [@Sendable (Container) -> (Container, Container)] = [
    { ($0, $0) },
    { ($0, Container(parent: $0)) },
    { ($0, Container(parent: $0).makeScope()) },
    { base in
      let scope = base.makeScope()
      return (scope, scope)
    },
    { base in
      let fork = base.fork()
      return (fork, fork)
    },
  ]

  func testKeysOfOneEntryAreToldApart() throws {
    for family in KeyFamily.all {
      let collisions = family.collisions(3)
      XCTAssertEqual(collisions.count, 3, family.description)
      for (first, second) in collisions {
        for (index, containers) in Self.pairsOfContainers.enumerated() {
          let base = Container()
          // Children show the caches of parents that have registrations.
          try base.register(Int.self) { _ in 0 }
          let (container, asked) = containers(base)
          let comment = "\(family.description), containers \(index)"
          try assertFinds(nil, first, in: asked, comment)
          try first.shape.register(container, first.name.make(), .transient, 1)
          try assertFinds(nil, second, in: asked, comment)
          try assertFinds(1, first, in: asked, comment)
          try second.shape.register(container, second.name.kept, .transient, 2)
          try assertFinds(2, second, in: asked, comment)
          try assertFinds(1, first, in: asked, comment)
          XCTAssert(try first.shape.unregister(container, first.name.kept), comment)
          try assertFinds(nil, first, in: asked, comment)
          try assertFinds(2, second, in: asked, comment)
          try first.shape.register(container, first.name.kept, .transient, 3)
          try assertFinds(3, first, in: asked, comment)
          XCTAssert(try second.shape.unregister(container, second.name.make()), comment)
          try assertFinds(nil, second, in: asked, comment)
        }
      }
    }
  }

  private func assertFinds(
    _ expected: Int?, _ key: CollidingKey, in container: Container, _ comment: String
  ) throws {
    for (index, way) in key.shape.ways.enumerated() {
      let found = try key.found { try way(container, key.name.kept) }
      XCTAssertEqual(found, expected, "\(comment): \(key.key), way \(index)")
    }
    let found = try key.found { try key.shape.ways[0](container, key.name.make()) }
    XCTAssertEqual(found, expected, "\(comment): \(key.key), made anew")
    XCTAssertEqual(try key.shape.contains(container, key.name.kept), expected != nil, comment)
  }

  func testKeysOfOneEntryAreToldApartByTasks() async throws {
    for family in KeyFamily.all {
      for (first, second) in family.collisions(2) {
        let container = Container()
        try first.shape.register(container, first.name.kept, first.shape.scopes.last!, 1)
        for _ in 1...2 {
          for way in first.shape.asyncWays {
            let found = try await first.found { try await way(container, first.name.kept) }
            XCTAssertEqual(found, 1, family.description)
          }
          for way in second.shape.asyncWays {
            let found = try await second.found { try await way(container, second.name.kept) }
            XCTAssertNil(found, family.description)
          }
        }
      }
    }
  }

  // MARK: - Other lookups

  func testADeclaredKeyIsNotAValueOfItsHash() throws {
    let container = Container()
    for number in 0..<100 {
      // Made anew at every use.
      func declared() -> ServiceKey<Numbered<A>> {
        ServiceKey(name: "\(number)", scope: .singleton) { _ in Numbered(number) }
      }
      let hash = try XCTUnwrap(declared().key.name).hash
      let values = (0...1).map { Name(Chosen(hash: hash, id: $0)) }
      for name in values + ["\(number)"] {
        XCTAssertNil(try container.resolveIfRegistered(Numbered<A>.self, name: name))
      }
      try container.register(Numbered<A>.self, name: values[0]) { _ in Numbered(-1) }
      for _ in 1...2 {
        XCTAssertEqual(try container.resolve(declared()).registration, number)
        XCTAssertEqual(try container.resolve(Numbered<A>.self, name: values[0]).registration, -1)
      }
      XCTAssertNil(try container.resolveIfRegistered(Numbered<A>.self, name: values[1]))
    }
  }

  func testElementsOfACollectionReplaceElementsOfTheirNamesAlone() throws {
    let container = Container()
    var expected: [AnyHashable: Int] = [:]
    for (number, name) in (Self.names + Self.names.reversed()).enumerated() {
      guard let value = name.value else { continue }
      try container.contribute(to: Numbered<A>.self, name: name.make()) { _ in Numbered(number) }
      expected[value] = number
    }
    let found = try container.resolveAll(Numbered<A>.self).map(\.registration)
    XCTAssertEqual(found.sorted(), expected.values.sorted())
  }

  func testValuesOfArgumentsOfOneHashHaveInstancesOfTheirOwn() throws {
    let container = Container()
    try container.register(Numbered<A>.self, scope: .singleton) { (_, value: Alike) in
      Numbered(value.id)
    }
    try container.register(Numbered<A>.self, scope: .singleton) { (_, value: Alike, other: Alike) in
      Numbered(value.id * 1_000 + other.id)
    }
    var instances: [ObjectIdentifier: Numbered<A>] = [:]
    for round in 0...1 {
      for id in 0..<50 {
        let (value, next) = (Alike(id: id), Alike(id: id + 1))
        for (instance, expected) in [
          (try container.resolve(Numbered<A>.self, arguments: value), id),
          (try container.resolve(Numbered<A>.self, arguments: value, next), id * 1_000 + id + 1),
          (
            try container.resolve(Numbered<A>.self, arguments: next, value), id * 1_000 + id + 1_000
          ),
        ] {
          XCTAssertEqual(instance.registration, expected)
          let former = instances.updateValue(instance, forKey: ObjectIdentifier(instance))
          XCTAssertEqual(former == nil, round == 0 || id == 7 && expected == 7)
        }
      }
      XCTAssertEqual(container.release(Numbered<A>.self, arguments: Alike(id: 7)), true)
      XCTAssertEqual(container.release(Numbered<A>.self, arguments: Alike(id: 50)), false)
    }
  }

  // MARK: - Random programs

  /// A container, and the registrations that a dictionary holds for the container.
  private final class Place {
    typealias Registrations = [CollidingKey.Identity: Int]

    let container: Container
    let parent: Place?
    var own: Registrations

    init(_ container: Container, in parent: Place? = nil, _ own: Registrations = [:]) {
      (self.container, self.parent, self.own) = (container, parent, own)
    }

    var visible: Registrations { (parent?.visible ?? [:]).merging(own) { $1 } }

    func expected(_ key: CollidingKey) -> Int? {
      own[key.identity] ?? parent?.expected(key)
    }
  }

  /// With fewer than 64 bits, the cache stays at its smallest size: most lookups meet neighbors.
  func testAContainerIsADictionaryWhateverCollides() throws {
    try skipUnderThreadSanitizer()
    for round in 0..<StressSize.scaled(4) {
      var random = SeededGenerator(seed: UInt64(round))
      let pairs = KeyFamily.all.flatMap { $0.collisions(1) + [$0.pair(round)] }
      let shapes = pairs.map(\.0.shape)
      let others = Self.names.map { CollidingKey(shapes.randomElement(using: &random)!, $0) }
      let keys = (pairs.flatMap { [$0, $1] } + others).shuffled(using: &random)
      // Few keys at first: the cache grows late.
      for count in [4, 12, keys.count] {
        try run(
          Array(keys.prefix(count)), bits: [64, 63, 4, 1][round % 4], steps: 40 + count,
          &random, "round \(round), \(count) keys")
      }
    }
  }

  private func run(
    _ keys: [CollidingKey], bits: UInt32, steps: Int, _ random: inout SeededGenerator,
    _ comment: String
  ) throws {
    let root = Place(Container(fingerprintBits: bits))
    func scope(in place: Place) -> Place { Place(place.container.makeScope(), in: place) }
    func fork(of place: Place) -> Place { Place(place.container.fork(), in: nil, place.visible) }
    let child = Place(Container(parent: root.container), in: root)
    var places = [root, child, scope(in: child), fork(of: root), fork(of: child)]
    for step in 0..<steps {
      let key = keys.randomElement(using: &random)!
      let name = Bool.random(using: &random) ? key.name.kept : key.name.make()
      let place = places.randomElement(using: &random)!
      switch Int.random(in: 0..<20, using: &random) {
      case 0: places[2] = scope(in: child)
      case 1: places[3] = fork(of: root)
      case 2: places[4] = fork(of: places[2])
      case 3: _ = try key.shape.release(place.container, name)
      case 4..<8:
        let wasRegistered = place.own.removeValue(forKey: key.identity) != nil
        XCTAssertEqual(try key.shape.unregister(place.container, name), wasRegistered, comment)
      default:
        let scope = key.shape.scopes.randomElement(using: &random)!
        try key.shape.register(place.container, name, scope, step)
        place.own[key.identity] = step
      }
      for _ in 0..<4 {
        let (key, place) = (
          keys.randomElement(using: &random)!, places.randomElement(using: &random)!
        )
        let name = Bool.random(using: &random) ? key.name.kept : key.name.make()
        let way = key.shape.ways.randomElement(using: &random)!
        let found = try key.found { try way(place.container, name) }
        XCTAssertEqual(found, place.expected(key), "\(comment), step \(step): \(key.key)")
      }
    }
    for place in places {
      for key in keys.prefix(12) {
        try assertFinds(place.expected(key), key, in: place.container, comment)
      }
    }
  }

  // MARK: - Threads

  /// Of three keys, one stays registered, one is never registered, and one comes and goes.
  func testReadersFindTheirKeysAloneWhileAWriterChangesOthers() throws {
    for bits: UInt32 in [64, 63] {
      let container = Container(fingerprintBits: bits)
      var identities: Set<CollidingKey.Identity> = []
      let keys = KeyFamily.all.flatMap { $0.collisions(2).flatMap { [$0, $1] } }
        .filter { identities.insert($0.identity).inserted }
      for (number, key) in keys.enumerated() where number % 3 == 0 {
        try key.shape.register(container, key.name.make(), key.shape.scopes.last!, number)
      }
      let (rounds, done) = (StressSize.scaled(20, sanitized: 5), AtomicCounter())
      let counts = try onThreads(3) { thread -> (lookups: Int, found: Int) in
        if thread == 0 {
          for round in 0..<rounds {
            for (number, key) in keys.enumerated() where number % 3 == 2 {
              try key.shape.register(container, key.name.kept, .transient, number)
              // The cache grows.
              try container.register(Int.self, name: Name(round << 16 | number)) { _ in 0 }
            }
            for (number, key) in keys.enumerated() where number % 3 == 2 {
              XCTAssert(try key.shape.unregister(container, key.name.make()))
            }
          }
          done.add()
          return (0, 0)
        }
        var random = SeededGenerator(seed: UInt64(thread))
        var counts = (lookups: 0, found: 0)
        repeat {
          for (number, key) in keys.enumerated() {
            let way = key.shape.ways.randomElement(using: &random)!
            let found = try key.found { try way(container, key.name.kept) }
            XCTAssert(
              found == (number % 3 == 0 ? number : nil) || number % 3 == 2 && found == number)
            counts.lookups += 1
            counts.found += number % 3 == 0 && found == number ? 1 : 0
          }
        } while done.value == 0
        return counts
      }
      let stay = (keys.count + 2) / 3
      for count in counts.dropFirst() {
        XCTAssertGreaterThan(count.found, 0)
        XCTAssertEqual(count.found, count.lookups / keys.count * stay)
      }
    }
  }
}
