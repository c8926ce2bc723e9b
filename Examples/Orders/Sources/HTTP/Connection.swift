// SPDX-License-Identifier: MIT

import CMicroHTTPD

// SAFETY: the pointers are connections of the daemon, used within a callback of the daemon.
extension OpaquePointer {
  func header(_ name: String) -> String? {
    unsafe MHD_lookup_connection_value(self, .HEADER_KIND, name).map { unsafe String(cString: $0) }
  }

  /// All headers, or all parameters of the query.
  func values(of kind: MHD_ValueKind) -> [(name: String, value: String)] {
    var values: [(name: String, value: String)] = []
    unsafe withUnsafeMutablePointer(to: &values) { values in
      _ = unsafe MHD_get_connection_values(
        self, kind,
        { values, _, name, value in
          guard let name = unsafe name else { return .YES }
          unsafe values?.assumingMemoryBound(to: [(name: String, value: String)].self).pointee
            .append((String(cString: name), value.map { unsafe String(cString: $0) } ?? ""))
          return .YES
        }, values)
    }
    return values
  }

  /// Hands a response over for sending.
  func queue(_ response: Response, closing: Bool = false) -> MHD_Result {
    var body = response.body
    let made = unsafe body.withUnsafeMutableBytes { bytes in
      unsafe MHD_create_response_from_buffer(
        bytes.count, bytes.baseAddress, .RESPMEM_MUST_COPY)
    }
    guard let made = unsafe made else { return .NO }
    defer { unsafe MHD_destroy_response(made) }
    for (name, value) in response.headers {
      guard unsafe MHD_add_response_header(made, name, value) == .YES else { return .NO }
    }
    if closing { unsafe MHD_add_response_header(made, "Connection", "close") }
    return unsafe MHD_queue_response(self, UInt32(response.status), made)
  }
}
