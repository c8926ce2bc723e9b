// SPDX-License-Identifier: MIT

import SwinjectDialect
import TestSupport
import Testing

/// Parents and children, forwarded services.
struct HierarchyTests {
  let parent = Container()
  let runs = Runs()

  @Test func aChildResolvesTheServicesOfItsParentAndNotTheReverse() {
    parent.register(Cat.self) { _ in Cat(name: "Mimi") }
    let child = Container(parent: parent)
    child.register(Dog.self) { _ in Dog() }
    #expect(child.resolve(Cat.self)?.name == "Mimi")
    #expect(parent.resolve(Dog.self) == nil)
  }

  @Test func ownRegistrationsGoFirst() {
    parent.register(Cat.self) { _ in Cat(name: "parent") }
    let child = Container(parent: parent)
    child.register(Cat.self) { _ in Cat(name: "child") }
    #expect(child.resolve(Cat.self)?.name == "child")
    #expect(parent.resolve(Cat.self)?.name == "parent")
  }

  @Test func aChildKeepsItsParentAlive() {
    let child = Container(parent: Container { $0.register(Cat.self) { _ in Cat(name: "Mimi") } })
    #expect(child.resolve(Cat.self)?.name == "Mimi")
  }

  @Test func theFactoryOfAParentGetsTheChildThatWasAsked() {
    parent.register(Cat.self) { _ in Cat(name: "parent") }
    parent.register(PetOwner.self) { r in PetOwner(pet: r.resolve(Cat.self)) }
      .inObjectScope(.container)
      .initCompleted { r, _ in
        #expect(r as? Container !== parent)
        runs.count += 1
      }
    let child = Container(parent: parent)
    child.register(Cat.self) { _ in Cat(name: "child") }
    let owner = child.resolve(PetOwner.self)
    #expect(owner?.pet?.name == "child")
    #expect(parent.resolve(PetOwner.self) === owner, "the parent shares it")
    #expect(runs.count == 1)
  }

  @Test(arguments: [ObjectScope.container, .weak]) func instancesBelongToTheEntry(
    _ scope: ObjectScope
  ) {
    parent.register(Cat.self) { _ in Cat() }.inObjectScope(scope)
    let (first, second) = (Container(parent: parent), Container(parent: parent))
    let cat = first.resolve(Cat.self)
    #expect(second.resolve(Cat.self) === cat)
    #expect(parent.resolve(Cat.self) === cat)
  }

  @Test func resetReachesTheParentsAndNotTheChildren() {
    parent.register(Cat.self) { _ in Cat() }.inObjectScope(.container)
    let child = Container(parent: parent)
    child.register(Dog.self) { _ in Dog() }.inObjectScope(.container)
    let (cat, dog) = (child.resolve(Cat.self), child.resolve(Dog.self))
    parent.resetObjectScope(.container)
    #expect(child.resolve(Dog.self) === dog)
    #expect(child.resolve(Cat.self) !== cat)
    let other = child.resolve(Cat.self)
    child.resetObjectScope(.container)
    #expect(child.resolve(Cat.self) !== other)
    #expect(child.resolve(Dog.self) !== dog)
  }

  @Test func resetByTypeGoesOnOnlyFromContainersThatHaveTheType() {
    parent.register(Cat.self) { _ in Cat() }.inObjectScope(.container)
    let child = Container(parent: parent)
    let cat = child.resolve(Cat.self)
    child.resetObjectScope(.container, serviceType: Cat.self)
    #expect(child.resolve(Cat.self) === cat)
    child.register(Cat.self, name: "other") { _ in Cat() }
    child.resetObjectScope(.container, serviceType: Cat.self)
    #expect(child.resolve(Cat.self) !== cat)
  }

