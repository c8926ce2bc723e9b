// SPDX-License-Identifier: MIT

import CMicroHTTPD
import Dispatch
import Glibc

/// An HTTP server over libmicrohttpd: threads of its own read requests and call the handler.
///
/// ```swift
/// let server = try Server(address: "127.0.0.1", port: 0, threads: 4) { request in
///   Response(status: 200, text: "You asked for \(request.path).\n")
/// }
/// print("listening on port", server.port)
/// await server.stop()
/// ```
@safe public final class Server: Sendable {
  /// The port that is listened on.
  public let port: UInt16

  // SAFETY: the daemon may be used from any thread until it is stopped, which is done once.
  private nonisolated(unsafe) let daemon: OpaquePointer
  private let listener: Listener

  /// Starts to listen.
  ///
  /// - Parameters:
  ///   - address: the IPv4 address, such as `127.0.0.1`, or `0.0.0.0` for all.
  ///   - port: the port; 0 for one that is free.
  ///   - threads: how many threads call the handler.
  ///   - bodyLimit: how many bytes a body may have. A longer one is answered with 413.
  ///   - handler: answers a request. It may block its thread.
  /// - Throws: ``ServerError``.
  public init(
    address: String, port: UInt16, threads: Int, bodyLimit: Int = 65_536,
    handler: @escaping @Sendable (Request) -> Response
  ) throws(ServerError) {
    let listener = Listener(bodyLimit: bodyLimit, handler: handler)
    // SAFETY: the listener lives as long as the server, whose threads end before it does.
    let context = unsafe Unmanaged.passUnretained(listener).toOpaque()
    guard
      let daemon = unsafe cmicrohttpd_start(
        address, port, UInt32(threads), answer, complete, context)
    else { throw ServerError(address: address, port: port, code: errno) }
    unsafe self.daemon = daemon
    self.listener = listener
    unsafe self.port = cmicrohttpd_port(daemon)
  }

  /// Refuses new connections, lets the requests that have begun end, and ends the threads. Call it once.
  ///
  /// - Parameter grace: how long is waited for those requests.
  public nonisolated(nonsending) func stop(grace: Duration = .seconds(2)) async {
    let socket = unsafe MHD_quiesce_daemon(daemon)
    let clock = ContinuousClock()
    let deadline = clock.now + grace
    while listener.openRequests > 0, clock.now < deadline {
      try? await Task.sleep(for: .milliseconds(5))
    }
    await withCheckedContinuation { stopped in
      // It waits for the threads of the daemon.
      DispatchQueue.global().async { [self] in
        unsafe MHD_stop_daemon(daemon)
        if socket >= 0 { close(socket) }
        stopped.resume()
      }
    }
  }
}

/// An address could not be listened on.
public struct ServerError: Error, CustomStringConvertible {
  public let address: String
  public let port: UInt16
  /// The error code of the system.
  public let code: Int32

  public var description: String {
    "Cannot listen on \(address):\(port): \(unsafe String(cString: strerror(code)))."
  }
}
