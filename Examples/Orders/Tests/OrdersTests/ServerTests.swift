// SPDX-License-Identifier: MIT

import Dispatch
import Glibc
import HTTP
import Testing

/// A server refuses connections as soon as it ends, however it ends.
struct ServerTests {
  @Test func aServerThatStopsRefusesConnectionsWhileARequestIsServed() async throws {
    let (hasBegun, goesOn) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let server = try Server(address: "127.0.0.1", port: 0, threads: 4) { _ in
      hasBegun.signal()
      goesOn.wait()
      return Response(status: 200)
    }
    let stopping = DispatchSemaphore(value: 0)
    let findings = try await onThreads(2) { index in
      if index == 0 { return try Client(port: server.port).send("GET", "/").status == 200 }
      hasBegun.wait()
      Task {
        try await server.stop(grace: .seconds(60))
        stopping.signal()
      }
      // It stops at some moment after this: connections are accepted until then. If they always
      // are, there must be fewer of them than the system keeps waiting.
      let isRefused = (0..<100).contains { _ in
        usleep(50_000)
        return (try? Client(port: server.port)) == nil
      }
      goesOn.signal()
      stopping.wait()
      return isRefused
    }
    #expect(findings == [true, true])
  }

  @Test func aServerThatIsStoppedTwiceStopsOnce() async throws {
    let server = try Server(address: "127.0.0.1", port: 0, threads: 2) { _ in
      Response(status: 200)
    }
    try await server.stop()
    try await server.stop()
    #expect(throws: Client.Lost.self) { try Client(port: server.port) }
  }

  @Test func aServerThatNobodyStopsEndsWithItsLastReference() throws {
    final class Witness: Sendable {}
    weak var witness: Witness?
    func serve() throws -> UInt16 {
      let new = Witness()
      witness = new
      let server = try Server(address: "127.0.0.1", port: 0, threads: 2) { _ in
        Response(status: 200, text: "\(ObjectIdentifier(new))")
      }
      let client = try Client(port: server.port)
      #expect(try client.send("GET", "/").status == 200)
      return server.port
    }
    let port = try serve()
    #expect(witness == nil)
    #expect(throws: Client.Lost.self) { try Client(port: port) }
  }
}
