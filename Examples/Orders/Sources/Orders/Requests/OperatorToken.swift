// SPDX-License-Identifier: MIT

extension RoutedRequest {
  /// - Throws: ``RequestError`` with 403, unless the request has the token of an operator. Without
  ///   one in the settings nobody has.
  package func requireOperator(_ settings: ServerSettings) throws(RequestError) {
    guard let token = settings.adminToken,
      let sent = header("Authorization"), sent.isSameSecret(as: "Bearer \(token)")
    else {
      throw RequestError(403, "This needs the token of an operator.")
    }
  }
}

extension String {
  /// Compares all bytes: the time does not tell the number of right bytes. The time may tell the
  /// length.
  fileprivate func isSameSecret(as other: String) -> Bool {
    guard utf8.count == other.utf8.count else { return false }
    return zip(utf8, other.utf8).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
  }
}
