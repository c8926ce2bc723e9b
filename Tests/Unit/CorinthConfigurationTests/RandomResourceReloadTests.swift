// SPDX-License-Identifier: MIT

import Corinth
import CorinthConfiguration
import Foundation
import TestSupport
import XCTest

/// Random files, read again in random reloads, against a model that knows what each property says.
///
/// Invariants that are checked after each reload
///  1. Each property is as the resource of the highest place says that has it, or is missing.
///  2. The singletons that depend on a property that has changed, gone or arrived, at any depth,
///     have been replaced and disposed of, and no other.
final class RandomResourceReloadTests: AsyncTestCase {
  func testWhatIsReplacedIsWhatDependsOnAChange() async throws {
    try skipUnderThreadSanitizer()
    let seed = ProcessInfo.processInfo.environment["CORINTH_SEED"].flatMap { UInt64($0) } ?? 1
    for round in 0..<UInt64(StressSize.scaled(300)) {
      try await ResourceWorld(seed: seed &* 1_000_003 &+ round).run()
      if let run = testRun, run.totalFailureCount > 0 { return XCTFail("round \(round)") }
    }
  }
}

private final class ResourceWorld: @unchecked Sendable {
  final class Node: Sendable {
    let text: String
    let needed: [Node]

    init(_ text: String, _ needed: [Node]) { (self.text, self.needed) = (text, needed) }
  }

  /// The values of one resource, by their names.
  typealias File = [String: Int]

  private static let values = ["a", "b", "s.a", "s.b", "s.t.a", "s.t.b", "u.a"]
  private static let names = values + ["s", "s.t", "u"]

  // SAFETY: changed by the task of the test.
  private var random: SeededGenerator
  private let name: String
  private let base = Container()
  private var files: [File] = []
  /// What each singleton reads, and of which others it is made.
  private var needs: [(names: [String], nodes: [Int])] = []
  private let ended = EventLog()

  init(seed: UInt64) {
    random = SeededGenerator(seed: seed)
    name = "seed \(seed)"
  }

  private func isOne(in count: Int) -> Bool { Int.random(in: 0..<count, using: &random) == 0 }

  private func randomFile(after former: File = [:]) -> File {
    var file = former
    for name in Self.values where isOne(in: former.isEmpty ? 2 : 4) {
      file[name] = isOne(in: 3) ? nil : Int.random(in: 0..<3, using: &random)
    }
    return file
  }

  private func resource(_ number: Int, _ file: File) -> Resource {
    if number == 2 {
      let variables = file.map {
        ("P_" + $0.uppercased().replacing(".", with: "_"), "\($1)")
      }
      return .environment(
        prefix: "P_", variables: Dictionary(uniqueKeysWithValues: variables))
    }
    func object(_ prefix: String) -> String {
      var members: [String] = []
      for key in ["a", "b", "s", "t", "u"] {
        let name = prefix + key
        if let value = file[name] { members.append(#""\#(key)": \#(value)"#) }
        if file.keys.contains(where: { $0.hasPrefix("\(name).") }) {
          members.append(#""\#(key)": \#(object("\(name)."))"#)
        }
      }
      return "{\(members.joined(separator: ", "))}"
    }
    return .json(object(""), named: "\(number)")
  }

  /// What each name says if it is there: the value with its kind, or all values of a section.
  private func contents(_ files: [File]) -> [String: String] {
    var values: [String: String] = [:]
    for (number, file) in files.enumerated() {
      for (name, value) in file { values[name] = number == 2 ? "text \(value)" : "\(value)" }
    }
    var contents = values
    for (name, value) in values.sorted(by: { $0.key < $1.key }) {
      var section = name[...]
      while let dot = section.lastIndex(of: ".") {
        section = section[..<dot]
        contents[String(section), default: ""] += "\(name)=\(value);"
      }
    }
    return contents
  }

  func run() async throws {
    for number in 0..<Int.random(in: 1...3, using: &random) {
      files.append(randomFile())
      try base.register(resource: resource(number, files[number]))
    }
    for number in 0..<Int.random(in: 1...8, using: &random) {
      let names = Self.names.filter { _ in isOne(in: 5) }
      needs.append((names, (0..<number).filter { _ in isOne(in: 4) }))
      try register(number)
    }
    let reloadable = ReloadableContainer(base)
    var nodes = try resolve(reloadable)
    for step in 0..<Int.random(in: 1...6, using: &random) {
      let (former, before) = (contents(files), ended.entries.count)
      try await reload(reloadable)
      let latest = contents(files)
      let changed = Set(Self.names.filter { former[$0] != latest[$0] })
      var reached: Set<Int> = []
      for (number, need) in needs.enumerated()
      where need.names.contains(where: changed.contains)
        || need.nodes.contains(where: reached.contains)
      {
        reached.insert(number)
      }
      let place = "\(name), step \(step): \(changed)"
      XCTAssertEqual(ended.entries[before...].sorted(), reached.map { "\($0)" }.sorted(), place)
      let next = try resolve(reloadable)
      for number in needs.indices {
        XCTAssertEqual(next[number] === nodes[number], !reached.contains(number), place)
        let text = needs[number].names.map { latest[$0] == nil ? "- " : "\($0) " }.joined()
        XCTAssertEqual(next[number].text, text, "\(number) of \(place)")
        for (needed, node) in zip(needs[number].nodes, next[number].needed) {
          XCTAssert(node === next[needed], place)
        }
      }
      nodes = next
      try check(reloadable.current, latest, place)
    }
    try await base.shutdown()
  }

  private func register(_ number: Int) throws {
    let (names, others) = needs[number]
    try base.register(Node.self, name: Name(number), scope: .singleton) { resolver in
      var text = ""
      for name in names {
        let isThere = try resolver.container.registrations(includingParents: true).contains {
          $0.key == .property(name)
        }
        text += isThere ? "\(name) " : "- "
      }
      return Node(text, try others.map { try resolver.resolve(Node.self, name: Name($0)) })
    }.dependsOn(
      keys: names.map { .property($0) }
        + others.map { RegistrationKey(product: Node.self, name: Name($0)) }
    ).onDispose { [ended] _ in ended.add("\(number)") }
  }

  private func resolve(_ reloadable: ReloadableContainer) throws -> [Node] {
    try needs.indices.map { try reloadable.current.resolve(Node.self, name: Name($0)) }
  }

  /// Some of the resources, in their order, are read again.
  private func reload(_ reloadable: ReloadableContainer) async throws {
    let numbers = files.indices.filter { _ in !isOne(in: 3) }
    for number in numbers { files[number] = randomFile(after: files[number]) }
    let resources = numbers.map { resource($0, files[$0]) }
    // Properties that are missing are findings of a validation.
    try await reloadable.reload(validating: false) { version in
      for resource in resources { try version.register(resource: resource) }
    }.value
  }

  private func check(
    _ container: Container, _ contents: [String: String], _ place: String
  ) throws {
    for name in Self.values {
      let value = try? container.property(name, as: Int.self)
      let expected = contents[name].flatMap { Int($0.replacing("text ", with: "")) }
      XCTAssertEqual(value, expected, "\(name), \(place)")
    }
    for name in Self.names {
      let isListed = container.registrations.contains { $0.key == .property(name) }
      XCTAssertEqual(isListed, contents[name] != nil, "\(name), \(place)")
    }
  }
}
