// SPDX-License-Identifier: MIT

import CMicroHTTPD
import Dispatch
import Glibc
import Synchronization

/// An HTTP server over libmicrohttpd: threads of its own read requests and call the handler.
///
/// ```swift
/// let server = try Server(address: "127.0.0.1", port: 0, threads: 4) { request in
///   Response(status: 200, text: "You asked for \(request.path).\n")
/// }
/// print("listening on port", server.port)
/// try await server.stop()
/// ```
@safe public final class Server: Sendable {
  /// The port that is listened on.
  public let port: UInt16

  private let address: String
  // SAFETY: the daemon may be used from any thread until it is stopped, which `isStopping` allows
  // once.
  private nonisolated(unsafe) let daemon: OpaquePointer
  private let isStopping = Atomic(false)
  private let listener: Listener

  /// Starts to listen.
  ///
  /// - Parameters:
  ///   - address: the IPv4 address, such as `127.0.0.1`, or `0.0.0.0` for all.
  ///   - port: the port; 0 for a free port.
  ///   - threads: how many threads call the handler.
  ///   - bodyLimit: the longest body in bytes. A longer body is answered with 413; a body without
  ///     an end loses the connection.
  ///   - handler: answers a request. The handler may block the thread.
  /// - Throws: ``ServerError``.
  public init(
    address: String, port: UInt16, threads: Int, bodyLimit: Int = 65_536,
    handler: @escaping @Sendable (Request) -> Response
  ) throws(ServerError) {
    let listener = Listener(bodyLimit: bodyLimit, handler: handler)
    // SAFETY: the daemon owns this reference. `end` releases it when no thread of the daemon is
    // left.
    let context = unsafe Unmanaged.passRetained(listener)
    guard
      let daemon = unsafe cmicrohttpd_start(
        address, port, UInt32(threads), inspect, answer, complete, context.toOpaque())
    else {
      let code = errno
      unsafe context.release()
      throw ServerError(.listening, address: address, port: port, code: code)
    }
    self.address = address
    unsafe self.daemon = daemon
    self.listener = listener
    unsafe self.port = cmicrohttpd_port(daemon)
  }

  /// Ends at once what was not stopped. Waits for the threads, and so for the requests that the
  /// handler serves: the last reference must not be one that the handler releases.
  deinit {
    if begins() { end(closing: -1) }
  }

  /// Refuses new connections, lets the requests that have begun end, and ends the threads. A second
  /// call does nothing.
  ///
  /// - Parameter grace: the longest time to wait for those requests.
  /// - Throws: ``ServerError`` if new connections could not be refused. The threads have ended all
  ///   the same.
  public nonisolated(nonsending) func stop(
    grace: Duration = .seconds(2)
  ) async throws(ServerError) {
    guard begins() else { return }
    let socket = unsafe MHD_quiesce_daemon(daemon)
    // The daemon may use the socket until it is stopped: closing it must wait. The system accepts
    // connections until then, unless it is told not to.
    let isRefusing = socket >= 0 && shutdown(socket, Int32(SHUT_RDWR)) == 0
    let code = socket < 0 ? EINVAL : errno
    let clock = ContinuousClock()
    let deadline = clock.now + grace
    while listener.openRequests > 0, clock.now < deadline {
      try? await Task.sleep(for: .milliseconds(5))
    }
    await withCheckedContinuation { stopped in
      // `end` waits for the threads of the daemon.
      DispatchQueue.global().async { [self] in
        end(closing: socket)
        stopped.resume()
      }
    }
    if !isRefusing { throw ServerError(.refusing, address: address, port: port, code: code) }
  }

  /// Whether the caller is to stop the daemon: the first caller only.
  private func begins() -> Bool {
    !isStopping.exchange(true, ordering: .acquiringAndReleasing)
  }

  private func end(closing socket: Int32) {
    unsafe MHD_stop_daemon(daemon)
    if socket >= 0 { close(socket) }
    // SAFETY: retained by the initializer. The threads that used the listener have ended.
    unsafe Unmanaged.passUnretained(listener).release()
  }
}
