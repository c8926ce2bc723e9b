// SPDX-License-Identifier: MIT

import SwinjectDialect

func greetingOfSwinject() -> String {
  let container = Container()
  container.register(Guest.self) { _ in Guest("good day") }.inObjectScope(.container)
    .implements((any Greeter).self)
  container.register((any Greeter).self) { (_, greeting: String) in Guest(greeting) }
  return [container ~> (any Greeter).self, container ~> ((any Greeter).self, argument: "hi")]
    .map(\.greeting).joined(separator: ", ")
}
