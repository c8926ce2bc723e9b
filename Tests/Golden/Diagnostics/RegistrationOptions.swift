// SPDX-License-Identifier: MIT
import Corinth

protocol Pool: Sendable {
  func close() throws
}
final class Connections: Pool {
  init(host: String = "") {}
  func close() throws {}
}

func register(_ container: Container) throws {
  try container.register(Connections.self, scope: .singleton, with: .onDispose { $0.clos() }) { _ in
    Connections()
  }
  try container.register(Connections.self, scope: .singleton, with: .onDispos { try $0.close() }) {
    _ in Connections()
  }
  try container.register(Connections.self, scope: .singleton, with: .onDispose { try $0.close() }) {
    _ in Connections(1)
  }
  try container.register(
    Connections.self, scope: .singleton,
    with: .onDispose { connections in
      let reason = 1
      try connections.close(reason)
    }
  ) { _ in Connections() }
  try container.register(Connections.self, scope: .singleton, with: .eager) { resolver in
    let host: Int = try resolver.resolve()
    return Connections(host: host)
  }
  try container.register(Connections.self, scope: .singleton, with: .onDispose { $0.close() }) {
    _ in Connections()
  }
  try container.register((any Pool).self, with: .onDispose { (it: Connections) in try it.close() })
  { _ in Connections() }
}
