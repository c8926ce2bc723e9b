// SPDX-License-Identifier: MIT

import MacaroniDialect

private final class Host {
  @Injected var greeter: any Greeter
  @Injected(alternative: .short) var short: any Greeter
}

extension RegistrationAlternative {
  fileprivate static let short: RegistrationAlternative = "short"
}

func greetingOfMacaroni() throws -> String {
  Macaroni.logger = DisabledMacaroniLogger()
  let container = Container()
  Container.lookupPolicy = .singleton(container)
  container.register { () -> any Greeter in Guest("good day") }
  container.register(alternative: .short) { () -> any Greeter in Guest("hi") }
  let resolved: any Greeter = try container.resolve()
  let host = Host()
  return [resolved, host.greeter, host.short].map(\.greeting).joined(separator: ", ")
}
