// SPDX-License-Identifier: MIT

import BenchmarkSupport
import CScale
import Corinth

/// The memory of the present contents of a container, and of former contents.
enum MemoryRun {
  /// Bytes of one thing, among ten thousand.
  struct Share: Codable, Sendable {
    let what: String
    let bytes: Double
    let limit: Double?
  }

  /// Bytes allocated after a tenth of so many operations, and after all.
  struct Growth: Codable, Sendable {
    let what: String
    let count: Int
    let before: Int
    let after: Int
  }

  private static let count = 10_000

  static func shares() throws -> [Share] {
    let names = (0..<count).map { Name("service \($0)") }
    let container = Container()
    try container.register(Scoped.self, scope: .scoped) { _ in Scoped() }
    let registration = try share {
      for name in names {
        try container.register(Product.self, name: name, scope: .singleton) { _ in Product() }
      }
    }
    let instance = try share {
      for name in names { blackHole(try container.resolve(Product.self, name: name)) }
    }
    var scopes: [Container] = []
    scopes.reserveCapacity(2 * count)
    let scope = share { for _ in 0..<count { scopes.append(container.makeScope()) } }
    let scoped = try share { for scope in scopes { blackHole(try scope.resolve(Scoped.self)) } }
    let child = share { for _ in 0..<count { scopes.append(Container(parent: container)) } }
    let inChild = try share {
      for child in scopes.suffix(count) { try child.register(Product.self) { _ in Product() } }
    }
    blackHole(scopes)
    return [
      Share(what: "registration, 10,000 names", bytes: registration, limit: 400),
      Share(what: "its singleton, the object's 16 included", bytes: instance, limit: nil),
      Share(what: "open scope", bytes: scope, limit: nil),
      Share(what: "its first instance, the object's 16 included", bytes: scoped, limit: nil),
      Share(what: "child", bytes: child, limit: nil),
      Share(what: "its first registration", bytes: inChild, limit: nil),
    ]
  }

  static func growths(_ count: Int) throws -> [Growth] {
    let container = Container()
    try container.register(Product.self, scope: .singleton) { _ in Product() }
    try container.register(Scoped.self, scope: .scoped) { _ in Scoped() }
    try container.register(Transient.self) { _ in Transient() }
    try container.register(Weak.self, scope: .weak) { (_, _: Int) in Weak() }
    try container.register(Cached.self, scope: .cached(for: .nanoseconds(1))) { (_, _: Int) in
      Cached()
    }
    var value = 0
    return [
      try growth("overrides", count) {
        try container.register(Product.self, scope: .singleton) { _ in Product() }
        blackHole(try container.resolve(Product.self))
      },
      try growth("scopes with an instance, closed", count) {
        let scope = container.makeScope()
        blackHole(try scope.resolve(Scoped.self))
        try scope.syncClose()
      },
      try growth("transients", count) { blackHole(try container.resolve(Transient.self)) },
      try growth("children with a registration", count) {
        let child = Container(parent: container)
        try child.register(Transient.self) { _ in Transient() }
        blackHole(try child.resolve(Transient.self))
      },
      try growth("weak instances, each of a value", count) {
        value += 1
        blackHole(try container.resolve(Weak.self, arguments: value))
      },
      try growth("cached instances, each of a value, expired", count) {
        value += 1
        blackHole(try container.resolve(Cached.self, arguments: value))
      },
      try growth("registrations, removed", count) {
        try container.register(Transient.self, name: "removed") { _ in Transient() }
        blackHole(container.unregister(Transient.self, name: "removed"))
      },
    ]
  }

  private static func share(_ body: () throws -> Void) rethrows -> Double {
    let before = scale_heap_bytes()
    try body()
    return Double(scale_heap_bytes() - before) / Double(count)
  }

  private static func growth(
    _ what: String, _ count: Int, _ body: () throws -> Void
  ) rethrows -> Growth {
    for _ in 0..<count / 10 { try body() }
    let before = Int(scale_heap_bytes())
    for _ in count / 10..<count { try body() }
    return Growth(what: what, count: count, before: before, after: Int(scale_heap_bytes()))
  }
}

private final class Product: Sendable {}
private final class Scoped: Sendable {}
private final class Transient: Sendable {}
private final class Weak: Sendable {}
private final class Cached: Sendable {}
