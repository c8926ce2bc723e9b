// SPDX-License-Identifier: MIT

import SwinjectDialect
import TestSupport
import Testing

/// `Lazy`, `Provider` and optionals.
struct WrapperTests {
  let container = Container()
  let runs = Runs()

  private func registerCat(_ scope: ObjectScope = .graph) {
    container.register(Cat.self) { _ in
      runs.count += 1
      return Cat()
    }.inObjectScope(scope)
  }

  @Test func aLazyServiceIsMadeAtItsFirstUse() {
    registerCat()
    let lazy = container.resolve(Lazy<Cat>.self)!
    #expect(runs.count == 0)
    #expect(lazy.instance === lazy.instance)
    #expect(runs.count == 1)
  }

  @Test func aProviderMakesOneAtEachUse() {
    registerCat()
    let provider = container.resolve(Provider<Cat>.self)!
    #expect(runs.count == 0)
    #expect(provider.instance !== provider.instance)
    #expect(runs.count == 2)
  }

  /// As in Swinject: the instance is of another type than it is forwarded to.
  @Test func anOptionalOfWhatDoesNotFitIsCompletedAndEmpty() {
    container.register(Cat.self) { _ in
      runs.count += 1
      return Cat()
    }.inObjectScope(.container).implements(Dog.self).initCompleted { _, _ in runs.count += 10 }
    for _ in 0..<2 {
      let dog: Dog?? = container.resolve(Dog?.self)
      #expect(dog != nil && dog! == nil)
    }
    #expect(runs.count == 11, "made once, and completed")
    #expect(container.resolve(Dog.self) == nil)
  }

  /// As in Swinject: what is registered for an optional and does not fit leaves the way to what it
  /// wraps.
  @Test func anOptionalThatIsForwardedToWhatDoesNotFitIsThatOfItsOwnService() {
    container.register(Dog.self) { _ in Dog() }.inObjectScope(.container)
    registerCat(.container)
    let entry = container.register(Int.self) { _ in 1 }
    container.forward(Cat?.self, to: entry)
    container.forward(Dog?.self, name: "none", to: entry)
    let cat: Cat?? = container.resolve(Cat?.self)
    #expect(cat != nil && cat! === container.resolve(Cat.self))
    let named: Dog?? = container.resolve(Dog?.self, name: "none")
    #expect(named != nil && named! == nil)
  }

  @Test func anOptionalIsResolvedAtOnce() {
    registerCat()
    let cat: Cat?? = container.resolve(Cat?.self)
    #expect(runs.count == 1)
    #expect(cat != nil && cat! != nil)
  }

  @Test func whatIsMissingIsMissingInsideOfAnOptional() {
    #expect(container.resolve(Lazy<Cat>.self) == nil)
    #expect(container.resolve(Provider<Cat>.self) == nil)
    let optional: Cat?? = container.resolve(Cat?.self)
    switch optional {
    case .some(.none): break
    default: Issue.record("\(String(describing: optional))")
    }
  }

  @Test func anExactRegistrationGoesFirst() {
    registerCat()
    container.register(Cat?.self) { _ in nil }
    let optional: Cat?? = container.resolve(Cat?.self)
    #expect(optional! == nil)
    #expect(runs.count == 0)
  }

