// SPDX-License-Identifier: MIT

import BenchmarkSupport
import FusionDialect

extension Operation {
  /// The loop of an operation through Fusion's interface.
  func makeFusionLoop() -> Loop {
    let container = Container()
    container.bind(.singleton, to: Service.self) { _ in Service() }
    switch self {
    case .fusionSingleton:
      return { count in
        for _ in 0..<count { blackHole(container.resolve(Service.self)) }
      }
    case .fusionID:
      container.bind(.singleton, to: Service.self, id: "primary") { _ in Service() }
      return { count in
        for _ in 0..<count { blackHole(container.resolve(Service.self, id: "primary")) }
      }
    case .fusionTransient:
      container.bind(to: Leaf.self) { _ in Leaf(state: 1) }
      return { count in
        for _ in 0..<count { blackHole(container.resolve(Leaf.self)) }
      }
    case .fusionInject:
      Container.main = container
      let owner = Owner()
      return { count in
        for _ in 0..<count { blackHole(owner.service) }
      }
    default:
      return { count in
        for _ in 0..<count { blackHole(container.resolve(Unregistered.self)) }
      }
    }
  }
}

private final class Owner {
  @Inject var service: Service
}
