// SPDX-License-Identifier: MIT

import AstrojectDialect

func greetingOfAstroject() throws -> String {
  let container = Container()
  try container.register((any Greeter & Sendable).self) { _ in Guest("good day") }.asSingleton()
  return try container.resolve((any Greeter & Sendable).self).greeting
}
