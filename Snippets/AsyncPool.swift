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

/// Has a signal written to a stream. One that comes after this has returned is not missed.
///
/// - Returns: the watching source, which the caller must hold.
nonisolated(nonsending)
  func watch(
    _ number: Int32, for signals: AsyncStream<Int32>.Continuation
  ) async -> any DispatchSourceSignal
{
  #if canImport(Darwin)
    // There the signal would end the process before it is delivered.
    signal(number, SIG_IGN)
  #endif
  let source = DispatchSource.makeSignalSource(signal: number)
  source.setEventHandler { signals.yield(number) }
  await withCheckedContinuation { registered in
    source.setRegistrationHandler { registered.resume() }
    source.activate()
  }
  return source
}

let container = Container()
try container.registerAsync(Pool.self) { _ in try await Pool.open(size: 4) }
  .asSingleton().onDispose { pool in await pool.close() }
try container.registerAsync(Orders.self) { resolver in
  Orders(pool: try await resolver.resolveAsync())
}.asSingleton().onDispose { orders in try await orders.flush() }

/// Serves requests until the container opens no scopes any more.
func serve() async throws -> Int {
  for served in 0... {
    do {
      try await container.withScope { scope in
        // Many ask at once; the pool is opened once.
        _ = try await scope.resolveAsync(Orders.self)
        try await Task.sleep(for: .milliseconds(5))
      }
    } catch is ScopeRefused {
      return served
    }
  }
  return 0
}

async let first = serve()
async let second = serve()

let (signals, continuation) = AsyncStream.makeStream(of: Int32.self)
let watches = [await watch(SIGTERM, for: continuation), await watch(SIGINT, for: continuation)]
// In place of an operator.
try await Task.sleep(for: .milliseconds(50))
kill(getpid(), SIGTERM)
let number = await signals.first { _ in true }
print("stopped by signal", number ?? 0)
do {
  // Requests that have begun end first. The orders come before the pool, as they were completed last; each disposer
  // has five seconds.
  try await container.shutdown(draining: .seconds(20), timeLimit: .seconds(5))
} catch {
  print(error)
}
print("served", try await first + second > 0)
