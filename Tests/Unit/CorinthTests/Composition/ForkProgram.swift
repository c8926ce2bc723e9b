// SPDX-License-Identifier: MIT

import Corinth
import TestSupport
import XCTest

/// A random program on containers, their children and forks, beside a model of it that copies
/// dictionaries.
struct ForkProgram {
  struct Plain: Sendable, Hashable {
    let registration: Int
  }

  struct Decorated: Sendable, Hashable {
    let registration: Int
    var decorators: [Int] = []
  }

  /// A key: one of the names, of one of the two products.
  struct Key: Hashable {
    let name: Int
    let isDecorated: Bool
  }

  struct Entry {
    let registration: Int
    let factory: Int
  }

  /// What a container has, as far as resolves can tell.
  final class Member {
    let container: Container
    let parent: Member?
    let base: Member?
    var own: [Key: Entry] = [:]
    var decorators: [Int] = []
    var overrides: [ModelOverride] = []

    init(_ container: Container, parent: Member? = nil, base: Member? = nil) {
      (self.container, self.parent, self.base) = (container, parent, base)
    }

    /// A fork: the copy of all that its base sees.
    convenience init(forkOf base: Member) {
      self.init(base.container.fork(), base: base)
      own = base.visible
      decorators = base.allDecorators
    }

    var visible: [Key: Entry] { own.merging(parent?.visible ?? [:]) { own, _ in own } }
    var allDecorators: [Int] { (parent?.allDecorators ?? []) + decorators }
  }

  final class ModelOverride {
    let key: Key
    let registration: Int
    var former: Entry

    init(_ key: Key, _ registration: Int, former: Entry) {
      (self.key, self.registration, self.former) = (key, registration, former)
    }
  }

  private static let names = 4
  let factories = LifetimeTracker()
  private(set) var members: [Member] = [Member(Container())]
  private var random: SeededGenerator
  private var log: [String] = []
  private var registrations = 0
  private var decorators = 0
  private var handles: [Registration<Plain>] = []
  private typealias Restoration = () -> Bool
  private var overrides: [(Restoration, ModelOverride, Member)] = []

  init(seed: UInt64) {
    random = SeededGenerator(seed: seed)
  }

  /// Runs some steps, and compares all containers with the model now and then.
  mutating func run(steps: Int) throws {
    for step in 0..<steps {
      try self.step()
      if step % 4 == 3 { try check(members.randomElement(using: &random)) }
    }
    for member in members { try check(member) }
  }

  /// Drops all forks, and what is below them. What only they needed must be gone then.
  mutating func dropForks() {
    handles = []
    members.removeAll { member in
      sequence(first: member) { $0.parent }.contains { $0.base != nil }
    }
    let left = members
    overrides.removeAll { _, model, member in
      if left.contains(where: { $0 === member }) { return false }
      // Its container may be the parent of one that is left.
      member.overrides.removeAll { $0 === model }
      return true
    }
  }

  /// The factories of what the containers have, and of what is overridden there.
  var neededFactories: Set<Int> {
    var all: Set<Int> = []
    var seen: [Member] = members
    while let member = seen.popLast() {
      all.formUnion(member.own.values.map(\.factory))
      all.formUnion(member.overrides.map(\.former.factory))
      seen += [member.parent, member.base].compactMap { $0 }
    }
    return all
  }

  mutating func dropAll() {
    handles = []
    overrides = []
    members = []
  }

  // MARK: - Steps

  private mutating func step() throws {
    guard let member = members.randomElement(using: &random) else { return }
    let key = Key(
      name: .random(in: 0..<Self.names, using: &random), isDecorated: .random(using: &random))
    let step = Int.random(in: 0..<100, using: &random)
    log.append("\(step) \(key) in \(number(of: member))")
    switch step {
    case ..<22: try register(key, in: member)
    case ..<30: try override(key, in: member)
    case ..<36: restore()
    case ..<42: modify()
    case ..<50:
      if key.isDecorated {
        member.container.unregister(Decorated.self, name: Name(key.name))
      } else {
        member.container.unregister(Plain.self, name: Name(key.name))
      }
      member.own[key] = nil
    case ..<52:
      member.container.removeAll()
      member.own = [:]
    case ..<54:
      member.container.removeAll { $0.key.name == Name(key.name) }
      member.own = member.own.filter { $0.key.name != key.name }
    case ..<58: try decorate(member)
    case ..<62: member.container.releaseAll()
    case ..<76: _ = try find(key, in: member)
    case ..<84: members.append(Member(forkOf: member))
    case ..<88:
      let child = Member(Container(parent: member.container), parent: member)
      members.append(child)
    case ..<92: member.container.detach()
    default: drop(member)
    }
    if members.count > 10 { drop(members[.random(in: 1..<members.count, using: &random)]) }
  }

