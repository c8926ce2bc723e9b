// SPDX-License-Identifier: MIT

import Corinth

func greetingOfCorinth() throws -> String {
  let container = Container()
  try container.register(Guest.self, scope: .singleton) { _ in Guest("good day") }
  return try container.resolve(Guest.self).greeting
}
