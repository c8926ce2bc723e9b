// SPDX-License-Identifier: MIT

import BenchmarkSupport
import Corinth

extension Operation {
  /// The loop of a resolve by a declared key, or by the type for comparison. A function called in
  /// the loop makes one resolve: a loop tests once whether the key is initialized.
  func makeKeyLoop(_ container: Container) throws -> Loop {
    switch self {
    case .typeInFunction:
      try container.register(Service.self, scope: .singleton) { _ in Service() }
      return { count in
        for _ in 0..<count { blackHole(try container.serviceByType()) }
      }
    case .keyInFunction:
      return { count in
        for _ in 0..<count { blackHole(try container.serviceByStaticKey()) }
      }
    case .localKey:
      return { count in
        let key = Parts.service
        for _ in 0..<count { blackHole(try container.service(of: key)) }
      }
    default:
      return { count in
        for _ in 0..<count { blackHole(try container.resolve(Parts.service)) }
      }
    }
  }
}

private enum Parts {
  static let service: ServiceKey<Service> = ServiceKey(scope: .singleton) { _ in Service() }
}

extension Container {
  @inline(never)
  fileprivate func serviceByType() throws -> Service {
    try resolve(Service.self)
  }

  @inline(never)
  fileprivate func serviceByStaticKey() throws -> Service {
    try resolve(Parts.service)
  }

  @inline(never)
  fileprivate func service(of key: ServiceKey<Service>) throws -> Service {
    try resolve(key)
  }
}
