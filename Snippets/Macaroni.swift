// SPDX-License-Identifier: MIT
// The samples of Macaroni's document, with another import line.

// snippet.show
import MacaroniDialect

protocol MyService: AnyObject {}
class MyServiceImplementation: MyService {}

extension RegistrationAlternative {
  static let another: RegistrationAlternative = "another"
}

// snippet.hide
Macaroni.logger = DisabledMacaroniLogger()
// snippet.show

// Create the container.
let container = Container()
// Set it as a singleton for the simplest service-locator style resolution.
Container.lookupPolicy = .singleton(container)

// Add service implementations into the container.
let myService = MyServiceImplementation()
let anotherInstance = MyServiceImplementation()
container.register { () -> MyService in myService }
container.register(alternative: .another) { () -> MyService in anotherInstance }
container.register { enclosing -> String in "injected into \(type(of: enclosing))" }

// Use it in code.
let resolved: MyService = try container.resolve()

// Or use it with property wrapper.
class MyClass {
  @Injected
  var service: MyService
  @Injected(alternative: .another)
  var myServiceAlternative: MyService
  @Injected
  var text: String
  @InjectedWeakly
  var weakService: MyService?
}

func foo(@Injected service: MyService) -> MyService { service }

let object = MyClass()
// snippet.hide
precondition(resolved === myService && object.service === myService)
precondition(object.myServiceAlternative === anotherInstance)
precondition(object.weakService === myService)
precondition(foo($service: container.resolved()) === myService)
precondition(foo($service: container.resolved(alternative: .another)) === anotherInstance)
precondition(object.text == "injected into MyClass")
// snippet.show
print(object.text)
