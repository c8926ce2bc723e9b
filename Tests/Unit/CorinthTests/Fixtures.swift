// SPDX-License-Identifier: MIT

import Corinth
import TestSupport

/// A protocol that only classes adopt.
protocol Engine: AnyObject {
  var power: Int { get }
}

/// A protocol that any type may adopt.
protocol Shape {
  var area: Int { get }
}

class Motor: Engine {
  let power: Int

  init(power: Int = 1) {
    self.power = power
  }
}

final class Turbine: Motor {}

struct Square: Shape, Equatable {
  let side: Int
  var area: Int { side * side }
}

final class Circle: Shape {
  let area = 3
}

enum Role: Hashable, Sendable {
  case admin
  case guest(visits: Int)
}

struct FixtureError: Error, Equatable, CustomStringConvertible {
  let reason: String

  init(_ reason: String) {
    self.reason = reason
  }

  var description: String { "fixture failed: \(reason)" }
}

/// A type of its own for each key of a graph, with what was resolved for it.
final class Node<Tag> {
  let dependency: AnyObject?

  init(_ dependency: AnyObject? = nil) {
    self.dependency = dependency
  }
}

enum A {}
enum B {}
enum C {}
enum D {}
