// SPDX-License-Identifier: MIT

import DICDialect

func greetingOfDIC() -> String {
  let container = DICBuilder()
    .register { Guest("good day") }
    .registerSingleton(Guest("hi"), as: (any Greeter).self)
    .build()
  return "\(container.load(Guest.self).greeting), \(container.load((any Greeter).self).greeting)"
}