  private func number(of member: Member) -> Int {
    members.firstIndex { $0 === member } ?? -1
  }

  private mutating func drop(_ member: Member) {
    if members.count == 1 || member === members[0] { return }
    members.removeAll { $0 === member }
    if random.next() % 2 == 0 {
      handles.removeAll { $0.container === member.container }
      overrides.removeAll { each in
        if each.2 === member { member.overrides.removeAll { $0 === each.1 } }
        return each.2 === member
      }
    }
  }

  private mutating func register(_ key: Key, in member: Member) throws {
    registrations += 1
    let registration = registrations
    let factory = factories.make()
    let isSingleton = random.next() % 2 == 0
    if key.isDecorated {
      try member.container.register(Decorated.self, name: Name(key.name)) { _ in
        withExtendedLifetime(factory) { Decorated(registration: registration) }
      }
    } else {
      let handle = try member.container.register(
        Plain.self, name: Name(key.name), scope: isSingleton ? .singleton : .transient
      ) { _ in
        withExtendedLifetime(factory) { Plain(registration: registration) }
      }
      handles.append(handle)
    }
    member.own[key] = Entry(registration: registration, factory: factory.serial)
  }

  private mutating func override(_ key: Key, in member: Member) throws {
    guard let former = member.own[key] else { return }
    registrations += 1
    let registration = registrations
    let factory = factories.make()
    let restore: Restoration =
      if key.isDecorated {
        try member.container.register(
          Decorated.self, name: Name(key.name), scope: .transient, onDuplicate: .require
        ) {
          _ in withExtendedLifetime(factory) { Decorated(registration: registration) }
        }.restore
      } else {
        try member.container.register(Plain.self, name: Name(key.name), onDuplicate: .require) {
          _ in
          withExtendedLifetime(factory) { Plain(registration: registration) }
        }.restore
      }
    let model = ModelOverride(key, registration, former: former)
    member.own[key] = Entry(registration: registration, factory: factory.serial)
    member.overrides.append(model)
    overrides.append((restore, model, member))
  }

  private mutating func restore() {
    guard !overrides.isEmpty else { return }
    let index = Int.random(in: 0..<overrides.count, using: &random)
    let (restore, model, member) = overrides.remove(at: index)
    _ = restore()
    member.overrides.removeAll { $0 === model }
    if member.own[model.key]?.registration == model.registration {
      member.own[model.key] = model.former
    } else if let above = member.overrides.first(where: {
      $0.former.registration == model.registration
    }) {
      above.former = model.former
    }
  }

  private mutating func modify() {
    _ = handles.randomElement(using: &random)?.afterInit { _, _ in }
  }

  private mutating func decorate(_ member: Member) throws {
    decorators += 1
    let decorator = decorators
    try member.container.decorate(Decorated.self) { decorated, _ in
      var decorated = decorated
      decorated.decorators.append(decorator)
      return decorated
    }
    member.decorators.append(decorator)
  }

  // MARK: - Comparison

  private func check(_ member: Member?) throws {
    guard let member else { return }
    // The keys that are resolved later are listed before they have been resolved.
    try checkLists(of: member)
    for name in 0..<Self.names {
      for isDecorated in [false, true] {
        try find(Key(name: name, isDecorated: isDecorated), in: member)
      }
    }
    try checkLists(of: member)
  }

  private func checkLists(of member: Member) throws {
    let listed = member.container.registrations.map { "\($0.key)" }.sorted()
    let expected = member.own.keys.map {
      let name = Name($0.name)
      return $0.isDecorated
        ? "\(RegistrationKey(product: Decorated.self, name: name))"
        : "\(RegistrationKey(product: Plain.self, name: name))"
    }.sorted()
    expect(listed, expected, "registrations", member)
    let all = try member.container.resolveAll(Plain.self).map(\.registration).sorted()
    expect(
      all, member.visible.filter { !$0.key.isDecorated }.values.map(\.registration).sorted(),
      "resolveAll", member)
  }

  private func find(_ key: Key, in member: Member) throws {
    let expected = member.visible[key]?.registration
    if key.isDecorated {
      let found = try member.container.resolveIfRegistered(Decorated.self, name: Name(key.name))
      let whole = expected.map {
        Decorated(registration: $0, decorators: member.allDecorators)
      }
      expect(found, whole, "\(key)", member)
    } else {
      let found = try member.container.resolveIfRegistered(Plain.self, name: Name(key.name))
      expect(found?.registration, expected, "\(key)", member)
    }
  }

  private func expect<Value: Equatable>(
    _ found: Value, _ expected: Value, _ what: String, _ member: Member
  ) {
    if found == expected { return }
    XCTFail(
      "\(what) in \(number(of: member)): \(found) instead of \(expected) after\n"
        + log.suffix(60).joined(separator: "\n"))
  }
}
