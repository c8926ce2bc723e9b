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

/// Orders that are written through the pool.
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

/// Serves requests until the container opens no scopes any more.
func serve() async throws -> Int {
  for served in 0... {
    do {
      try await container.withScope { scope in
        // Many ask at once; the pool is opened once.
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

// In place of an operator. A signal that comes before `run()` would end the process: here it is ignored, and comes again.
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
  // Returns after SIGTERM. Requests that have begun end first. The orders come before the pool, as they were completed
  // last; each disposer has five seconds.
  try await service.run()
} catch {
  print(error)
}
print("served", try await first + second > 0)
