// SPDX-License-Identifier: MIT

import SwinjectDialect
import TestSupport
import Testing

/// `initCompleted`, and services that need each other.
struct CompletionTests {
  let container = Container()
  let log = EventLog()

  @Test func completionsRunInOrderForNewInstancesOnly() {
    container.register(Cat.self) { _ in Cat() }
      .initCompleted { r, cat in
        #expect(r as? Container === container)
        cat.count += 1
        log.add("first")
      }
      .initCompleted { _, _ in log.add("second") }
      .inObjectScope(.container)
    #expect(container.resolve(Cat.self)?.count == 1)
    #expect(container.resolve(Cat.self)?.count == 1)
    #expect(log.entries == ["first", "second"])
  }

  @Test func aDependencyIsCompleteBeforeTheFactoryGoesOn() {
    container.register(Cat.self) { _ in
      log.add("cat")
      return Cat()
    }.initCompleted { _, _ in log.add("cat completed") }
    container.register(PetOwner.self) { r in
      let cat = r.resolve(Cat.self)
      log.add("owner")
      return PetOwner(pet: cat)
    }.initCompleted { _, _ in log.add("owner completed") }
    _ = container.resolve(PetOwner.self)
    #expect(log.entries == ["cat", "cat completed", "owner", "owner completed"])
  }

  @Test func propertiesAndMethodsAreInjectedInFactoriesOrCompletions() {
    container.register(PetOwner.self) { r in
      let owner = PetOwner()
      owner.pet = Dog(name: "Hachi")
      return owner
    }.initCompleted { _, owner in owner.favoriteFood = "kibble" }
    let owner = container.resolve(PetOwner.self)!
    #expect(owner.pet?.name == "Hachi")
    #expect(owner.favoriteFood == "kibble")
  }

  @Test(arguments: [ObjectScope.graph, .container, .weak]) func aCycleOfInitializerAndProperty(
    _ scope: ObjectScope
  ) {
    // The mother's factory gets the child, whose completion gets the mother: her factory runs
    // twice.
    container.register(Child.self) { _ in
      log.add("child")
      return Child()
    }.inObjectScope(scope).initCompleted { r, child in
      child.mother = r.resolve(Mother.self)
      log.add("child completed")
    }
    container.register(Mother.self) { r in
      log.add("mother")
      let mother = Mother()
      mother.child = r.resolve(Child.self)
      return mother
    }.inObjectScope(scope).initCompleted { _, _ in log.add("mother completed") }
    let mother = container.resolve(Mother.self)!
    #expect(mother.child?.mother === mother)
    #expect(
      log.entries == ["mother", "child", "mother", "mother completed", "child completed"])
  }

  @Test(arguments: [ObjectScope.graph, .container, .weak])
  func aCycleOfTwoPropertiesRunsEachFactoryOnce(
    _ scope: ObjectScope
  ) {
    container.register(Mother.self) { _ in
      log.add("mother")
      return Mother()
    }.inObjectScope(scope).initCompleted { r, mother in mother.child = r.resolve(Child.self) }
    container.register(Child.self) { _ in
      log.add("child")
      return Child()
    }.inObjectScope(scope).initCompleted { r, child in child.mother = r.resolve(Mother.self) }
    let mother = container.resolve(Mother.self)!
    #expect(mother.child?.mother === mother)
    #expect(log.entries == ["mother", "child"])
    let child = container.resolve(Child.self)!
    withExtendedLifetime(child.mother) {}
  }

  @Test(arguments: [ObjectScope.transient, .graph, .container]) func aCycleOfInitializersIsEndless(
    _ scope: ObjectScope
  ) async {
    let text = scope.description
    switch text {
    case "transient":
      await #expect(processExitsWith: .failure) { CompletionTests.endlessCycle(.transient) }
    case "graph":
      await #expect(processExitsWith: .failure) { CompletionTests.endlessCycle(.graph) }
    default:
      await #expect(processExitsWith: .failure) { CompletionTests.endlessCycle(.container) }
    }
  }

  private static func endlessCycle(_ scope: ObjectScope) {
    let container = Container()
    container.register(Mother.self) { r in
      let mother = Mother()
      mother.child = r.resolve(Child.self)
      return mother
    }.inObjectScope(scope)
    container.register(Child.self) { r in Child(mother: r.resolve(Mother.self)) }
      .inObjectScope(scope)
    _ = container.resolve(Mother.self)
  }

  @Test func aCycleOfTransientsIsEndlessEvenInCompletions() async {
    await #expect(processExitsWith: .failure) {
      let container = Container()
      container.register(Mother.self) { _ in Mother() }.inObjectScope(.transient)
        .initCompleted { r, mother in mother.child = r.resolve(Child.self) }
      container.register(Child.self) { _ in Child() }.inObjectScope(.transient)
        .initCompleted { r, child in child.mother = r.resolve(Mother.self) }
      _ = container.resolve(Mother.self)
    }
  }

  @Test func anInstanceIsReleasedWithItsContainer() async {
    let tracker = LifetimeTracker()
    do {
      let container = Container()
      container.register(Tracked.self) { _ in tracker.make() }.inObjectScope(.container)
      _ = container.resolve(Tracked.self)
      #expect(tracker.alive == 1)
    }
    await tracker.waitUntilNoneIsLeft()
    #expect(tracker.alive == 0)
  }

  @Test func aGraphDoesNotOutliveItsResolve() {
    let tracker = LifetimeTracker()
    let container = Container()
    container.register(Tracked.self) { _ in tracker.make() }
    container.register(Int.self) { r in r.resolve(Tracked.self)!.serial }
    #expect(container.resolve(Int.self) == 1)
    #expect(tracker.alive == 0)
  }
}
