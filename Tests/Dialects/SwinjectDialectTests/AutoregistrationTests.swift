// SPDX-License-Identifier: MIT

import SwinjectAutoregistrationDialect
import SwinjectDialect
import Testing

private final class Shop {
  let owner: any Person
  let cat: Cat
  let size: Int

  init(owner: any Person, cat: Cat, size: Int) {
    self.owner = owner
    self.cat = cat
    self.size = size
  }
}

private struct Leash {
  let dog: Dog?
  var length = 3
  let color: String
}

private final class Many {
  let sum: Int

  init(sum: Int) { self.sum = sum }

  init(a: Int, b: Int, c: Int) { sum = a + b + c }
}

private struct Wrapped {
  let lazy: Lazy<Cat>
  let provider: Provider<Cat>
  let missing: Dog?
}

private struct Twelve {
  let a: Int, b: Int, c: Int, d: Int, e: Int, f: Int, g: Int, h: Int, i: Int, j: Int, k: String
  let l: Cat
}

private struct Empty {}

/// SwinjectAutoregistration: initializers, and the operator.
struct AutoregistrationTests {
  let container = Container()

  init() {
    container.register(Cat.self) { _ in Cat(name: "Mimi") }
    container.register((any Person).self) { r in PetOwner(pet: r ~> Cat.self) }
    container.register(Int.self) { _ in 7 }
    container.register(String.self) { _ in "text" }
  }

  @Test func anInitializerGetsItsParametersByTheirTypes() {
    container.autoregister(Shop.self, initializer: Shop.init).inObjectScope(.container)
    let shop = container.resolve(Shop.self)!
    #expect(shop.size == 7 && shop.cat.name == "Mimi")
    #expect(shop.cat === shop.owner.pet as? Cat, "in one graph")
    #expect(container.resolve(Shop.self) === shop)
  }

  @Test func anInitializerMayHaveNoParametersOrMany() {
    container.autoregister(Empty.self, initializer: Empty.init)
    #expect(container.resolve(Empty.self) != nil)
    container.autoregister(Twelve.self, initializer: Twelve.init)
    #expect(container.resolve(Twelve.self)?.k == "text")
    container.autoregister(Many.self, name: "one", initializer: Many.init(sum:))
    #expect(container.resolve(Many.self, name: "one")?.sum == 7)
    container.autoregister(Many.self, initializer: Many.init as (Int, Int, Int) -> Many)
    #expect(container.resolve(Many.self)?.sum == 21)
  }

  @Test func aMissingOptionalIsNilAndWrappersAreServed() {
    container.autoregister(Wrapped.self, initializer: Wrapped.init)
    let wrapped = container.resolve(Wrapped.self)!
    #expect(wrapped.missing == nil)
    #expect(wrapped.lazy.instance.name == "Mimi")
    #expect(wrapped.provider.instance !== wrapped.provider.instance)
  }

  @Test func argumentsGoToTheParametersThatTheyFit() {
    container.autoregister(Leash.self, argument: String.self, initializer: Leash.init)
    #expect(container.resolve(Leash.self, argument: "red")?.color == "red")
    #expect(container.resolve(Leash.self, argument: "red")?.length == 7, "the memberwise one")
    container.autoregister(
      Leash.self, arguments: String.self, Dog.self, initializer: Leash.init)
    let leash = container.resolve(Leash.self, arguments: "blue", Dog(name: "Hachi"))
    #expect(leash?.color == "blue" && leash?.dog?.name == "Hachi")
    container.autoregister(
      Leash.self, name: "n", arguments: Int.self, String.self, Dog.self, initializer: Leash.init)
    let other = container.resolve(Leash.self, name: "n", arguments: 2, "x", Dog(name: "Rex"))
    #expect(other?.length == 2 && other?.dog?.name == "Rex")
  }

  @Test func equalTypesOfArgumentsEndTheProgram() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      Container().autoregister(
        Many.self, arguments: Int.self, Int.self, initializer: Many.init(a:b:c:))
    }
    let output = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(output.contains("dynamic arguments of the same type (Int, Int) is not supported"))
  }

  @Test func aMissingParameterEndsTheProgram() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let container = Container()
      container.autoregister(Shop.self, initializer: Shop.init)
      _ = container.resolve(Shop.self)
    }
    let output = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(
      output.contains(
        "SwinjectAutoregistration: Resolution failed.\nUnresolved service: Person\nInitializer: (Person, Cat, Int) -> Shop"
      ), "\(output)")
  }

  @Test func theOperatorResolvesWhatIsExpected() {
    container.register(String.self, name: "n") { _ in "named" }
    container.register(String.self) { (_, a: Int) in "\(a)" }
    container.register(String.self) { (_, a: Int, b: Int) in "\(a)\(b)" }
    container.register(String.self) { (_, a: Int, b: Int, c: Int) in "\(a)\(b)\(c)" }
    container.register(String.self, name: "n") { (_, a: Int) in "n\(a)" }
    container.register(String.self, name: "n") { (_, a: Int, b: Int) in "n\(a)\(b)" }
    container.register(String.self, name: "n") { (_, a: Int, b: Int, c: Int) in "n\(a)\(b)\(c)" }
    let r: any Resolver = container
    let inferred: Int = r~>
    #expect(inferred == 7)
    let texts: [String] = [
      r ~> String.self, r ~> (String.self, name: "n"), r ~> (String.self, argument: 1),
      r ~> (String.self, name: "n", argument: 1), r ~> (String.self, arguments: (1, 2)),
      r ~> (String.self, name: "n", arguments: (1, 2)), r ~> (String.self, arguments: (1, 2, 3)),
      r ~> (String.self, name: "n", arguments: (1, 2, 3)),
    ]
    #expect(texts == ["text", "named", "1", "n1", "12", "n12", "123", "n123"])
  }

  @Test func theOperatorEndsTheProgramWhereNothingIsRegistered() async {
    await #expect(processExitsWith: .failure) { let _: Bool = Container()~> }
  }
}
