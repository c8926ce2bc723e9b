// SPDX-License-Identifier: MIT

import CMicroHTTPD

/// Called when the headers of a request are there, for each part of the body, and at its end.
let answer: MHD_AccessHandlerCallback = {
  context, connection, path, method, _, data, size, state in
  // SAFETY: the daemon gives the context it was started with, and calls for one connection in one thread at a time.
  guard let context = unsafe context, let connection = unsafe connection,
    let path = unsafe path, let method = unsafe method,
    let size = unsafe size, let state = unsafe state
  else { return .NO }
  let listener = unsafe Unmanaged<Listener>.fromOpaque(context).takeUnretainedValue()

  guard let known = unsafe state.pointee else {
    let exchange = unsafe listener.begin(connection)
    unsafe state.pointee = Unmanaged.passRetained(exchange).toOpaque()
    return unsafe listener.refusesBody(of: exchange)
      ? connection.queue(listener.tooLong, closing: true) : .YES
  }
  let exchange = unsafe Unmanaged<Exchange>.fromOpaque(known).takeUnretainedValue()
  if unsafe size.pointee > 0 {
    unsafe listener.receive(UnsafeRawBufferPointer(start: data, count: size.pointee), for: exchange)
    unsafe size.pointee = 0
    return .YES
  }
  return unsafe connection.queue(
    listener.response(
      to: exchange, method: String(cString: method), path: String(cString: path), of: connection))
}

/// Called when the response has been sent, or the connection lost.
let complete: MHD_RequestCompletedCallback = { context, _, state, _ in
  // SAFETY: the exchange was retained by `answer`, once.
  guard let context = unsafe context, let exchange = unsafe state?.pointee else { return }
  unsafe Unmanaged<Exchange>.fromOpaque(exchange).release()
  unsafe state?.pointee = nil
  unsafe Unmanaged<Listener>.fromOpaque(context).takeUnretainedValue().end()
}
