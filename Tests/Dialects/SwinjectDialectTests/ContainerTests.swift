// SPDX-License-Identifier: MIT

import SwinjectDialect
import Testing

/// Keys, arguments, and what replaces what.
struct ContainerTests {
  let container = Container()

  @Test func aServiceIsResolvedWithItsDependencies() {
    container.register(Animal.self) { _ in Cat(name: "Mimi") }
    container.register(Person.self) { r in PetOwner(pet: r.resolve(Animal.self)!) }
    let person = container.resolve(Person.self)!
    #expect((person as? PetOwner)?.pet?.name == "Mimi")
    #expect(person.pet is Cat)
  }

  @Test func aMissingServiceIsNil() {
    #expect(container.resolve(Animal.self) == nil)
    #expect(container.resolve(Animal.self, name: "a") == nil)
    #expect(container.resolve(Animal.self, argument: 1) == nil)
  }

  @Test func aClosureOfTheInitializerRegisters() {
    let container = Container { c in
      c.register(Animal.self) { _ in Cat(name: "Mimi") }
    }
    #expect(container.resolve(Animal.self)?.name == "Mimi")
  }

  @Test func namesTellServicesApart() {
    container.register(Animal.self, name: "cat") { _ in Cat(name: "Mimi") }
    container.register(Animal.self, name: "dog") { _ in Dog(name: "Hachi") }
    #expect(container.resolve(Animal.self, name: "cat")?.name == "Mimi")
    #expect(container.resolve(Animal.self, name: "dog")?.name == "Hachi")
    #expect(container.resolve(Animal.self) == nil, "no fallback from none to a name")
    container.register(Animal.self) { _ in Cat(name: "Tom") }
    #expect(container.resolve(Animal.self, name: "bird") == nil, "no fallback from a name to none")
    #expect(container.resolve(Animal.self, name: nil)?.name == "Tom")
  }

  @Test func argumentsReachTheFactory() {
    container.register(Animal.self) { _, name in Cat(name: name as String) }
    container.register(Animal.self) { _, name, running in
      Dog(name: "\(name as String) \(running as Bool)")
    }
    #expect(container.resolve(Animal.self, argument: "Spirit")?.name == "Spirit")
    #expect(container.resolve(Animal.self, arguments: "Lucky", true)?.name == "Lucky true")
    #expect(container.resolve(Animal.self) == nil)
  }

