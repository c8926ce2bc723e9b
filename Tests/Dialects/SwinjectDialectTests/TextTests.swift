// SPDX-License-Identifier: MIT

import Foundation
import SwinjectDialect
import Testing

/// Descriptions, and what a failed resolve prints.
struct TextTests {
  @Test func anEmptyContainer() {
    #expect(Container().description == "[\n]")
  }

  @Test func theRegistrationsOfAContainerAreSorted() {
    let container = Container(parent: Container { $0.register(Cat.self) { _ in Cat() } })
    container.register(Dog.self) { (_, _: String, _: Int) in Dog() }
      .inObjectScope(.container)
      .initCompleted { _, _ in }.initCompleted { _, _ in }
      .implements(Animal.self, name: "alias")
    container.register(Cat.self) { (_, _: Bool) in Cat() }
    #expect(
      container.description == """
        [
            { Service: Cat, Factory: (Resolver, Bool) -> Cat, ObjectScope: graph },
            { Service: Dog, Factory: (Resolver, String, Int) -> Dog, ObjectScope: container, InitCompleted: Specified 2 closures },
            { Service: Dog, Name: "alias", Factory: (Resolver, String, Int) -> Animal, ObjectScope: container, InitCompleted: Specified 2 closures }
        ]
        """)
    #expect("\(container)" == container.description)
  }

  @Test func aFailureIsPrintedIfTheEnvironmentAsksForIt() async {
    let result = await #expect(
      processExitsWith: .success, observing: [\.standardOutputContent]
    ) {
      let parent = Container { $0.register(Cat.self, name: "parent") { _ in Cat() } }
      let container = Container(parent: parent)
      container.register(Cat.self) { (_, _: Int) in Cat() }.implements(Animal.self)
      container.register(Dog.self) { _ in Dog() }
      _ = container.resolve(Int.self)
      setenv("SWINJECT_LOGGING_ENABLED", "1", 1)
      _ = container.resolve(Cat.self, name: "missing")
      _ = container.resolve(GraphIdentifier.self)
      _ = container.resolve(Bool?.self)
      _ = container.resolve(Dog.self)
      setenv("SWINJECT_LOGGING_ENABLED", "0", 1)
      _ = container.resolve(Int.self)
      fflush(nil)
    }
    let output = String(decoding: result?.standardOutputContent ?? [], as: UTF8.self)
    #expect(
      output.contains(
        """
        Swinject: Resolution failed. Expected registration:
        \t{ Service: Cat, Name: "missing", Factory: Resolver -> Cat }
        Available registrations:
        """), "\(output)")
    #expect(
      output.contains("\t{ Service: Cat, Factory: (Resolver, Int) -> Cat, ObjectScope: graph }"))
    #expect(
      output.contains("\t{ Service: Cat, Factory: (Resolver, Int) -> Animal, ObjectScope: graph }"))
    #expect(
      output.contains(
        "\t{ Service: Cat, Name: \"parent\", Factory: Resolver -> Cat, ObjectScope: graph }"))
    #expect(!output.contains("Dog") && !output.contains("GraphIdentifier"))
    #expect(!output.contains("Int -> ") && !output.contains("Optional<Bool>"))
    #expect(output.components(separatedBy: "Swinject:").count == 2, "\(output)")
  }

  @Test func lazyServicesAndFailedForwardsArePrintedToo() async {
    let result = await #expect(
      processExitsWith: .success, observing: [\.standardOutputContent]
    ) {
      setenv("SWINJECT_LOGGING_ENABLED", "1", 1)
      let container = Container()
      container.register(Dog.self) { _ in Dog() }.implements(Cat.self)
      _ = container.resolve(Cat.self)
      _ = container.resolve(Lazy<Int>.self)
      fflush(nil)
    }
    let output = String(decoding: result?.standardOutputContent ?? [], as: UTF8.self)
    #expect(output.contains("{ Service: Cat, Factory: Resolver -> Cat }"), "\(output)")
    #expect(output.contains("{ Service: Lazy<Int>, Factory: Resolver -> Lazy<Int> }"), "\(output)")
  }
}
