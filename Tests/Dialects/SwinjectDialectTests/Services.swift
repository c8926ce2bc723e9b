// SPDX-License-Identifier: MIT

import SwinjectDialect
import TestSupport

protocol Animal: AnyObject {
  var name: String? { get set }
}

// SAFETY: each test uses its animals on one thread, or changes none.
final class Cat: Animal, @unchecked Sendable {
  var name: String?
  var count = 0

  init(name: String? = nil) {
    self.name = name
  }
}

final class Dog: Animal, @unchecked Sendable {
  var name: String?

  init(name: String? = nil) {
    self.name = name
  }
}

protocol Person {
  var pet: (any Animal)? { get }
}

final class PetOwner: Person {
  var pet: (any Animal)?
  var favoriteFood: String?

  init(pet: (any Animal)? = nil) {
    self.pet = pet
  }
}

/// Two services that need each other.
class Mother: @unchecked Sendable {
  // SAFETY: written in completions, by the thread that makes it.
  var child: Child?
  let tracked: Tracked?

  init(_ tracker: LifetimeTracker? = nil) {
    tracked = tracker?.make()
  }
}

class Child: @unchecked Sendable {
  // SAFETY: as above.
  weak var mother: Mother?
  let tracked: Tracked?

  init(_ tracker: LifetimeTracker? = nil, mother: Mother? = nil) {
    tracked = tracker?.make()
    self.mother = mother
  }
}

/// Counts the runs of a factory.
final class Runs: @unchecked Sendable {
  // SAFETY: only counts of one thread are read.
  var count = 0
}
