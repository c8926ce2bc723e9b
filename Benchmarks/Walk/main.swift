// SPDX-License-Identifier: MIT

import Corinth

// The first resolve of a singleton, which `Scripts/count-walk` follows by the function's name.

final class First: Sendable {}
final class Service: Sendable {}

@inline(never)
func firstResolve(_ container: Container) throws -> Service {
  try container.resolve(Service.self)
}

let container = Container()
try container.register(First.self, scope: .singleton) { _ in First() }
try container.register(Service.self, scope: .singleton) { _ in Service() }
// The walk leaves out the work that the thread and the process do once.
_ = try container.resolve(First.self)
_ = try firstResolve(container)