  @Test func allNumbersOfArgumentsAreServed() {
    container.register(String.self) { _ in "0" }
    container.register(String.self) { (_, a: Int) in "\(a)" }
    container.register(String.self) { (_, a: Int, b: Int) in "\(a)\(b)" }
    container.register(String.self) { (_, a: Int, b: Int, c: Int) in "\(a)\(b)\(c)" }
    container.register(String.self) { (_, a: Int, b: Int, c: Int, d: Int) in "\(a)\(b)\(c)\(d)" }
    container.register(String.self) { (_, a: Int, b: Int, c: Int, d: Int, e: Int) in
      "\([a, b, c, d, e])"
    }
    container.register(String.self) { (_, a: Int, b: Int, c: Int, d: Int, e: Int, f: Int) in
      "\([a, b, c, d, e, f])"
    }
    container.register(String.self) { (_, a: Int, b: Int, c: Int, d: Int, e: Int, f: Int, g: Int) in
      "\([a, b, c, d, e, f, g])"
    }
    container.register(String.self) {
      (_, a: Int, b: Int, c: Int, d: Int, e: Int, f: Int, g: Int, h: Int) in
      "\([a, b, c, d, e, f, g, h])"
    }
    container.register(String.self) {
      (_, a: Int, b: Int, c: Int, d: Int, e: Int, f: Int, g: Int, h: Int, i: Int) in
      "\([a, b, c, d, e, f, g, h, i])"
    }
    let r: any Resolver = container
    #expect(r.resolve(String.self) == "0")
    #expect(r.resolve(String.self, argument: 1) == "1")
    #expect(r.resolve(String.self, arguments: 1, 2) == "12")
    #expect(r.resolve(String.self, arguments: 1, 2, 3) == "123")
    #expect(r.resolve(String.self, arguments: 1, 2, 3, 4) == "1234")
    #expect(r.resolve(String.self, arguments: 1, 2, 3, 4, 5) == "[1, 2, 3, 4, 5]")
    #expect(r.resolve(String.self, arguments: 1, 2, 3, 4, 5, 6) == "[1, 2, 3, 4, 5, 6]")
    #expect(r.resolve(String.self, arguments: 1, 2, 3, 4, 5, 6, 7) == "[1, 2, 3, 4, 5, 6, 7]")
    #expect(r.resolve(String.self, arguments: 1, 2, 3, 4, 5, 6, 7, 8) == "[1, 2, 3, 4, 5, 6, 7, 8]")
    #expect(
      r.resolve(String.self, arguments: 1, 2, 3, 4, 5, 6, 7, 8, 9)
        == "[1, 2, 3, 4, 5, 6, 7, 8, 9]")
  }

  @Test func namesAndArgumentsGoTogether() {
    container.register(String.self, name: "n") { (_, a: Int) in "\(a)" }
    container.register(String.self, name: "n") { (_, a: Int, b: Int) in "\(a)\(b)" }
    #expect(container.resolve(String.self, name: "n", argument: 1) == "1")
    #expect(container.resolve(String.self, name: "n", arguments: 1, 2) == "12")
    #expect(container.resolve(String.self, argument: 1) == nil)
    #expect(container.resolve(String.self, name: "m", argument: 1) == nil)
  }

  @Test func typesAndOrderOfArgumentsAreAPartOfTheKey() {
    container.register(String.self) { (_, _: Int, _: String) in "int, string" }
    container.register(String.self) { (_, _: String, _: Int) in "string, int" }
    #expect(container.resolve(String.self, arguments: 1, "a") == "int, string")
    #expect(container.resolve(String.self, arguments: "a", 1) == "string, int")
    #expect(container.resolve(String.self, arguments: "a", "b") == nil)
  }

  @Test func staticTypesOfArgumentsMatchExactly() {
    container.register(String.self) { (_, animal: any Animal) in animal.name ?? "" }
    container.register(Int.self) { (_, text: String) in text.count }
    let cat = Cat(name: "Mimi")
    #expect(container.resolve(String.self, argument: cat) == nil)
    #expect(container.resolve(String.self, argument: cat as any Animal) == "Mimi")
    #expect(container.resolve(Int.self, argument: Optional("abc")) == nil)
    #expect(container.resolve(Int.self, argument: "abc"[...]) == nil)
  }

  @Test func anEqualKeyReplacesTheRegistrationAndItsInstance() {
    container.register(Animal.self) { _ in Cat(name: "first") }.inObjectScope(.container)
    #expect(container.resolve(Animal.self)?.name == "first")
    container.register(Animal.self) { _ in Cat(name: "second") }.inObjectScope(.container)
    #expect(container.resolve(Animal.self)?.name == "second")
  }

  @Test func anAliasKeepsTheReplacedRegistration() {
    container.register(Cat.self) { _ in Cat(name: "first") }.implements(Animal.self)
    container.register(Cat.self) { _ in Cat(name: "second") }
    #expect(container.resolve(Cat.self)?.name == "second")
    #expect(container.resolve(Animal.self)?.name == "first")
  }

  @Test func argumentsAreInNoKeyOfAnInstance() {
    container.register(Cat.self) { (_, count: Int) in
      let cat = Cat()
      cat.count = count
      return cat
    }.inObjectScope(.container)
    #expect(container.resolve(Cat.self, argument: 1)?.count == 1)
    #expect(container.resolve(Cat.self, argument: 2)?.count == 1)
    container.register(Dog.self) { (_, names: [String]) in Dog(name: names.first) }
    container.register([Dog].self) { r in
      [r.resolve(Dog.self, argument: ["a"])!, r.resolve(Dog.self, argument: ["b"])!]
    }
    let dogs = container.resolve([Dog].self)!
    #expect(dogs[0] === dogs[1], "shared within a graph, whatever the arguments")
    #expect(dogs[0].name == "a")
  }

  @Test func argumentsNeedNotBeHashable() {
    container.register(String.self) { (_, make: @escaping () -> String, _: any Animal) in make() }
      .inObjectScope(.container)
    let make: () -> String = { "made" }
    #expect(container.resolve(String.self, arguments: make, Cat() as any Animal) == "made")
  }

  @Test func aStructIsCopied() {
    struct Turtle { var name: String }
    container.register(Turtle.self) { _ in Turtle(name: "Reo") }.inObjectScope(.container)
    var turtle = container.resolve(Turtle.self)!
    turtle.name = "Sam"
    #expect(container.resolve(Turtle.self)?.name == "Reo")
  }

  @Test func removeAllRemovesRegistrationsAndInstances() {
    let parent = Container()
    parent.register(Int.self) { _ in 1 }
    let child = Container(parent: parent)
    child.register(Cat.self) { _ in Cat() }.inObjectScope(.container)
    let cat = child.resolve(Cat.self)
    child.removeAll()
    #expect(child.resolve(Cat.self) == nil)
    #expect(child.resolve(Int.self) == 1)
    child.register(Cat.self) { _ in Cat() }.inObjectScope(.container)
    #expect(child.resolve(Cat.self) !== cat)
  }

  @Test func anyTypeOfTheResolverProtocolMayBeConformedTo() {
    let r: any Resolver = Fake()
    #expect(r.resolve(Int.self) == nil)
    #expect(r.resolve(Int.self, arguments: 1, 2, 3) == nil)
  }
}
