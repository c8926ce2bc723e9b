// SPDX-License-Identifier: MIT

import SwinjectAutoregistrationDialect
import SwinjectDialect

private struct Host {
  let greeter: any Greeter
  let greeting: String
  let missing: Guest?
}

func greetingOfSwinject() -> String {
  let container = Container()
  container.register((any Greeter).self) { _ in Guest("good day") }.inObjectScope(.container)
  container.register((any Greeter).self) { (_, greeting: String) in Guest(greeting) }
  container.autoregister(Host.self, argument: String.self, initializer: Host.init)
  let host = container.resolve(Host.self, argument: "hi")!
  let short = container ~> ((any Greeter).self, argument: host.greeting)
  return [host.greeter, short].map(\.greeting).joined(separator: ", ")
}
