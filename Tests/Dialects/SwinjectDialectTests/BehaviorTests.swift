// SPDX-License-Identifier: MIT

import SwinjectDialect
import TestSupport
import Testing

private struct Logging: Behavior {
  let name: String
  let log: EventLog

  func container<Type, Service>(
    _ container: Container, didRegisterType type: Type.Type, toService entry: ServiceEntry<Service>,
    withName name: String?
  ) {
    log.add("\(self.name): \(type) to \(Service.self) \(name ?? "-")")
  }
}

/// Registers all as a service of the container.
private struct Sharing: Behavior {
  func container<Type, Service>(
    _ container: Container, didRegisterType type: Type.Type, toService entry: ServiceEntry<Service>,
    withName name: String?
  ) {
    entry.inObjectScope(.container)
  }
}

/// Behaviors, assemblies, options.
struct BehaviorTests {
  let log = EventLog()

  @Test func behaviorsAreToldInTheirOrderOfLaterRegistrations() {
    let container = Container(behaviors: [Logging(name: "1", log: log)]) {
      $0.register(Cat.self) { _ in Cat() }
    }
    container.addBehavior(Logging(name: "2", log: log))
    container.register(Dog.self, name: "n") { _ in Dog() }.implements(Animal.self)
    let child = Container(parent: container)
    child.register(Int.self) { _ in 1 }
    #expect(
      log.entries == [
        "1: Cat to Cat -", "1: Dog to Dog n", "2: Dog to Dog n", "1: Animal to Dog -",
        "2: Animal to Dog -",
      ])
  }

  @Test func aChainedScopeWinsOverThatOfABehavior() {
    let container = Container(behaviors: [Sharing()])
    container.register(Cat.self) { _ in Cat() }
    container.register(Dog.self) { _ in Dog() }.inObjectScope(.transient)
    #expect(container.resolve(Cat.self) === container.resolve(Cat.self))
    #expect(container.resolve(Dog.self) !== container.resolve(Dog.self))
  }

  @Test func removeAllKeepsTheBehaviors() {
    let container = Container(behaviors: [Logging(name: "1", log: log)])
    container.removeAll()
    container.register(Cat.self) { _ in Cat() }
    #expect(log.entries == ["1: Cat to Cat -"])
  }

  @Test func aViewHasNone() throws {
    let container = Container(behaviors: [Logging(name: "1", log: log)])
    let view = try #require(container.synchronize() as? Container)
    view.register(Cat.self) { _ in Cat() }
    #expect(log.entries.isEmpty)
  }
}

private struct Part: Assembly {
  let name: String
  let log: EventLog

  func assemble(container: Container) {
    log.add("assemble \(name)")
    container.register(String.self, name: name) { r in
      name + (r.resolve(String.self, name: "b").map { name == "b" ? "" : $0 } ?? "")
    }
  }

  func loaded(resolver: any Resolver) {
    log.add("loaded \(name): \(name == "b" ? "" : resolver.resolve(String.self, name: name)!)")
  }
}

private struct Quiet: Assembly {
  func assemble(container: Container) { container.register(Int.self) { _ in 1 } }
}

struct AssemblerTests {
  let log = EventLog()

  @Test func assembliesShareAContainerWhateverTheirOrder() {
    let container = Container()
    let assembler = Assembler([part("a"), part("c"), Quiet()], container: container)
    #expect(assembler.resolver as? Container === container)
    #expect(assembler.resolver.resolve(Int.self) == 1)
    #expect(log.entries == ["assemble a", "assemble c", "loaded a: a", "loaded c: c"])
  }

  @Test func allAreAssembledBeforeOneIsLoaded() {
    let assembler = Assembler()
    assembler.apply(assemblies: [part("a"), Other(log: log)])
    #expect(
      log.entries == ["assemble a", "assemble other", "loaded a: aother", "loaded other"])
    assembler.apply(assembly: Quiet())
    #expect(assembler.resolver.resolve(Int.self) == 1)
  }

  @Test func anAssemblerHasTheContainerOfAnotherAsParent() {
    let parent = Assembler([Quiet()], container: Container())
    let child = Assembler([], parent: parent, defaultObjectScope: .container)
    #expect(child.resolver.resolve(Int.self) == 1)
    let empty = Assembler(parentAssembler: parent, behaviors: [])
    empty.apply(assembly: part("a"))
    #expect(empty.resolver.resolve(String.self, name: "a") == "a")
    #expect(parent.resolver.resolve(String.self, name: "a") == nil)
    #expect(Assembler(parentAssembler: nil).resolver.resolve(Int.self) == nil)
  }

  @Test func anAssemblerOfNoContainerEndsTheProgram() async {
    await #expect(processExitsWith: .failure) { _ = Assembler(container: nil) }
  }

  private func part(_ name: String) -> Part { Part(name: name, log: log) }
}

private struct Other: Assembly {
  let log: EventLog

  func assemble(container: Container) {
    log.add("assemble other")
    container.register(String.self, name: "b") { _ in "other" }
  }

  func loaded(resolver: any Resolver) { log.add("loaded other") }
}

private struct Option: ServiceKeyOption {
  let text: String
  var description: String { "option \(text)" }

  func isEqualTo(_ another: any ServiceKeyOption) -> Bool {
    (another as? Option)?.text == text
  }

  func hash(into hasher: inout Hasher) { hasher.combine(text) }
}

struct OptionTests {
  let container = Container()

  private func resolve(_ option: Option?, name: String? = nil) -> String? {
    // As an extension does it, of which a resolver is all that it has.
    (container as any Resolver as! any _Resolver)._resolve(name: name, option: option) {
      (factory: ((any Resolver, Int)) -> Any) in factory((container, 7))
    }
  }

  @Test func optionsTellServicesApart() {
    for option in ["a", "b"] {
      container._register(
        String.self, factory: { (arguments: (any Resolver, Int)) in "\(option)\(arguments.1)" },
        option: Option(text: option))
    }
    #expect(resolve(Option(text: "a")) == "a7")
    #expect(resolve(Option(text: "b")) == "b7")
    #expect(resolve(Option(text: "c")) == nil)
    #expect(resolve(nil) == nil)
    #expect(resolve(Option(text: "a"), name: "n") == nil)
    container.register(String.self) { (_, number: Int) in "none\(number)" }
    #expect(resolve(nil) == "none7")
    #expect(container.hasAnyRegistration(of: String.self))
  }

  @Test func aFactoryMayTakeAnyOneType() {
    container._register(Int.self, factory: { (text: String) in text.count }, name: "n")
    let count: Int? = container._resolve(name: "n") { (factory: (String) -> Any) in factory("abc") }
    #expect(count == 3)
    let other: Int? = container._resolve(name: "n") { (factory: (Int) -> Any) in factory(1) }
    #expect(other == nil)
  }

  @Test func aListShowsNameAndOption() {
    container._register(
      Int.self, factory: { (_: any Resolver) in 1 }, name: "n", option: Option(text: "a"))
    #expect(
      container.description == """
        [
            { Service: Int, Name: "n", option a, Factory: Resolver -> Int, ObjectScope: graph }
        ]
        """)
  }
}
