// SPDX-License-Identifier: MIT

/// What a request brings with it. Registered in its scope.
package struct RequestHeader: Sendable {
  let token: String

  package init(token: String) {
    self.token = token
  }
}

/// The user of a request.
final class CurrentUser: Sendable {
  let user: User

  init(header: RequestHeader, sessions: Sessions) throws {
    user = try sessions.user(of: header.token)
  }
}
