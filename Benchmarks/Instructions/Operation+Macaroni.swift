// SPDX-License-Identifier: MIT

import BenchmarkSupport
import MacaroniDialect

extension Operation {
  /// The loop of an operation through Macaroni's interface. A resolve calls the registered closure,
  /// which decides about sharing.
  func makeMacaroniLoop() -> Loop {
    Macaroni.logger = DisabledMacaroniLogger()
    let container = Container()
    Container.lookupPolicy = .singleton(container)
    container.register { Leaf(state: 1) }
    switch self {
    case .macaroniResolve:
      return { count in
        for _ in 0..<count { blackHole(try container.resolve() as Leaf) }
      }
    case .macaroniOptional:
      container.lock()
      return { count in
        for _ in 0..<count {
          let leaf: Leaf? = try? container.resolve()
          blackHole(leaf)
        }
      }
    case .macaroniAlternative:
      container.register(alternative: .primary) { Leaf(state: 1) }
      return { count in
        for _ in 0..<count { blackHole(try container.resolve(alternative: .primary) as Leaf) }
      }
    case .macaroniInjected:
      let owner = Owner()
      return { count in
        for _ in 0..<count { blackHole(owner.leaf) }
      }
    case .macaroniFirstAccess:
      return { count in
        for _ in 0..<count { blackHole(Owner().leaf) }
      }
    default:
      return { count in
        for _ in 0..<count { blackHole((try? container.resolve() as Unregistered) == nil) }
      }
    }
  }
}

extension RegistrationAlternative {
  fileprivate static let primary: RegistrationAlternative = "primary"
}

private final class Owner {
  @Injected var leaf: Leaf
}
