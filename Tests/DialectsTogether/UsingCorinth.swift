// SPDX-License-Identifier: MIT

import Corinth

func greetingOfCorinth() throws -> String {
  let container = Container()
  try container.register(Guest.self) { _ in Guest("good day") }.asSingleton()
  return try container.resolve(Guest.self).greeting
}
