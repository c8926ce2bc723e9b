// SPDX-License-Identifier: MIT

import MacaroniDialect
import XCTest

/// The samples of Macaroni's document.
final class DocumentTests: MacaroniTestCase {
  func testTheTutorialRegistersResolvesAndInjects() throws {
    // Create the container.
    let container = Container()
    // Set it as a singleton for the simplest service-locator style resolution.
    Container.lookupPolicy = .singleton(container)

    // Add service implementations into the container.
    let registered = MyServiceImplementation()
    container.register { () -> MyService in registered }

    // Use it in code.
    let myService: MyService = try container.resolve()
    XCTAssertTrue(myService === registered)

    // Or use it with property wrapper.
    class MyClass {
      @Injected
      var service: MyService
    }
    XCTAssertTrue(MyClass().service === registered)
  }

  func testAnImplementationIsInjectedByItsOwnType() {
    let container = Container()
    Container.lookupPolicy = .singleton(container)
    let myService = MyServiceImplementation()
    container.register { myService }

    class MyClass {
      @Injected
      var myService: MyServiceImplementation
    }
    XCTAssertTrue(MyClass().myService === myService)
  }

  func testAValueOfAProtocolTypeIsRegisteredUnderTheProtocol() throws {
    let container = Container()
    let myService: MyService = MyServiceImplementation()
    container.register { myService }
    let resolved: MyService = try container.resolve()
    XCTAssertTrue(resolved === myService)
    XCTAssertFalse(container.isResolvable(MyServiceImplementation.self))
  }

  func testAClosureThatSaysSoIsRegisteredUnderTheProtocol() throws {
    let container = Container()
    let myService = MyServiceImplementation()
    container.register { () -> MyService in myService }
    let resolved: MyService = try container.resolve()
    XCTAssertTrue(resolved === myService)
  }

  func testAHelperOfTheUserMakesAServiceAtItsFirstUse() throws {
    class LazilyInitialized<Type> {
      lazy var value: Type = { resolver() }()

      private let resolver: () -> Type

      init(resolver: @escaping () -> Type) {
        self.resolver = resolver
      }
    }

    let made = Counter()
    let willBeInstantiatedOnFirstAccess = LazilyInitialized {
      made.next()
      return MyServiceImplementation()
    }
    let container = Container()
    container.register { () -> MyService in willBeInstantiatedOnFirstAccess.value }
    XCTAssertEqual(made.value, 0)
    let first: MyService = try container.resolve()
    let second: MyService = try container.resolve()
    XCTAssertTrue(second === first)
    XCTAssertEqual(made.value, 1)
  }

  func testThereAreFiveWaysToInjectAProperty() {
    let container = Container()
    Container.lookupPolicy = .singleton(container)
    container.register { 7 }

    class MyClass {
      // 1.
      @Injected
      var captured: Int
      // 2., here with a container that the initializer gets
      @Injected(.lazily)
      var capturedFrom: Int
      // 3.
      @Injected(.lazily)
      var lazy: Int
      // 4.
      @Injected(.resolvingOnInit())
      var eager: Int
      // 5.
      @Injected(.lazily)
      var eagerFrom: Int

      init(_ container: Container) {
        _capturedFrom = Injected(.capturingContainerOnInit(from: container))
        _eagerFrom = Injected(.resolvingOnInit(from: container))
      }
    }
    let object = MyClass(container)
    XCTAssertEqual(
      [object.captured, object.capturedFrom, object.lazy, object.eager, object.eagerFrom],
      [7, 7, 7, 7, 7])
  }

  func testPropertiesNameAContainerOfTheirModule() {
    class MyClass {
      @Injected(.capturingContainerOnInit(from: sharedContainer))
      var first: String
      @Injected(.capturingContainerOnInit(sharedContainer))
      var second: String
      @Injected(.resolvingOnInit(from: sharedContainer))
      var third: String
    }
    sharedContainer.register { "shared" }
    let object = MyClass()
    XCTAssertEqual([object.first, object.second, object.third], ["shared", "shared", "shared"])
  }

  func testAnAlternativeIsInjectedBesideTheDefault() {
    let container = Container()
    Container.lookupPolicy = .singleton(container)
    let instance = MyServiceImplementation()
    let anotherInstance = MyServiceImplementation()
    container.register { () -> MyService in instance }
    container.register(alternative: .another) { () -> MyService in anotherInstance }

    class MyClass {
      @Injected
      var myService: MyService
      @Injected(alternative: .another)
      var myServiceAlternative: MyService
    }
    let object = MyClass()
    XCTAssertTrue(object.myService === instance)
    XCTAssertTrue(object.myServiceAlternative === anotherInstance)
  }

  func testAParameterOfAFunctionIsInjected() {
    let container = Container()
    let instance = MyServiceImplementation()
    let anotherInstance = MyServiceImplementation()
    container.register { () -> MyService in instance }
    container.register(alternative: .another) { () -> MyService in anotherInstance }

    func foo(@Injected service: MyService) -> MyService { service }

    XCTAssertTrue(foo($service: container.resolved()) === instance)
    XCTAssertTrue(foo($service: container.resolved(alternative: .another)) === anotherInstance)
    XCTAssertTrue(foo($service: container.resolved(alternative: "another")) === anotherInstance)
    XCTAssertTrue(foo(service: instance) === instance)
  }

  func testAClosureGetsTheEnclosingObject() {
    let container = Container()
    Container.lookupPolicy = .singleton(container)
    container.register { enclosing -> String in String(describing: enclosing) }

    class MyClass: CustomStringConvertible {
      @Injected
      var name: String
      var description: String { "the enclosing object" }
    }
    XCTAssertEqual(MyClass().name, "the enclosing object")
  }

  func testAWeakPropertyDoesNotKeepItsObject() {
    let container = Container()
    Container.lookupPolicy = .singleton(container)
    var myService: MyService? = MyServiceImplementation()
    container.register { [weak myService] () -> MyService? in myService }

    class MyClass {
      @InjectedWeakly
      var myService: MyService?
    }
    let object = MyClass()
    XCTAssertTrue(object.myService === myService)
    myService = nil
    XCTAssertNil(object.myService)
  }

  func testEachModuleHasItsContainer() {
    Container.lookupPolicy = EnclosingTypeContainer()
    moduleContainer.register { "of the module" }

    class MyClass: ModuleDI {
      @Injected var service: String  // will be injected from the `moduleContainer`
    }
    XCTAssertEqual(MyClass().service, "of the module")
  }

  func testALoggerOfTheUserGetsTheMessages() {
    let logger = RecordingLogger()
    Macaroni.logger = logger
    _ = Container()
    XCTAssertEqual(logger.messages.count, 1)
  }

  func testLoggingIsDisabled() {
    Macaroni.logger = DisabledMacaroniLogger()
    XCTAssertTrue(Macaroni.logger is DisabledMacaroniLogger)
  }
}

private let sharedContainer = Container()

protocol ModuleDI: Containerable {}

private let moduleContainer: Container! = Container()
extension ModuleDI {
  var container: Container! { moduleContainer }  // now each module does have its own container
}