  @Test func namesAndArgumentsApplyToTheWrappedType() {
    container.register(Dog.self, name: "a") { (_, name: String) in Dog(name: name) }
    #expect(
      container.resolve(Lazy<Dog>.self, name: "a", argument: "x")?.instance.name == "x")
    #expect(
      container.resolve(Provider<Dog>.self, name: "a", argument: "y")?.instance.name == "y")
    #expect(container.resolve(Dog?.self, name: "a", argument: "z")??.name == "z")
    #expect(container.resolve(Lazy<Dog>.self, argument: "x") == nil)
    #expect(container.resolve(Lazy<Dog>.self, name: "a") == nil)
  }

  @Test func parentsAreSearched() {
    registerCat(.container)
    let child = Container(parent: container)
    #expect(child.resolve(Lazy<Cat>.self)?.instance === container.resolve(Cat.self))
    #expect(child.resolve(Provider<Cat>.self)?.instance === container.resolve(Cat.self))
    #expect(child.resolve(Cat?.self)! === container.resolve(Cat.self))
  }

  @Test func aLazyServiceIsOneOfTheGraphThatItWasMadeIn() {
    container.register(Cat.self) { _ in Cat() }
    container.register(Kennel.self) { r in
      Kennel(cat: r.resolve(Cat.self)!, lazy: r.resolve(Lazy<Keeper>.self)!)
    }
    container.register(Keeper.self) { r in Keeper(cat: r.resolve(Cat.self)!) }
    let kennel = container.resolve(Kennel.self)!
    #expect(kennel.lazy.instance.cat === kennel.cat, "it is alive")
    #expect(container.resolve(Keeper.self)?.cat !== kennel.cat)
  }

  @Test func aLazyServiceThatWasMadeOutsideIsOneOfTheGraphThatOpensIt() {
    registerCat()
    let lazy = container.resolve(Lazy<Cat>.self)!
    container.register(Bool.self) { r in r.resolve(Cat.self) === lazy.instance }
    #expect(container.resolve(Bool.self) == true)
    #expect(runs.count == 1)
  }

  @Test func aLazyServiceInsideOfItsOwnGraphIsTheSame() {
    container.register(Mother.self) { _ in Mother() }
    container.register(LazyChild.self) { r in LazyChild(r.resolve(Lazy<Mother>.self)!) }
      .initCompleted { r, child in
        #expect(child.mother.instance === r.resolve(Mother.self))
      }
    let child = container.resolve(LazyChild.self)!
    #expect(child.mother.instance === child.mother.instance)
  }

  @Test func aLazyServiceMayBeOpenedWhileItIsCompleted() {
    container.register(LazyChild.self) { r in LazyChild(r.resolve(Lazy<Mother>.self)!) }
    var child: LazyChild?
    container.register(Mother.self) { _ in Mother() }
      .initCompleted { r, mother in #expect(child?.mother.instance === mother) }
    child = container.resolve(LazyChild.self)
    let mother = child?.mother.instance
    #expect(child?.mother.instance === mother)
  }

  @Test func aProviderSharesInsideOfAGraphOnly() {
    registerCat()
    container.register([Cat].self) { r in
      let provider = r.resolve(Provider<Cat>.self)!
      return [provider.instance, provider.instance, r.resolve(Cat.self)!]
    }
    let cats = container.resolve([Cat].self)!
    #expect(cats[0] === cats[1] && cats[1] === cats[2])
  }

  @Test func oneLayerIsUnwrapped() {
    registerCat()
    #expect(container.resolve(Lazy<Lazy<Cat>>.self) == nil)
    let optional: Lazy<Cat>?? = container.resolve(Lazy<Cat>?.self)
    switch optional {
    case .some(.none): break
    default: Issue.record("\(String(describing: optional))")
    }
  }

  @Test func wrappersKeepTheirContainerAlive() {
    registerCat()
    let lazy = container.synchronize().resolve(Lazy<Cat>.self)
    let provider = Container(parent: container).resolve(Provider<Cat>.self)
    #expect(lazy?.instance !== provider?.instance)
  }

  @Test func aLazyServiceOfTheContainerScopeIsTheOneOfAll() {
    registerCat(.container)
    let lazy = container.resolve(Lazy<Cat>.self)
    #expect(lazy?.instance === container.resolve(Cat.self))
    #expect(runs.count == 1)
  }

  @Test func aWrapperServesTheRegistrationOfItsTime() {
    container.register(Dog.self) { _ in Dog(name: "old") }
    let provider = container.resolve(Provider<Dog>.self)
    container.register(Dog.self) { _ in Dog(name: "new") }
    #expect(provider?.instance.name == "old")
  }
}

private final class Keeper {
  let cat: Cat

  init(cat: Cat) {
    self.cat = cat
  }
}

private final class Kennel {
  let cat: Cat
  let lazy: Lazy<Keeper>

  init(cat: Cat, lazy: Lazy<Keeper>) {
    self.cat = cat
    self.lazy = lazy
  }
}

private final class LazyChild {
  let mother: Lazy<Mother>

  init(_ mother: Lazy<Mother>) {
    self.mother = mother
  }
}
