// SPDX-License-Identifier: MIT

import FusionDialect

private struct Host {
  @Inject var greeter: any Greeter
  @Inject("short") var short: any Greeter
}

func greetingOfFusion() -> String {
  Container.bind(.singleton, to: (any Greeter).self) { _ in Guest("good day") }
  Container.main.bind(to: (any Greeter).self, id: "short", value: Guest("hi"))
  let host = Host()
  let resolved: any Greeter = Container.resolveAssert((any Greeter).self)
  return [resolved, host.greeter, host.short].map(\.greeting).joined(separator: ", ")
}
