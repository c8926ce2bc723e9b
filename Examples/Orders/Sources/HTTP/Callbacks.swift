// SPDX-License-Identifier: MIT

import CMicroHTTPD
import Glibc

/// Stands for an exchange that has not begun, and whose address has an encoded NUL.
private let nulInAddress = UInt(1)

/// Called with the address as it was sent, before anything else. Its result is the first state of
/// the request.
let inspect:
  @convention(c) (UnsafeMutableRawPointer?, UnsafePointer<CChar>?, OpaquePointer?) ->
    UnsafeMutableRawPointer? = { _, address, _ in
      // SAFETY: the daemon gives a C string. Decoded, it ends at the NUL: the rest would be
      // ignored.
      guard let address = unsafe address, unsafe strstr(address, "%00") != nil else { return nil }
      return unsafe UnsafeMutableRawPointer(bitPattern: nulInAddress)
    }

/// Called after the headers of a request, for every part of the body, and at the end of the body.
let answer: MHD_AccessHandlerCallback = {
  context, connection, path, method, _, data, size, state in
  // SAFETY: the daemon passes the context given at the start, and calls for a connection on one
  // thread at a time.
  guard let context = unsafe context, let connection = unsafe connection,
    let path = unsafe path, let method = unsafe method,
    let size = unsafe size, let state = unsafe state
  else { return .NO }
  let listener = unsafe Unmanaged<Listener>.fromOpaque(context).takeUnretainedValue()

  guard let known = unsafe state.pointee, UInt(bitPattern: known) != nulInAddress else {
    let exchange = unsafe listener.begin(connection, hasNUL: state.pointee != nil)
    unsafe state.pointee = Unmanaged.passRetained(exchange).toOpaque()
    guard let refusal = unsafe listener.refusal(of: exchange, from: connection) else { return .YES }
    return unsafe connection.queue(refusal, closing: true)
  }
  let exchange = unsafe Unmanaged<Exchange>.fromOpaque(known).takeUnretainedValue()
  if unsafe size.pointee > 0 {
    unsafe listener.receive(UnsafeRawBufferPointer(start: data, count: size.pointee), for: exchange)
    unsafe size.pointee = 0
    // `.NO` closes the connection: a body may have no end.
    return exchange.length > listener.endlessLength ? .NO : .YES
  }
  return unsafe connection.queue(
    listener.response(
      to: exchange, method: String(cString: method), path: String(cString: path), of: connection))
}

/// Called when the response has been sent, or the connection lost.
let complete: MHD_RequestCompletedCallback = { context, _, state, _ in
  // SAFETY: the exchange was retained by `answer`, once.
  guard let context = unsafe context, let exchange = unsafe state?.pointee,
    UInt(bitPattern: exchange) != nulInAddress
  else { return }
  unsafe Unmanaged<Exchange>.fromOpaque(exchange).release()
  unsafe state?.pointee = nil
  unsafe Unmanaged<Listener>.fromOpaque(context).takeUnretainedValue().end()
}