  @Test func aRegistrationIsFoundWhateverItsArguments() {
    parent.register(Cat.self, name: "a") { (_, _: Int) in Cat() }
    let child = Container(parent: parent)
    child.register(Dog.self) { _ in Dog() }.implements(Animal.self, name: "alias")
    #expect(child.hasAnyRegistration(of: Cat.self, name: "a"))
    #expect(!child.hasAnyRegistration(of: Cat.self))
    #expect(child.hasAnyRegistration(of: Dog.self))
    #expect(!parent.hasAnyRegistration(of: Dog.self))
    #expect(child.hasAnyRegistration(of: Animal.self, name: "alias"))
    #expect(!child.hasAnyRegistration(of: Lazy<Dog>.self))
    #expect(!child.hasAnyRegistration(of: Dog?.self))
  }

  @Test func forwardedServicesAreTheSameInstance() {
    let entry = parent.register(Dog.self) { (_, name: String) in
      runs.count += 1
      return Dog(name: name)
    }.inObjectScope(.container).initCompleted { _, dog in dog.name = dog.name! + "!" }
    parent.forward(Animal.self, to: entry)
    parent.forward(Animal.self, name: "named", to: entry)
    let dog = parent.resolve(Animal.self, argument: "Hachi")
    #expect(dog?.name == "Hachi!")
    #expect(parent.resolve(Dog.self, argument: "x") === dog as? Dog)
    #expect(parent.resolve(Animal.self, name: "named", argument: "y") as? Dog === dog as? Dog)
    #expect(parent.resolve(Animal.self) == nil)
    #expect(runs.count == 1)
  }

  @Test func aForwardedServiceMayFollowLaterChangesOfItsEntry() {
    let entry = parent.register(Dog.self) { _ in Dog() }.implements(Animal.self)
    entry.inObjectScope(.container)
    #expect(parent.resolve(Animal.self) as? Dog === parent.resolve(Dog.self))
  }

  @Test func oneServiceImplementsUpToNineTypes() {
    parent.register(Int.self) { _ in 7 }
      .implements(
        Int?.self, Any.self, (any Hashable).self, (any Equatable).self, (any Comparable).self,
        (any CustomStringConvertible).self, (any Codable).self, (any Sendable).self,
        AnyHashable.self
      )
      .implements((any BinaryInteger).self, (any Numeric).self)
    #expect(parent.resolve((any Numeric).self) as? Int == 7)
    #expect(parent.resolve((any Codable).self) as? Int == 7)
    #expect(parent.resolve(AnyHashable.self) == AnyHashable(7))
    #expect(parent.resolve(Any.self) as? Int == 7)
  }

  @Test func anUnrelatedTypeIsNilAfterTheFactoryHasRun() {
    parent.register(Dog.self) { _ in
      runs.count += 1
      return Dog()
    }.implements(Cat.self)
    #expect(parent.resolve(Cat.self) == nil)
    #expect(runs.count == 1)
  }

  @Test func anEntryWhoseContainerIsGoneForwardsNothing() {
    var container: Container? = Container()
    let entry = container!.register(Dog.self) { _ in Dog() }
    container = nil
    entry.implements(Animal.self)
    let types: [any Any.Type] = [entry.serviceType, entry.argumentsType]
    #expect(
      types.map { ObjectIdentifier($0) } == [
        ObjectIdentifier(Dog.self), ObjectIdentifier((any Resolver).self),
      ])
  }

  @Test func anEntryMayBeForwardedInAChild() {
    let entry = parent.register(Dog.self) { _ in Dog() }.inObjectScope(.container)
    let child = Container(parent: parent)
    child.forward(Animal.self, to: entry)
    #expect(child.resolve(Animal.self) as? Dog === parent.resolve(Dog.self))
    #expect(parent.resolve(Animal.self) == nil)
  }

  @Test func aServiceOfAParentSeesWhatAChildHasEvenWhenItIsShared() {
    parent.register(Int.self) { _ in 1 }
    parent.register(String.self) { r in "\(r.resolve(Int.self)!)" }.inObjectScope(.container)
    let child = Container(parent: parent)
    child.register(Int.self) { _ in 2 }
    #expect(child.resolve(String.self) == "2")
    #expect(parent.resolve(String.self) == "2")
  }
}
