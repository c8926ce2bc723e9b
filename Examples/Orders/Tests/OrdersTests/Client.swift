// SPDX-License-Identifier: MIT

import Foundation
import Glibc

/// One connection to the service, for one thread. It blocks.
final class Client {
  struct Response {
    let status: Int
    let headers: [String: String]
    let body: String
  }

  /// The connection has been refused or lost.
  struct Lost: Error {}

  private let socket: Int32
  private var received: [UInt8] = []

  init(port: UInt16) throws {
    socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = unsafe inet_addr("127.0.0.1")
    let connected = unsafe withUnsafeBytes(of: &address) { bytes in
      unsafe connect(
        socket, bytes.baseAddress?.assumingMemoryBound(to: sockaddr.self),
        socklen_t(bytes.count))
    }
    if connected != 0 { throw Lost() }
  }

  deinit { close(socket) }

  /// Makes a request, and waits for the response.
  func send(
    _ method: String, _ path: String, headers: [String: String] = [:], body: String = ""
  ) throws -> Response {
    var text = "\(method) \(path) HTTP/1.1\r\nHost: localhost\r\n"
    for (name, value) in headers { text += "\(name): \(value)\r\n" }
    text += "Content-Length: \(body.utf8.count)\r\n\r\n\(body)"
    try send(text: text)
    return try response()
  }

  /// Sends what may be no request.
  func send(text: String) throws {
    let bytes = Array(text.utf8)
    guard unsafe Glibc.send(socket, bytes, bytes.count, Int32(MSG_NOSIGNAL)) == bytes.count
    else { throw Lost() }
  }

  /// Waits for a response.
  func response() throws -> Response {
    var end = received.firstRange(of: Array("\r\n\r\n".utf8))
    while end == nil {
      try receive()
      end = received.firstRange(of: Array("\r\n\r\n".utf8))
    }
    guard let end else { throw Lost() }
    var lines = String(decoding: received[..<end.lowerBound], as: UTF8.self)
      .components(separatedBy: "\r\n")
    let status = Int(lines.removeFirst().split(separator: " ")[1]) ?? 0
    let headers = Dictionary(
      lines.map { line in
        let parts = line.components(separatedBy: ": ")
        return (parts[0].lowercased(), parts.dropFirst().joined(separator: ": "))
      }, uniquingKeysWith: { $1 })
    let length = end.upperBound + (Int(headers["content-length"] ?? "") ?? 0)
    while received.count < length { try receive() }
    let body = String(decoding: received[end.upperBound..<length], as: UTF8.self)
    received.removeFirst(length)
    return Response(status: status, headers: headers, body: body)
  }

  private func receive() throws {
    var buffer = [UInt8](repeating: 0, count: 65_536)
    let count = unsafe recv(socket, &buffer, buffer.count, 0)
    if count <= 0 { throw Lost() }
    received += buffer.prefix(count)
  }
}
