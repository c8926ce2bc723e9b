// SPDX-License-Identifier: MIT

import CMicroHTTPD
import Synchronization

/// The state that the callbacks of the daemon use.
final class Listener: Sendable {
  private let bodyLimit: Int
  private let handler: @Sendable (Request) -> Response
  private let open = Atomic(0)

  init(bodyLimit: Int, handler: @escaping @Sendable (Request) -> Response) {
    self.bodyLimit = bodyLimit
    self.handler = handler
  }

  /// From how many bytes on a body of unknown length is not received any more, to be answered with
  /// 413.
  var endlessLength: Int { bodyLimit < .max / 16 ? bodyLimit * 16 : .max }

  /// How many requests have begun, and are not answered completely.
  var openRequests: Int { open.load(ordering: .acquiring) }

  /// - Parameter hasNUL: whether the address has an encoded NUL.
  func begin(_ connection: OpaquePointer, hasNUL: Bool) -> Exchange {
    open.add(1, ordering: .acquiringAndReleasing)
    return unsafe Exchange(
      announcedLength: connection.header("Content-Length").map { Int($0) ?? .max }, hasNUL: hasNUL)
  }

  func end() { open.subtract(1, ordering: .acquiringAndReleasing) }

  /// The answer to a request whose body is not received: the body will be too long, or the headers
  /// name two lengths. A gateway may have read the second length, and would take the rest of this
  /// request for a new request.
  func refusal(of exchange: Exchange, from connection: OpaquePointer) -> Response? {
    if unsafe cmicrohttpd_body_lengths(connection) > 1 {
      return Response(
        status: 400, text: #"{"error":"The body has more than one length."}"#,
        type: "application/json")
    }
    return exchange.announcedLength ?? 0 > bodyLimit ? tooLong : nil
  }

  /// Keeps a part of the body. Of a body that is too long, only the length is of interest.
  func receive(_ bytes: UnsafeRawBufferPointer, for exchange: Exchange) {
    exchange.length += bytes.count
    if exchange.length <= bodyLimit { unsafe exchange.body.append(contentsOf: bytes) }
  }

  func response(to exchange: Exchange, method: String, path: String, of connection: OpaquePointer)
    -> Response
  {
    guard exchange.length <= bodyLimit else { return tooLong }
    if exchange.hasNUL {
      return Response(
        status: 400, text: #"{"error":"The address contains %00."}"#, type: "application/json")
    }
    return handler(
      unsafe Request(
        method: method, path: path, query: connection.values(of: .GET_ARGUMENT_KIND),
        headers: connection.values(of: .HEADER_KIND), body: exchange.body))
  }

  var tooLong: Response {
    Response(
      status: 413, text: #"{"error":"The body has more than \#(bodyLimit) bytes."}"#,
      type: "application/json")
  }
}

/// A request that is being received. Only the thread of the connection uses the object.
final class Exchange {
  let announcedLength: Int?
  let hasNUL: Bool
  var length = 0
  var body: [UInt8] = []

  init(announcedLength: Int?, hasNUL: Bool) {
    self.announcedLength = announcedLength
    self.hasNUL = hasNUL
  }
}
