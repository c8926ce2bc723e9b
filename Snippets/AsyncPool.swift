// SPDX-License-Identifier: MIT
// A pool that is opened and closed asynchronously, in a service that a signal stops in order.

// snippet.show
import Corinth
import Foundation

actor Pool {
  private var idle: [Int]

  init(connections: [Int]) { idle = connections }

  static func open(size: Int) async throws -> Pool {
    try await Task.sleep(for: .milliseconds(10))
    print("opened \(size) connections")
    return Pool(connections: Array(1...size))
  }

  func close() async {
    print("closed \(idle.count) connections")
    idle = []
  }
}

/// Orders, written through the pool.
actor Orders {
  private let pool: Pool
  private var unwritten = ["one", "two"]

  init(pool: Pool) { self.pool = pool }

  func flush() async throws {
    print("wrote \(unwritten.count) orders")
    unwritten = []
  }
}

let container = Container()
try container.registerAsync(
  Pool.self, scope: .singleton, with: .onDispose { pool in await pool.close() }
) { _ in try await Pool.open(size: 4) }
try container.registerAsync(
  Orders.self, scope: .singleton, with: .onDispose { orders in try await orders.flush() }
) { resolver in Orders(pool: try await resolver.resolveAsync()) }

/// Serves requests until the container refuses new scopes.
func serve() async throws -> Int {
  for served in 0... {
    do {
      try await container.withScope { scope in
        // Many tasks ask at once; the pool is opened once.
        _ = try await scope.resolveAsync(Orders.self)
        try await Task.sleep(for: .milliseconds(5))
      }
    } catch ResolutionError.scopeRefused {
      return served
    }
  }
  return 0
}

async let first = serve()
async let second = serve()

// Stands for an operator. Before `run()` the signal is ignored, and is sent again later.
signal(SIGTERM, SIG_IGN)
Task {
  try await Task.sleep(for: .milliseconds(50))
  while !container.isClosed {
    kill(getpid(), SIGTERM)
    try await Task.sleep(for: .seconds(2))
  }
}

let service = ContainerService(container, draining: .seconds(20), timeLimit: .seconds(5))
do {
  // Returns after SIGTERM. Open requests end first. Then the orders are closed, and after these
  // the pool, which was completed first. Each disposer has five seconds.
  try await service.run()
} catch {
  print(error)
}
print("served", try await first + second > 0)
